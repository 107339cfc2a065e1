-- People, organisations and identifiers, and where they were found, for MariaDB. Each statement may be run again without harm.

create table if not exists turno_entity (
    id         bigint auto_increment primary key,
    kind       varchar(20) not null,
    entity_key varchar(300) not null,
    name       varchar(300) not null,
    constraint turno_entity_key unique (kind, entity_key)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists turno_mention (
    id          bigint auto_increment primary key,
    entity_id   bigint not null,
    network_id  bigint not null,
    record_hash varchar(32) not null,             -- the id of the record's document
    identifier  varchar(1000) not null,
    snapshot_id bigint not null,
    field       varchar(200) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_mention_entity on turno_mention (entity_id, id);
create index if not exists turno_mention_record on turno_mention (record_hash);
create index if not exists turno_mention_network on turno_mention (network_id);

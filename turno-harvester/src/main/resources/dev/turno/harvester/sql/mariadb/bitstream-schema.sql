-- Files of records, for MariaDB. Each statement may be run again without harm.

create table if not exists turno_bitstream (
    id          bigint auto_increment primary key,
    network_id  bigint not null,
    record_hash varchar(32) not null,             -- the id of the record's document
    identifier  varchar(1000) not null,
    url         varchar(2000) not null,
    url_hash    varchar(64) not null,
    state       varchar(20) not null,
    media_type  varchar(200),
    size_bytes  bigint,
    sha256      varchar(64),
    error       varchar(1000),
    changed_at  datetime(6) not null,
    constraint turno_bitstream_url unique (network_id, record_hash, url_hash)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_bitstream_state on turno_bitstream (network_id, state, id);

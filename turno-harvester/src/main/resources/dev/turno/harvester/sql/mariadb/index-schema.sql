-- What the indexes hold, for MariaDB. Each statement may be run again without harm.

create table if not exists turno_index_state (
    network_id  bigint not null,
    target      varchar(20) not null,
    snapshot_id bigint not null,
    fingerprint varchar(64) not null,             -- of what its documents depend on besides the records
    indexed_at  datetime(6) not null,
    constraint turno_index_state_target primary key (network_id, target)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What the indexes hold, for H2. Each statement may be run again without harm.

create table if not exists turno_index_state (
    network_id  bigint not null,
    target      varchar(20) not null,
    snapshot_id bigint not null,
    fingerprint varchar(64) not null,             -- of what its documents depend on besides the records
    indexed_at  timestamp(6) with time zone not null,
    constraint turno_index_state_target primary key (network_id, target)
);

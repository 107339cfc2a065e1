-- The harvester's tables for MariaDB. Each statement may be run again without harm.

-- A repository that is harvested. Lists are kept as lines.
create table if not exists turno_network (
    id                    bigint auto_increment primary key,
    acronym               varchar(20) not null,
    name                  varchar(500) not null,
    institution_name      varchar(500) not null,
    institution_acronym   varchar(500) not null,
    origin_url            varchar(500) not null,
    metadata_prefix       varchar(100) not null,
    sets                  mediumtext not null,
    attributes            mediumtext not null,
    properties            varchar(1000) not null,
    published             boolean not null,
    schedule              varchar(200),
    pre_validator         varchar(200),
    validator             varchar(200),
    transformer           varchar(200),
    secondary_transformer varchar(200),
    created_at            datetime(6) not null,
    changed_at            datetime(6) not null,
    constraint turno_network_acronym unique (acronym)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Who changed what, also of networks that are gone.
create table if not exists turno_network_change (
    id         bigint auto_increment primary key,
    network_id bigint not null,
    acronym    varchar(20) not null,
    changed_at datetime(6) not null,
    who        varchar(200) not null,
    what       mediumtext not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_network_change_network on turno_network_change (network_id, id);

-- One harvest. Its run writes it, under the run's fence; it is complete only when that wrote so in its last page.
create table if not exists turno_snapshot (
    id           bigint auto_increment primary key,
    network_id   bigint not null,
    previous_id  bigint,
    stands_alone boolean not null,            -- else it lies over the previous one
    run_id       bigint not null,
    fence        bigint not null,
    status       varchar(14) not null,
    started_at   datetime(6) not null,
    finished_at  datetime(6),
    until_at     datetime(6),                        -- the source's clock when the harvest began
    full_at      datetime(6),                        -- the same, of the last harvest that asked for everything
    records      bigint not null,
    deletions    bigint not null,
    valid        bigint not null,
    transformed  bigint not null,
    quarantined  bigint not null,
    total        bigint not null,
    failures     int not null,                -- of the source, one after the other, since it last gave a page
    origin       varchar(64) not null,        -- what was asked of whom, hashed: if it changes, everything is asked for again
    accepted     boolean not null,            -- a person said that it may be so small
    error        varchar(4000),
    constraint turno_snapshot_run unique (run_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_snapshot_network on turno_snapshot (network_id, id);

create table if not exists turno_snapshot_log (
    id          bigint auto_increment primary key,
    snapshot_id bigint not null,
    logged_at   datetime(6) not null,
    line        varchar(1000) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_snapshot_log_snapshot on turno_snapshot_log (snapshot_id, id);

-- A Parquet file that counts. Files that stand in no row are nobody's.
create table if not exists turno_part (
    id          bigint auto_increment primary key,
    snapshot_id bigint not null,
    seq         int not null,                 -- a higher one is newer
    file        varchar(200) not null,
    row_count   bigint not null,
    deletions   bigint not null,
    newest      bigint not null,              -- the highest snapshot that any of its rows came from
    results     varchar(200),                 -- the file with what the rules said, row by row
    constraint turno_part_seq unique (snapshot_id, seq)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What could not be used, with the file that has it as it came.
create table if not exists turno_quarantine (
    id          bigint auto_increment primary key,
    snapshot_id bigint not null,
    identifier  varchar(1000) not null,
    reason      varchar(1000) not null,
    file        varchar(200) not null,
    found_at    datetime(6) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_quarantine_snapshot on turno_quarantine (snapshot_id, id);

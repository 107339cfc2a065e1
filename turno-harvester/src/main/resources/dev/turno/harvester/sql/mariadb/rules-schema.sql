-- The tables of rules and of what they found, for MariaDB. Each statement may be run again without harm.

create table if not exists turno_rule_set (
    name       varchar(100) primary key,
    purpose    varchar(20) not null,
    body       mediumtext not null,                    -- JSON, as it is exported
    changed_at datetime(6) not null,
    changed_by varchar(200) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What the rules found in a snapshot so far; finished when all its records were judged.
create table if not exists turno_validation (
    snapshot_id bigint primary key,
    network_id  bigint not null,
    fingerprint varchar(64) not null,             -- of the rules: what was judged by others has to be judged again
    valid       bigint not null,
    invalid     bigint not null,
    transformed bigint not null,
    finished    boolean not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_validation_network on turno_validation (network_id, snapshot_id);

create table if not exists turno_rule_count (
    snapshot_id bigint not null,
    rule        varchar(200) not null,
    place       integer not null,
    holds       bigint not null,
    breaks      bigint not null,
    constraint turno_rule_count_rule primary key (snapshot_id, rule)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The first so many different values that a rule met, and how often.
create table if not exists turno_rule_value (
    snapshot_id bigint not null,
    rule        varchar(200) not null,
    good        boolean not null,
    value_text  varchar(400) not null,
    n           bigint not null,
    constraint turno_rule_value_text primary key (snapshot_id, rule, good, value_text)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The first few records that kept or broke a rule.
create table if not exists turno_rule_sample (
    id          bigint auto_increment primary key,
    snapshot_id bigint not null,
    rule        varchar(200) not null,
    holds       boolean not null,
    identifier  varchar(1000) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_rule_sample_rule on turno_rule_sample (snapshot_id, rule, holds);

-- What is known about URLs that a rule asks for.
create table if not exists turno_url (
    id         bigint auto_increment primary key,
    url_hash   varchar(64) not null,
    url        varchar(2000) not null,
    state      varchar(10) not null,
    checked_at datetime(6),
    constraint turno_url_hash unique (url_hash)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The tables of Turno's HTTP API for MariaDB. Each statement may be run again without harm.

-- Who may call. The token itself is nowhere: only its hash.
create table if not exists turno_token (
    id          bigint auto_increment primary key,
    namespace   varchar(64) not null,
    name        varchar(100) not null,
    role        varchar(10) not null,
    afore       varchar(1000) not null,             -- for callers: their keys, with commas between
    hash        char(64) not null,                  -- SHA-256 in hexadecimal
    is_session  boolean default false not null,     -- made by a sign-in of a person, not shown in lists
    parent_id   bigint,                             -- of a session: the token that its person signed in with
    created_at  datetime(6) not null,
    created_by  varchar(100) not null,
    expires_at  datetime(6),                        -- null: never
    revoked_at  datetime(6),
    unique (namespace, hash)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Who changed what, when and why. Written before the change; the status comes after it.
create table if not exists turno_audit (
    id          bigint auto_increment primary key,
    namespace   varchar(64) not null,
    begun_at    datetime(6) not null,
    who         varchar(100) not null,
    role        varchar(10) not null,
    address     varchar(60) not null,
    action      varchar(500) not null,
    why         varchar(500),
    details     varchar(1000),                      -- what was changed, without secrets
    status      integer,                            -- null: it was begun, and its end was not seen
    index turno_audit_newest (namespace, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Tables that were made before these columns came.
alter table turno_token add column if not exists parent_id bigint;
alter table turno_audit add column if not exists details varchar(1000);

-- How much was done when, in the whole cluster, for the charts: each process adds what it did.
create table if not exists turno_history (
    namespace   varchar(64) not null,
    who         varchar(150) not null,              -- as events name it: 'inbox orders'; empty: all together; 'took 50': up to 50 ms
    step_s      integer not null,                   -- how long a slot is: 5, 60 or 3600 seconds
    slot_s      bigint not null,                    -- its begin, in seconds of the epoch
    done        bigint not null,
    again       bigint not null,
    dead        bigint not null,
    spent_ms    bigint not null,                    -- in handlers, all together
    longest_ms  bigint not null,                    -- in the handler of one
    primary key (namespace, who, step_s, slot_s)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_history_time on turno_history (namespace, step_s, slot_s);

-- The attempts that failed, as long as charts go back, so that an item has a story: its row keeps only the last error.
create table if not exists turno_failure (
    id          bigint auto_increment primary key,
    namespace   varchar(64) not null,
    item        varchar(500) not null,              -- as events name it: 'default/orders/order-1#12'
    attempt     integer not null,
    failed_at   datetime(6) not null,
    error       varchar(8000) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_failure_item on turno_failure (namespace, item);
create index if not exists turno_failure_time on turno_failure (namespace, failed_at);

-- The schema of Turno for H2. Each statement may be run again without harm.
-- version: 1

-- One row per running process. Renewing it keeps everything that the process holds.
create table if not exists turno_holder (
    id          bigint primary key,
    namespace   varchar(64) not null,
    node        varchar(200) not null,
    started_at  timestamp(6) with time zone not null,
    lease_until timestamp(6) with time zone not null,
    reaped_at   timestamp(6) with time zone         -- set by whoever finds it lapsed; from then on it can take nothing
);

-- An inbox by name. Rows refer to it by number, which keeps them and their indexes small.
create table if not exists turno_inbox_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) not null,
    inbox       varchar(100) not null,
    paused      boolean default false not null,
    concurrency integer,                            -- null: no limit in the cluster
    unique (namespace, inbox)
);

-- A name under which at most one thing runs, with the sequence that orders what waits for it.
create table if not exists turno_lane (
    id          bigint generated always as identity primary key,
    kind        varchar(10) not null,
    scope_id    bigint not null,
    lane        varchar(200) not null,
    next_seq    bigint not null,
    head_id     bigint,                             -- the row whose turn it is; null: nobody's
    used_at     timestamp(6) with time zone not null,
    unique (kind, scope_id, lane)
);

-- One of K places. It is free when the claim it names is over; nothing has to be given back.
create table if not exists turno_slot (
    kind        varchar(10) not null,
    scope_id    bigint not null,
    slot        integer not null,
    row_id      bigint default 0 not null,
    fence       bigint default 0 not null,
    primary key (kind, scope_id, slot)
);

create table if not exists turno_inbox (
    id          bigint generated always as identity primary key,
    inbox_id    integer not null,
    message_id  varchar(200) not null,
    class       smallint not null,                  -- 9 - priority: class 0 goes first
    state       varchar(9) not null
                check (locate(',' || state || ',', ',PENDING,DOING,DONE,DEAD,CANCELLED,') > 0),
    turn_at     timestamp(6) with time zone,        -- from this moment anyone may take it; null: never again
    fence       bigint default 0 not null,
    attempt     integer default 0 not null,
    holder      bigint,
    held_until  timestamp(6) with time zone,        -- when its holder's claim lapses; null: nobody has it
    put_at      timestamp(6) with time zone not null,
    finished_at timestamp(6) with time zone,
    end_state   varchar(9),                         -- DONE, DEAD or CANCELLED; null: it has not ended
    not_before  timestamp(6) with time zone,        -- the wished moment, for rows that wait behind others in a lane
    lane_id     bigint,
    lane_seq    bigint,
    error       varchar(10000),
    body        varchar(1048576) not null,
    unique (inbox_id, message_id)
);
create index if not exists turno_inbox_turn on turno_inbox (inbox_id, class, turn_at, id);
create index if not exists turno_inbox_end on turno_inbox (inbox_id, end_state, finished_at, id);
create index if not exists turno_inbox_lane on turno_inbox (lane_id, end_state, lane_seq);

-- A named lock. Its row stays when it is released, so that its fence goes on from where it was. Nothing that changes is indexed.
create table if not exists turno_lock (
    id          bigint generated always as identity primary key,
    namespace   varchar(64) not null,
    name        varchar(255) not null,
    fence       bigint not null,                    -- grows at each taking, also from one row of this name to the next
    lease_id    bigint,                             -- drawn for each taking; null: released
    lease_us    bigint not null,                    -- what a renewal adds
    taken_at    timestamp(6) with time zone not null,
    expires_at  timestamp(6) with time zone not null, -- from this moment anyone may take it
    holder      bigint not null,
    node        varchar(200) not null,
    service     varchar(100) not null,
    user_name   varchar(50) not null,
    unique (namespace, name)
);

-- The highest fence among rows that were removed: a name that comes back goes on from here.
create table if not exists turno_lock_floor (
    namespace   varchar(64) primary key,
    fence       bigint not null
);

-- The locks under the column names of the service that Turno's locks came from.
create or replace view TB_NSAR_BLOQUEO_DISTRIBUIDO as
select id as ID_BLOQUEO_DISTRIBUIDO, name as CH_LLAVE_BLOQUEO, concat(node, '/', holder) as CH_PROCESO_BLOQUEO,
       taken_at as FC_INICIO_BLOQUEO, expires_at as FC_EXPIRA_BLOQUEO,
       user_name as CH_USUARIO_MODIFICADOR, service as CH_NOMBRE_SERVICIO
  from turno_lock where lease_id is not null;

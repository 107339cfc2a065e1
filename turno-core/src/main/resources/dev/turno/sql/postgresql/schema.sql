-- The schema of Turno for PostgreSQL. Each statement may be run again without harm.
-- version: 1

-- One row per running process. Renewing it keeps everything that the process holds.
create table if not exists turno_holder (
    id          bigint primary key,
    namespace   varchar(64) not null,
    node        varchar(200) not null,
    started_at  timestamptz not null,
    lease_until timestamptz not null,
    reaped_at   timestamptz                         -- set by whoever finds it lapsed; from then on it can take nothing
);

-- An inbox by name. Rows refer to it by number, which keeps them and their indexes small.
create table if not exists turno_inbox_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) collate "C" not null,
    inbox       varchar(100) collate "C" not null,
    paused      boolean not null default false,
    concurrency integer,                            -- null: no limit in the cluster
    unique (namespace, inbox)
);

-- A name under which at most one thing runs, with the sequence that orders what waits for it.
create table if not exists turno_lane (
    id          bigint generated always as identity primary key,
    kind        varchar(10) collate "C" not null,
    scope_id    bigint not null,
    lane        varchar(200) collate "C" not null,
    next_seq    bigint not null,
    head_id     bigint,                             -- the row whose turn it is; null: nobody's
    used_at     timestamptz not null,
    unique (kind, scope_id, lane)
);

-- One of K places. It is free when the claim it names is over; nothing has to be given back.
create table if not exists turno_slot (
    kind        varchar(10) collate "C" not null,
    scope_id    bigint not null,
    slot        integer not null,
    row_id      bigint not null default 0,
    fence       bigint not null default 0,
    primary key (kind, scope_id, slot)
);

-- Taking a message changes no indexed column, and half of each page is left free for its next version: the update then touches no
-- index at all and logs only what changed. Hence held_until beside turn_at, and end_state beside state, which is in no index.
-- See docs/decisions/0002-row-layout.md.
create table if not exists turno_inbox (
    id          bigint generated always as identity primary key,
    put_at      timestamptz not null,
    not_before  timestamptz,                        -- the wished moment, for rows that wait behind others in a lane
    lane_id     bigint,
    lane_seq    bigint,
    inbox_id    integer not null,
    class       smallint not null,                  -- 9 - priority: class 0 goes first
    state       varchar(9) collate "C" not null
                check (state in ('PENDING', 'DOING', 'DONE', 'DEAD', 'CANCELLED')),
    attempt     integer not null default 0,
    fence       bigint not null default 0,
    holder      bigint,
    held_until  timestamptz,                        -- when its holder's claim lapses; null: nobody has it
    turn_at     timestamptz,                        -- from this moment anyone may take it; null: never again
    finished_at timestamptz,
    end_state   varchar(9) collate "C",             -- DONE, DEAD or CANCELLED; null: it has not ended
    error       text,
    trace       varchar(1000),                      -- of whoever put it, for the tracing of the application; null: none
    message_id  varchar(200) collate "C" not null,
    body        text not null,
    unique (inbox_id, message_id)
) with (fillfactor = 50, vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index if not exists turno_inbox_turn on turno_inbox (inbox_id, class, turn_at, id) where turn_at is not null;
create index if not exists turno_inbox_end on turno_inbox (inbox_id, end_state, finished_at, id) where end_state is not null;
create index if not exists turno_inbox_lane on turno_inbox (lane_id, lane_seq) where lane_id is not null and end_state is null;
create index if not exists turno_inbox_lane_any on turno_inbox (lane_id) where lane_id is not null;

-- A named lock. Its row stays when it is released, so that its fence goes on from where it was. Nothing that changes is indexed:
-- the next version of a row then lands beside the old one and no index is touched.
create table if not exists turno_lock (
    id          bigint generated always as identity primary key,
    namespace   varchar(64) collate "C" not null,
    name        varchar(255) collate "C" not null,
    fence       bigint not null,                    -- grows at each taking, also from one row of this name to the next
    lease_id    bigint,                             -- drawn for each taking; null: released
    lease_us    bigint not null,                    -- what a renewal adds
    taken_at    timestamptz not null,
    expires_at  timestamptz not null,               -- from this moment anyone may take it
    holder      bigint not null,
    node        varchar(200) not null,
    service     varchar(100) not null,
    user_name   varchar(50) not null,
    unique (namespace, name)
) with (fillfactor = 50, vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The highest fence among rows that were removed: a name that comes back goes on from here.
create table if not exists turno_lock_floor (
    namespace   varchar(64) collate "C" primary key,
    fence       bigint not null
);

-- The locks under other column names, for those who read a table of this name before. Left out where that table is still there.
create or replace view TB_NSAR_BLOQUEO_DISTRIBUIDO as
select id as ID_BLOQUEO_DISTRIBUIDO, name as CH_LLAVE_BLOQUEO, concat(node, '/', holder) as CH_PROCESO_BLOQUEO,
       taken_at as FC_INICIO_BLOQUEO, expires_at as FC_EXPIRA_BLOQUEO,
       user_name as CH_USUARIO_MODIFICADOR, service as CH_NOMBRE_SERVICIO
  from turno_lock where lease_id is not null;

-- A buffer by name.
create table if not exists turno_buffer_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) collate "C" not null,
    buffer      varchar(100) collate "C" not null,
    unique (namespace, buffer)
);

-- One row per key of a buffer: the head of its messages, and what a holder claims. Adding locks it, so that the sequence is the order of the
-- commits. The newest messages wait (after greatest(done_to, flush_to)); before them may lie one burst that is being handed over.
create table if not exists turno_buffer (
    id          bigint generated always as identity primary key,
    buffer_id   integer not null,
    state       varchar(7) collate "C" not null check (state in ('IDLE', 'PENDING', 'DOING')),
    frozen      boolean not null default false,   -- a burst was taken and is not over: a retry hands over the very same messages
    attempt     integer not null default 0,
    revived     integer not null default 0,       -- dead bursts of this key that wait to be handed over again
    seq         bigint not null,                    -- of the newest message
    done_to     bigint not null default 0,        -- up to here all was handed over, or lies in dead bursts
    flush_from  bigint not null default 0,        -- the burst under way, or the last one: what comes after this ...
    flush_to    bigint not null default 0,        -- ... up to this
    waiting_bytes bigint not null,
    fence       bigint not null default 0,
    over_fence  bigint not null default 0,        -- the fence under which the last burst ended
    holder      bigint,
    held_until  timestamptz,                        -- when its holder's claim lapses; null: nobody has it
    turn_at     timestamptz,                        -- from this moment anyone may take it; null: nothing to hand over
    next_at     timestamptz,                        -- when the messages that wait are due; null: none waits
    latest_at   timestamptz,                        -- they are due no later than this, however long others follow
    idle_at     timestamptz,                        -- since when nothing waits and nobody has it
    error       text,
    buffer_key  varchar(200) collate "C" not null,
    unique (buffer_id, buffer_key)
) with (fillfactor = 50, vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index if not exists turno_buffer_turn on turno_buffer (buffer_id, turn_at, id) where turn_at is not null;
create index if not exists turno_buffer_idle on turno_buffer (buffer_id, idle_at) where idle_at is not null;

create table if not exists turno_buffer_message (
    header_id   bigint not null,
    seq         bigint not null,
    added_at    timestamptz not null,
    sent_at     timestamptz,                        -- by the sender's clock
    message_id  varchar(200) collate "C",
    type        varchar(50) not null,
    body        text not null,
    primary key (header_id, seq)
) with (vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The ids that were added, for longer than the messages: whoever sends one again finds it here.
create table if not exists turno_buffer_id (
    buffer_id   integer not null,
    buffer_key  varchar(200) collate "C" not null,
    message_id  varchar(200) collate "C" not null,
    added_at    timestamptz not null,
    primary key (buffer_id, buffer_key, message_id)
);
create index if not exists turno_buffer_id_added on turno_buffer_id (buffer_id, added_at);

-- Bursts that failed for good. Their messages stay where they are.
create table if not exists turno_buffer_dead (
    id          bigint generated always as identity primary key,
    buffer_id   integer not null,
    header_id   bigint not null,
    flush_from  bigint not null,
    flush_to    bigint not null,
    buffer_key  varchar(200) collate "C" not null,
    attempt     integer not null,
    dead_at     timestamptz not null,
    revived     boolean not null default false,   -- it waits to be handed over again
    error       text,
    unique (header_id, flush_to)
);
create index if not exists turno_buffer_dead_list on turno_buffer_dead (buffer_id, id);

-- A type of task by name, and what holds for it in the whole cluster: who is sharing its tasks out, and what the last one found.
create table if not exists turno_task_type (
    id             integer generated always as identity primary key,
    namespace      varchar(64) collate "C" not null,
    type           varchar(100) collate "C" not null,
    assigner       bigint,                          -- the holder that is sharing out now; null: nobody
    assigner_until timestamptz,                     -- from then on another may do it
    assigned_at    timestamptz,
    assigned       bigint not null default 0,       -- ever shared out
    assigned_us    bigint not null default 0,       -- how long the last sharing out took
    runners        bigint not null default 0,       -- a number made of the holders among whom it was shared out
    unique (namespace, type)
);

-- Which holders can run which types.
create table if not exists turno_task_runner (
    type_id        integer not null,
    holder         bigint not null,
    primary key (type_id, holder)
);

-- Work for an instant. Taking and arming change no indexed column, as in turno_inbox. Sharing out does: assigned_to, and turn_at,
-- which then lies a little after the instant, so that others pass over the task until its holder had the time to start it.
create table if not exists turno_task (
    id             bigint generated always as identity primary key,
    put_at         timestamptz not null,
    task_at        timestamptz not null,            -- its own instant; it is never started before
    lane_id        bigint,
    schedule_id    bigint,
    type_id        integer not null,
    class          smallint not null,               -- 9 - priority: class 0 goes first
    state          varchar(9) collate "C" not null
                   check (state in ('PENDING', 'ASSIGNED', 'DOING', 'DONE', 'DEAD', 'CANCELLED')),
    attempt        integer not null default 0,
    fence          bigint not null default 0,
    holder         bigint,
    held_until     timestamptz,                     -- when its holder's claim lapses; null: nobody has it
    turn_at        timestamptz,                     -- from this moment anyone may take it; null: never again
    assigned_to    bigint,                          -- the holder in whose share it is, or was
    finished_at    timestamptz,
    end_state      varchar(9) collate "C",          -- DONE, DEAD or CANCELLED; null: it has not ended
    error          text,
    task_key       varchar(200) collate "C",
    body           text not null
) with (fillfactor = 50, vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create unique index if not exists turno_task_key on turno_task (type_id, task_key) where task_key is not null;
create index if not exists turno_task_turn on turno_task (type_id, class, turn_at, id) where turn_at is not null;
create index if not exists turno_task_share on turno_task (type_id, assigned_to, task_at, id) where turn_at is not null;
create index if not exists turno_task_end on turno_task (type_id, end_state, finished_at, id) where end_state is not null;
create index if not exists turno_task_lane on turno_task (lane_id, end_state, task_at, id) where lane_id is not null;

-- A cron line. The cursor is the name of the last run that was made into a task, and outlives the task.
create table if not exists turno_schedule (
    id             bigint generated always as identity primary key,
    namespace      varchar(64) collate "C" not null,
    schedule       varchar(100) collate "C" not null,
    type_id        integer not null,
    class          smallint not null,
    cron           varchar(200) not null,
    zone           varchar(100) not null,
    missed         varchar(10) not null check (missed in ('SKIP', 'ONCE', 'ALL')),
    missed_limit   integer not null,
    paused         boolean not null default false,
    cursor_name    varchar(60),                     -- null: none yet, counted from since_at
    since_at       timestamptz not null,
    next_at        timestamptz,                     -- when the next run is; null: paused
    body           text not null,
    unique (namespace, schedule)
);
create index if not exists turno_schedule_next on turno_schedule (namespace, next_at);

-- What holds for the runs of a namespace in the whole cluster. Rows refer to it by number. Submitting locks it: the queue is counted.
create table if not exists turno_run_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) collate "C" not null,
    concurrency integer not null default 4,
    max_queued  integer not null default 32,
    paused      boolean not null default false,
    unique (namespace)
);

-- One execution of a job. Taking it and each of its checkpoints change no indexed column: see docs/decisions/0002-row-layout.md.
create table if not exists turno_run (
    id              bigint generated always as identity primary key,
    scope_id        integer not null,
    submitted_at    timestamptz not null,
    not_before      timestamptz not null,
    lanes_ahead     integer not null,               -- in so many of its lanes somebody is ahead of it; its turn comes at 0
    state           varchar(9) collate "C" not null
                    check (state in ('PENDING', 'PARKED', 'DOING', 'DONE', 'STOPPED', 'DEAD', 'CANCELLED')),
    attempt         integer not null default 0,     -- takings since the last checkpoint
    fence           bigint not null default 0,
    holder          bigint,
    held_until      timestamptz,                    -- when its holder's claim lapses, moved by each checkpoint; null: nobody has it
    turn_at         timestamptz,                    -- from this moment anyone may take it; null: never again
    started_at      timestamptz,
    taken_at        timestamptz,
    checkpoint_at   timestamptz,
    stop_at         timestamptz,                    -- somebody wishes it to stop
    completed       bigint not null default 0,
    taken_completed bigint not null default 0,      -- what was completed before the last taking
    skipped         bigint not null default 0,
    letters         bigint not null default 0,      -- items parked in turno_run_letter by this run
    total           bigint,
    log_lines       integer not null default 0,
    finished_at     timestamptz,
    end_state       varchar(9) collate "C",           -- DONE, STOPPED, DEAD or CANCELLED; null: it has not ended
    incremental     boolean not null,
    job             varchar(100) collate "C" not null,
    subject         varchar(200) collate "C",
    action          varchar(100) collate "C",
    first_id        bigint,                         -- the first run of its chain
    revives         bigint,                         -- the run whose parked items it takes up again
    lanes           text not null,
    parameters      text not null,
    chain           text not null,
    cursor_text     text,
    error           text
) with (fillfactor = 50, vacuum_truncate = off,
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index if not exists turno_run_turn on turno_run (scope_id, turn_at, id) where turn_at is not null;
create index if not exists turno_run_end on turno_run (scope_id, end_state, finished_at, id) where end_state is not null;
create index if not exists turno_run_subject on turno_run (scope_id, subject, id) where subject is not null;

-- Who stands in which lane, while it waits or runs.
create table if not exists turno_run_lane (
    lane_id     bigint not null,
    lane_seq    bigint not null,
    run_id      bigint not null,
    place       integer not null,                   -- the order of the lanes' names, in which everybody locks them
    primary key (lane_id, lane_seq)
);
create index if not exists turno_run_lane_run on turno_run_lane (run_id);

-- Items that failed for good, by key, for a later run to take up again.
create table if not exists turno_run_letter (
    id          bigint generated always as identity primary key,
    run_id      bigint not null,
    item_key    text collate "C" not null,
    error       text not null,
    parked_at   timestamptz not null
);
create index if not exists turno_run_letter_run on turno_run_letter (run_id, id);

create table if not exists turno_run_log (
    id          bigint generated always as identity primary key,
    run_id      bigint not null,
    logged_at   timestamptz not null,
    line        varchar(1000) not null
);
create index if not exists turno_run_log_run on turno_run_log (run_id, id);

-- When a subject's actions run.
create table if not exists turno_action_schedule (
    id          bigint generated always as identity primary key,
    namespace   varchar(64) collate "C" not null,
    subject     varchar(200) collate "C" not null,
    schedule    varchar(200) not null,
    next_at     timestamptz,                    -- null: never again
    unique (namespace, subject)
);
create index if not exists turno_action_schedule_next on turno_action_schedule (namespace, next_at);

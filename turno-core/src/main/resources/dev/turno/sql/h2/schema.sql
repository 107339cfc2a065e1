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
    trace       varchar(1000),                      -- of whoever put it, for the tracing of the application; null: none
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

-- The locks under other column names, for those who read a table of this name before. Left out where that table is still there.
create or replace view TB_NSAR_BLOQUEO_DISTRIBUIDO as
select id as ID_BLOQUEO_DISTRIBUIDO, name as CH_LLAVE_BLOQUEO, concat(node, '/', holder) as CH_PROCESO_BLOQUEO,
       taken_at as FC_INICIO_BLOQUEO, expires_at as FC_EXPIRA_BLOQUEO,
       user_name as CH_USUARIO_MODIFICADOR, service as CH_NOMBRE_SERVICIO
  from turno_lock where lease_id is not null;

-- A buffer by name.
create table if not exists turno_buffer_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) not null,
    buffer      varchar(100) not null,
    unique (namespace, buffer)
);

-- One row per key of a buffer: the head of its messages, and what a holder claims. Adding locks it, so that the sequence is the order of the
-- commits. The newest messages wait (after greatest(done_to, flush_to)); before them may lie one burst that is being handed over.
create table if not exists turno_buffer (
    id          bigint generated always as identity primary key,
    buffer_id   integer not null,
    state       varchar(7) not null check (locate(',' || state || ',', ',IDLE,PENDING,DOING,') > 0),
    frozen      boolean default false not null,   -- a burst was taken and is not over: a retry hands over the very same messages
    attempt     integer default 0 not null,
    revived     integer default 0 not null,       -- dead bursts of this key that wait to be handed over again
    seq         bigint not null,                    -- of the newest message
    done_to     bigint default 0 not null,        -- up to here all was handed over, or lies in dead bursts
    flush_from  bigint default 0 not null,        -- the burst under way, or the last one: what comes after this ...
    flush_to    bigint default 0 not null,        -- ... up to this
    waiting_bytes bigint not null,
    fence       bigint default 0 not null,
    over_fence  bigint default 0 not null,        -- the fence under which the last burst ended
    holder      bigint,
    held_until  timestamp(6) with time zone,        -- when its holder's claim lapses; null: nobody has it
    turn_at     timestamp(6) with time zone,        -- from this moment anyone may take it; null: nothing to hand over
    next_at     timestamp(6) with time zone,        -- when the messages that wait are due; null: none waits
    latest_at   timestamp(6) with time zone,        -- they are due no later than this, however long others follow
    idle_at     timestamp(6) with time zone,        -- since when nothing waits and nobody has it
    error       varchar(10000),
    buffer_key  varchar(200) not null,
    unique (buffer_id, buffer_key)
);
create index if not exists turno_buffer_turn on turno_buffer (buffer_id, turn_at, id);
create index if not exists turno_buffer_idle on turno_buffer (buffer_id, idle_at);

create table if not exists turno_buffer_message (
    header_id   bigint not null,
    seq         bigint not null,
    added_at    timestamp(6) with time zone not null,
    sent_at     timestamp(6) with time zone,        -- by the sender's clock
    message_id  varchar(200),
    type        varchar(50) not null,
    body        varchar(1048576) not null,
    primary key (header_id, seq)
);

-- The ids that were added, for longer than the messages: whoever sends one again finds it here.
create table if not exists turno_buffer_id (
    buffer_id   integer not null,
    buffer_key  varchar(200) not null,
    message_id  varchar(200) not null,
    added_at    timestamp(6) with time zone not null,
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
    buffer_key  varchar(200) not null,
    attempt     integer not null,
    dead_at     timestamp(6) with time zone not null,
    revived     boolean default false not null,   -- it waits to be handed over again
    error       varchar(10000),
    unique (header_id, flush_to)
);
create index if not exists turno_buffer_dead_list on turno_buffer_dead (buffer_id, id);

-- A type of task by name, and what holds for it in the whole cluster: who is sharing its tasks out, and what the last one found.
create table if not exists turno_task_type (
    id             integer generated always as identity primary key,
    namespace      varchar(64) not null,
    type           varchar(100) not null,
    assigner       bigint,                          -- the holder that is sharing out now; null: nobody
    assigner_until timestamp(6) with time zone,                     -- from then on another may do it
    assigned_at    timestamp(6) with time zone,
    assigned       bigint default 0 not null,       -- ever shared out
    assigned_us    bigint default 0 not null,       -- how long the last sharing out took
    runners        bigint default 0 not null,       -- a number made of the holders among whom it was shared out
    unique (namespace, type)
);

-- Which holders can run which types.
create table if not exists turno_task_runner (
    type_id        integer not null,
    holder         bigint not null,
    primary key (type_id, holder)
);

-- Work for an instant. Sharing it out sets assigned_to, and moves turn_at, which then lies a little after the instant, so that
-- others pass over the task until its holder had the time to start it.
create table if not exists turno_task (
    id             bigint generated always as identity primary key,
    put_at         timestamp(6) with time zone not null,
    task_at        timestamp(6) with time zone not null,            -- its own instant; it is never started before
    lane_id        bigint,
    schedule_id    bigint,
    type_id        integer not null,
    class          smallint not null,               -- 9 - priority: class 0 goes first
    state          varchar(9) not null
                   check (locate(',' || state || ',', ',PENDING,ASSIGNED,DOING,DONE,DEAD,CANCELLED,') > 0),
    attempt        integer default 0 not null,
    fence          bigint default 0 not null,
    holder         bigint,
    held_until     timestamp(6) with time zone,                     -- when its holder's claim lapses; null: nobody has it
    turn_at        timestamp(6) with time zone,                     -- from this moment anyone may take it; null: never again
    assigned_to    bigint,                          -- the holder in whose share it is, or was
    finished_at    timestamp(6) with time zone,
    end_state      varchar(9),          -- DONE, DEAD or CANCELLED; null: it has not ended
    error          varchar(10000),
    task_key       varchar(200),
    body           varchar(1048576) not null
);
create unique index if not exists turno_task_key on turno_task (type_id, task_key);
create index if not exists turno_task_turn on turno_task (type_id, class, turn_at, id);
create index if not exists turno_task_share on turno_task (type_id, assigned_to, task_at, id);
create index if not exists turno_task_end on turno_task (type_id, end_state, finished_at, id);
create index if not exists turno_task_lane on turno_task (lane_id, end_state, task_at, id);

-- A cron line. The cursor is the name of the last run that was made into a task, and outlives the task.
create table if not exists turno_schedule (
    id             bigint generated always as identity primary key,
    namespace      varchar(64) not null,
    schedule       varchar(100) not null,
    type_id        integer not null,
    class          smallint not null,
    cron           varchar(200) not null,
    zone           varchar(100) not null,
    missed         varchar(10) not null check (locate(',' || missed || ',', ',SKIP,ONCE,ALL,') > 0),
    missed_limit   integer not null,
    paused         boolean default false not null,
    cursor_name    varchar(60),                     -- null: none yet, counted from since_at
    since_at       timestamp(6) with time zone not null,
    next_at        timestamp(6) with time zone,                     -- when the next run is; null: paused
    body           varchar(1048576) not null,
    unique (namespace, schedule)
);
create index if not exists turno_schedule_next on turno_schedule (namespace, next_at);

-- What holds for the runs of a namespace in the whole cluster. Rows refer to it by number. Submitting locks it: the queue is counted.
create table if not exists turno_run_setting (
    id          integer generated always as identity primary key,
    namespace   varchar(64) not null,
    concurrency integer default 4 not null,
    max_queued  integer default 32 not null,
    paused      boolean default false not null,
    unique (namespace)
);

-- One execution of a job. Taking it and each of its checkpoints change no indexed column: see docs/decisions/0002-row-layout.md.
create table if not exists turno_run (
    id              bigint generated always as identity primary key,
    scope_id        integer not null,
    submitted_at    timestamp(6) with time zone not null,
    not_before      timestamp(6) with time zone not null,
    lanes_ahead     integer not null,               -- in so many of its lanes somebody is ahead of it; its turn comes at 0
    state           varchar(9) not null
                    check (locate(',' || state || ',', ',PENDING,PARKED,DOING,DONE,STOPPED,DEAD,CANCELLED,') > 0),
    attempt         integer default 0 not null,     -- takings since the last checkpoint
    fence           bigint default 0 not null,
    holder          bigint,
    held_until      timestamp(6) with time zone,                    -- when its holder's claim lapses, moved by each checkpoint; null: nobody has it
    turn_at         timestamp(6) with time zone,                    -- from this moment anyone may take it; null: never again
    started_at      timestamp(6) with time zone,
    taken_at        timestamp(6) with time zone,
    checkpoint_at   timestamp(6) with time zone,
    stop_at         timestamp(6) with time zone,                    -- somebody wishes it to stop
    completed       bigint default 0 not null,
    taken_completed bigint default 0 not null,      -- what was completed before the last taking
    skipped         bigint default 0 not null,
    letters         bigint default 0 not null,      -- items parked in turno_run_letter by this run
    total           bigint,
    log_lines       integer default 0 not null,
    finished_at     timestamp(6) with time zone,
    end_state       varchar(9),           -- DONE, STOPPED, DEAD or CANCELLED; null: it has not ended
    incremental     boolean not null,
    job             varchar(100) not null,
    subject         varchar(200),
    action          varchar(100),
    first_id        bigint,                         -- the first run of its chain
    revives         bigint,                         -- the run whose parked items it takes up again
    lanes           varchar(100000) not null,
    parameters      varchar(100000) not null,
    chain           varchar(100000) not null,
    cursor_text     varchar(100000),
    error           varchar(100000)
);
create index if not exists turno_run_turn on turno_run (scope_id, turn_at, id);
create index if not exists turno_run_end on turno_run (scope_id, end_state, finished_at, id);
create index if not exists turno_run_subject on turno_run (scope_id, subject, id);

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
    item_key    varchar(4000) not null,
    error       varchar(100000) not null,
    parked_at   timestamp(6) with time zone not null
);
create index if not exists turno_run_letter_run on turno_run_letter (run_id, id);

create table if not exists turno_run_log (
    id          bigint generated always as identity primary key,
    run_id      bigint not null,
    logged_at   timestamp(6) with time zone not null,
    line        varchar(1000) not null
);
create index if not exists turno_run_log_run on turno_run_log (run_id, id);

-- When a subject's actions run.
create table if not exists turno_action_schedule (
    id          bigint generated always as identity primary key,
    namespace   varchar(64) not null,
    subject     varchar(200) not null,
    schedule    varchar(200) not null,
    next_at     timestamp(6) with time zone,                    -- null: never again
    unique (namespace, subject)
);
create index if not exists turno_action_schedule_next on turno_action_schedule (namespace, next_at);

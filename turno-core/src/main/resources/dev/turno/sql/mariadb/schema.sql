-- The schema of Turno for MariaDB. Each statement may be run again without harm.
-- version: 1

-- One row per running process. Renewing it keeps everything that the process holds.
create table if not exists turno_holder (
    id          bigint primary key,
    namespace   varchar(64) not null,
    node        varchar(200) not null,
    started_at  datetime(6) not null,
    lease_until datetime(6) not null,
    reaped_at   datetime(6)                         -- set by whoever finds it lapsed; from then on it can take nothing
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- An inbox by name. Rows refer to it by number, which keeps them and their indexes small.
create table if not exists turno_inbox_setting (
    id          integer auto_increment primary key,
    namespace   varchar(64) not null,
    inbox       varchar(100) not null,
    paused      boolean not null default false,
    concurrency integer,                            -- null: no limit in the cluster
    unique (namespace, inbox)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- A name under which at most one thing runs, with the sequence that orders what waits for it.
create table if not exists turno_lane (
    id          bigint auto_increment primary key,
    kind        varchar(10) not null,
    scope_id    bigint not null,
    lane        varchar(200) not null,
    next_seq    bigint not null,
    head_id     bigint,                             -- the row whose turn it is; null: nobody's
    used_at     datetime(6) not null,
    unique (kind, scope_id, lane)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- One of K places. It is free when the claim it names is over; nothing has to be given back.
create table if not exists turno_slot (
    kind        varchar(10) not null,
    scope_id    bigint not null,
    slot        integer not null,
    row_id      bigint not null default 0,
    fence       bigint not null default 0,
    primary key (kind, scope_id, slot)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists turno_inbox (
    id          bigint auto_increment primary key,
    inbox_id    integer not null,
    message_id  varchar(200) not null,
    class       smallint not null,                  -- 9 - priority: class 0 goes first
    state       varchar(9) not null
                check (state in ('PENDING', 'DOING', 'DONE', 'DEAD', 'CANCELLED')),
    turn_at     datetime(6),                        -- from this moment anyone may take it; null: never again
    fence       bigint not null default 0,
    attempt     integer not null default 0,
    holder      bigint,
    held_until  datetime(6),                        -- when its holder's claim lapses; null: nobody has it
    put_at      datetime(6) not null,
    finished_at datetime(6),
    end_state   varchar(9),                         -- DONE, DEAD or CANCELLED; null: it has not ended
    not_before  datetime(6),                        -- the wished moment, for rows that wait behind others in a lane
    lane_id     bigint,
    lane_seq    bigint,
    error       mediumtext,
    trace       varchar(1000),                      -- of whoever put it, for the tracing of the application; null: none
    body        longtext not null,
    unique (inbox_id, message_id),
    index turno_inbox_turn (inbox_id, class, turn_at, id),
    index turno_inbox_end (inbox_id, end_state, finished_at, id),
    index turno_inbox_lane (lane_id, end_state, lane_seq)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- A named lock. Its row stays when it is released, so that its fence goes on from where it was. Nothing that changes is indexed.
create table if not exists turno_lock (
    id          bigint auto_increment primary key,
    namespace   varchar(64) not null,
    name        varchar(255) not null,
    fence       bigint not null,                    -- grows at each taking, also from one row of this name to the next
    lease_id    bigint,                             -- drawn for each taking; null: released
    lease_us    bigint not null,                    -- what a renewal adds
    taken_at    datetime(6) not null,
    expires_at  datetime(6) not null,               -- from this moment anyone may take it
    holder      bigint not null,
    node        varchar(200) not null,
    service     varchar(100) not null,
    user_name   varchar(50) not null,
    unique (namespace, name)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The highest fence among rows that were removed: a name that comes back goes on from here.
create table if not exists turno_lock_floor (
    namespace   varchar(64) primary key,
    fence       bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The locks under other column names, for those who read a table of this name before. Left out where that table is still there.
create or replace view TB_NSAR_BLOQUEO_DISTRIBUIDO as
select id as ID_BLOQUEO_DISTRIBUIDO, name as CH_LLAVE_BLOQUEO, concat(node, '/', holder) as CH_PROCESO_BLOQUEO,
       taken_at as FC_INICIO_BLOQUEO, expires_at as FC_EXPIRA_BLOQUEO,
       user_name as CH_USUARIO_MODIFICADOR, service as CH_NOMBRE_SERVICIO
  from turno_lock where lease_id is not null;

-- A buffer by name.
create table if not exists turno_buffer_setting (
    id          integer auto_increment primary key,
    namespace   varchar(64) not null,
    buffer      varchar(100) not null,
    unique (namespace, buffer)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- One row per key of a buffer: the head of its messages, and what a holder claims. Adding locks it, so that the sequence is the order of the
-- commits. The newest messages wait (after greatest(done_to, flush_to)); before them may lie one burst that is being handed over.
create table if not exists turno_buffer (
    id          bigint auto_increment primary key,
    buffer_id   integer not null,
    state       varchar(7) not null check (state in ('IDLE', 'PENDING', 'DOING')),
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
    held_until  datetime(6),                        -- when its holder's claim lapses; null: nobody has it
    turn_at     datetime(6),                        -- from this moment anyone may take it; null: nothing to hand over
    next_at     datetime(6),                        -- when the messages that wait are due; null: none waits
    latest_at   datetime(6),                        -- they are due no later than this, however long others follow
    idle_at     datetime(6),                        -- since when nothing waits and nobody has it
    error       mediumtext,
    buffer_key  varchar(200) not null,
    unique (buffer_id, buffer_key),
    index turno_buffer_turn (buffer_id, turn_at, id),
    index turno_buffer_idle (buffer_id, idle_at)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists turno_buffer_message (
    header_id   bigint not null,
    seq         bigint not null,
    added_at    datetime(6) not null,
    sent_at     datetime(6),                        -- by the sender's clock
    message_id  varchar(200),
    type        varchar(50) not null,
    body        longtext not null,
    primary key (header_id, seq)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- The ids that were added, for longer than the messages: whoever sends one again finds it here.
create table if not exists turno_buffer_id (
    buffer_id   integer not null,
    buffer_key  varchar(200) not null,
    message_id  varchar(200) not null,
    added_at    datetime(6) not null,
    add_mark    bigint not null,                    -- by which an add knows the ids that it wrote itself
    primary key (buffer_id, buffer_key, message_id),
    index turno_buffer_id_added (buffer_id, added_at)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Bursts that failed for good. Their messages stay where they are.
create table if not exists turno_buffer_dead (
    id          bigint auto_increment primary key,
    buffer_id   integer not null,
    header_id   bigint not null,
    flush_from  bigint not null,
    flush_to    bigint not null,
    buffer_key  varchar(200) not null,
    attempt     integer not null,
    dead_at     datetime(6) not null,
    revived     boolean not null default false,   -- it waits to be handed over again
    error       mediumtext,
    unique (header_id, flush_to),
    index turno_buffer_dead_list (buffer_id, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- A type of task by name, and what holds for it in the whole cluster: who is sharing its tasks out, and what the last one found.
create table if not exists turno_task_type (
    id             integer auto_increment primary key,
    namespace      varchar(64) not null,
    type           varchar(100) not null,
    assigner       bigint,                          -- the holder that is sharing out now; null: nobody
    assigner_until datetime(6),                     -- from then on another may do it
    assigned_at    datetime(6),
    assigned       bigint not null default 0,       -- ever shared out
    assigned_us    bigint not null default 0,       -- how long the last sharing out took
    runners        bigint not null default 0,       -- a number made of the holders among whom it was shared out
    unique (namespace, type)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Which holders can run which types.
create table if not exists turno_task_runner (
    type_id        integer not null,
    holder         bigint not null,
    primary key (type_id, holder)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Work for an instant. Sharing it out sets assigned_to, and moves turn_at, which then lies a little after the instant, so that
-- others pass over the task until its holder had the time to start it.
create table if not exists turno_task (
    id             bigint auto_increment primary key,
    put_at         datetime(6) not null,
    task_at        datetime(6) not null,            -- its own instant; it is never started before
    lane_id        bigint,
    schedule_id    bigint,
    type_id        integer not null,
    class          smallint not null,               -- 9 - priority: class 0 goes first
    state          varchar(9) not null
                   check (state in ('PENDING', 'ASSIGNED', 'DOING', 'DONE', 'DEAD', 'CANCELLED')),
    attempt        integer not null default 0,
    fence          bigint not null default 0,
    holder         bigint,
    held_until     datetime(6),                     -- when its holder's claim lapses; null: nobody has it
    turn_at        datetime(6),                     -- from this moment anyone may take it; null: never again
    assigned_to    bigint,                          -- the holder in whose share it is, or was
    finished_at    datetime(6),
    end_state      varchar(9),          -- DONE, DEAD or CANCELLED; null: it has not ended
    error          mediumtext,
    task_key       varchar(200),
    body           longtext not null,
    unique index turno_task_key (type_id, task_key),
    index turno_task_turn (type_id, class, turn_at, id),
    index turno_task_share (type_id, assigned_to, task_at, id),
    index turno_task_end (type_id, end_state, finished_at, id),
    index turno_task_lane (lane_id, end_state, task_at, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- A cron line. The cursor is the name of the last run that was made into a task, and outlives the task.
create table if not exists turno_schedule (
    id             bigint auto_increment primary key,
    namespace      varchar(64) not null,
    schedule       varchar(100) not null,
    type_id        integer not null,
    class          smallint not null,
    cron           varchar(200) not null,
    zone           varchar(100) not null,
    missed         varchar(10) not null check (missed in ('SKIP', 'ONCE', 'ALL')),
    missed_limit   integer not null,
    paused         boolean not null default false,
    cursor_name    varchar(60),                     -- null: none yet, counted from since_at
    since_at       datetime(6) not null,
    next_at        datetime(6),                     -- when the next run is; null: paused
    body           longtext not null,
    unique (namespace, schedule),
    index turno_schedule_next (namespace, next_at)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What holds for the runs of a namespace in the whole cluster. Rows refer to it by number. Submitting locks it: the queue is counted.
create table if not exists turno_run_setting (
    id          integer auto_increment primary key,
    namespace   varchar(64) not null,
    concurrency integer not null default 4,
    max_queued  integer not null default 32,
    paused      boolean not null default false,
    unique (namespace)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- One execution of a job. Taking it and each of its checkpoints change no indexed column: see docs/decisions/0002-row-layout.md.
create table if not exists turno_run (
    id              bigint auto_increment primary key,
    scope_id        integer not null,
    submitted_at    datetime(6) not null,
    not_before      datetime(6) not null,
    lanes_ahead     integer not null,               -- in so many of its lanes somebody is ahead of it; its turn comes at 0
    state           varchar(9) not null
                    check (state in ('PENDING', 'PARKED', 'DOING', 'DONE', 'STOPPED', 'DEAD', 'CANCELLED')),
    attempt         integer not null default 0,     -- takings since the last checkpoint
    fence           bigint not null default 0,
    holder          bigint,
    held_until      datetime(6),                    -- when its holder's claim lapses, moved by each checkpoint; null: nobody has it
    turn_at         datetime(6),                    -- from this moment anyone may take it; null: never again
    started_at      datetime(6),
    taken_at        datetime(6),
    checkpoint_at   datetime(6),
    stop_at         datetime(6),                    -- somebody wishes it to stop
    completed       bigint not null default 0,
    taken_completed bigint not null default 0,      -- what was completed before the last taking
    skipped         bigint not null default 0,
    letters         bigint not null default 0,      -- items parked in turno_run_letter by this run
    total           bigint,
    log_lines       integer not null default 0,
    finished_at     datetime(6),
    end_state       varchar(9),           -- DONE, STOPPED, DEAD or CANCELLED; null: it has not ended
    incremental     boolean not null,
    job             varchar(100) not null,
    subject         varchar(200),
    action          varchar(100),
    first_id        bigint,                         -- the first run of its chain
    revives         bigint,                         -- the run whose parked items it takes up again
    lanes           mediumtext not null,
    parameters      mediumtext not null,
    chain           mediumtext not null,
    cursor_text     mediumtext,
    error           mediumtext,
    index turno_run_turn (scope_id, turn_at, id),
    index turno_run_end (scope_id, end_state, finished_at, id),
    index turno_run_subject (scope_id, subject, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Who stands in which lane, while it waits or runs.
create table if not exists turno_run_lane (
    lane_id     bigint not null,
    lane_seq    bigint not null,
    run_id      bigint not null,
    place       integer not null,                   -- the order of the lanes' names, in which everybody locks them
    primary key (lane_id, lane_seq),
    index turno_run_lane_run (run_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Items that failed for good, by key, for a later run to take up again.
create table if not exists turno_run_letter (
    id          bigint auto_increment primary key,
    run_id      bigint not null,
    item_key    text not null,
    error       mediumtext not null,
    parked_at   datetime(6) not null,
    index turno_run_letter_run (run_id, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists turno_run_log (
    id          bigint auto_increment primary key,
    run_id      bigint not null,
    logged_at   datetime(6) not null,
    line        varchar(1000) not null,
    index turno_run_log_run (run_id, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- When a subject's actions run.
create table if not exists turno_action_schedule (
    id          bigint auto_increment primary key,
    namespace   varchar(64) not null,
    subject     varchar(200) not null,
    schedule    varchar(200) not null,
    next_at     datetime(6),                    -- null: never again
    unique (namespace, subject),
    index turno_action_schedule_next (namespace, next_at)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

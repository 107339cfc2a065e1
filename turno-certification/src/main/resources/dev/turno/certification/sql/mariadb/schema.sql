-- The tables of the certification service for MariaDB. Each statement may be run again without harm.

-- Values that all instances share and nobody chooses, such as the key of the names of locks.
create table if not exists turno_certification_setting (
    name        varchar(40) primary key,
    content     varchar(200) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- One row per request that was begun. It stays for the days in which a repetition is answered with the stored answer.
create table if not exists turno_certification (
    id          bigint auto_increment primary key,
    folio_id    char(64) not null,           -- who, what and the folio, hashed
    key_id      char(64),                    -- who, what and the Idempotency-Key, hashed; null: none was sent
    fingerprint char(64) not null,           -- of the business fields
    state       varchar(11) not null
                check (state in ('IN_PROGRESS', 'COMPLETED', 'RETRYABLE', 'AMBIGUOUS')),
    fence       bigint not null,                     -- of the lock under which it was written last
    open_guard  char(64),                    -- the lock's name while nobody knows how it ends; else null
    folio       varchar(30) not null,
    afore       char(3) not null,
    benefit     char(2) not null,
    answer      mediumtext,                         -- JSON, personal data: replays, notifications; the dashboard reads its codes alone
    begun_at    datetime(6) not null,
    sent_at     datetime(6),                           -- committed before an authority outside is asked
    ended_at    datetime(6),
    constraint turno_certification_folio unique (folio_id),
    constraint turno_certification_key unique (key_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_certification_open on turno_certification (open_guard);
create index if not exists turno_certification_ended on turno_certification (ended_at);

-- Days on which a calendar differs from its rules.
create table if not exists turno_certification_day (
    calendar    varchar(10) not null,
    on_day      date not null,
    open_day    boolean not null,
    reason      varchar(200) not null,
    reference   varchar(200) not null,
    primary key (calendar, on_day)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Codes that requests may use, and when. A catalogue without a row is not checked.
create table if not exists turno_certification_code (
    catalog     varchar(30) not null,
    code        varchar(30) not null,
    meaning     varchar(200) not null,
    valid_from  date not null,
    valid_to    date,                                -- the last day; null: until further notice
    primary key (catalog, code, valid_from)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What the embedded authority knows about people ...
create table if not exists turno_certification_worker (
    nss         char(11) primary key,
    curp        char(18) not null,
    given_names varchar(40) not null,
    surname     varchar(40) not null,
    second_surname varchar(40) not null,
    opened_on   date not null,                       -- the account
    weeks       integer not null,                    -- of contributions
    left_on     date,                                -- the last job; null: employed
    married_on  date,
    last_wage   decimal(12, 2) not null,             -- base for contributions, daily: the last one ...
    mean_wage   decimal(12, 2) not null,             -- ... and the mean of the last 250 weeks
    balance     decimal(14, 2) not null,
    delegation  char(2) not null,
    subdelegation char(2) not null,
    clinic      char(3) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- ... and what it resolved. It stays for ever: the rules look years back.
create table if not exists turno_certification_resolution (
    folio_id    char(64) primary key,             -- of the decision: the folio, the worker and the day, hashed
    nss         char(11) not null,
    benefit     char(2) not null,
    resolved_on date not null,
    amount      decimal(14, 2) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists turno_certification_resolved on turno_certification_resolution (nss, benefit, resolved_on);

-- What the servers know about inboxes, buffers and task types beyond the engine: options, and where their handlers live.
-- Each statement may be run again without harm.

-- name: version-1
create table if not exists turno_target (
    namespace      varchar(64) collate "C" not null,
    kind           varchar(10) collate "C" not null,
    name           varchar(100) collate "C" not null,
    options        text not null,                    -- JSON, option to text
    url            varchar(2000),                  -- null: nobody is posted to
    timeout_ms     bigint,
    secret         varchar(500),                   -- sealed, if the servers have a key to seal with
    previous       varchar(500),                   -- the secret before it, while receivers may still use that
    previous_until timestamptz,
    changed_at     timestamptz not null,
    primary key (namespace, kind, name)
);

-- name: list
select kind, name, options, url, timeout_ms, secret, case when previous_until > {now} then previous end as previous
  from turno_target where namespace = :namespace
 order by kind, name limit :limit;

-- name: insert
insert into turno_target (namespace, kind, name, options, url, timeout_ms, secret, changed_at)
values (:namespace, :kind, :name, :options, :url, :timeout_ms, :secret, {now});

-- name: update
-- A secret that is replaced goes on being used beside the new one for a while; one that stays leaves things as they are.
update turno_target
   set options = :options, url = :url, timeout_ms = :timeout_ms,
       previous = case when :rotated then secret when cast(:secret as text) is null then null else previous end,
       previous_until = case when :rotated then {now} + :overlap_ms * interval '1 millisecond' when cast(:secret as text) is null then null else previous_until end,
       secret = :secret, changed_at = {now}
 where namespace = :namespace and kind = :kind and name = :name;

-- name: delete
delete from turno_target where namespace = :namespace and kind = :kind and name = :name;

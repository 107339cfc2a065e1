-- name: token-check
-- Fails unless the table is there as this version knows it.
select parent_id from turno_token where 1 = 0;

-- name: audit-check
select details from turno_audit where 1 = 0;

-- name: history-check
select longest_ms from turno_history where 1 = 0;

-- name: failure-check
select failed_at from turno_failure where 1 = 0;

-- name: token-by-hash
-- A session is good as long as the token is that its person signed in with.
select t.id, t.name, t.role, t.afore, t.hash, t.parent_id
  from turno_token t
 where t.namespace = :namespace and t.hash = :hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > current_timestamp(6))
   and (t.parent_id is null
        or exists (select 1 from turno_token p
                    where p.id = t.parent_id and p.revoked_at is null and (p.expires_at is null or p.expires_at > current_timestamp(6))));

-- name: token-add
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, current_timestamp(6), :created_by, null);

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, current_timestamp(6), :created_by, dateadd(second, :seconds, current_timestamp(6)));

-- name: token-exists
select count(*) from turno_token where namespace = :namespace and hash = :hash;

-- name: token-admins
select count(*) from turno_token where namespace = :namespace and role = 'admin' and not is_session and revoked_at is null and (expires_at is null or expires_at > current_timestamp(6));

-- name: token-list
select id, name, role, afore, created_by, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', created_at) as created_us, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', expires_at) as expires_us,
       datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', revoked_at) as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-revoke
update turno_token set revoked_at = current_timestamp(6) where namespace = :namespace and id = :id and revoked_at is null;

-- name: token-prune
delete from turno_token where namespace = :namespace and is_session and expires_at < dateadd(day, -1, current_timestamp(6));

-- name: audit-add
insert into turno_audit (namespace, begun_at, who, role, address, action, why)
values (:namespace, current_timestamp(6), :who, :role, :address, :action, :why);

-- name: audit-end
update turno_audit set status = :status, why = coalesce(why, :why), details = :details where id = :id;

-- name: audit-list
select id, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', begun_at) as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
delete from turno_audit where namespace = :namespace and begun_at < dateadd(day, -400, current_timestamp(6));

-- name: history-add
merge into turno_history t
using (select cast(:namespace as varchar(64)) as namespace, cast(:who as varchar(150)) as who, cast(:step as integer) as step_s,
              cast(floor(extract(epoch from current_timestamp) / cast(:step as integer)) as bigint) * cast(:step as integer) as slot_s,
              cast(:done as bigint) as done, cast(:again as bigint) as again, cast(:dead as bigint) as dead,
              cast(:spent as bigint) as spent_ms, cast(:longest as bigint) as longest_ms) v
   on (t.namespace = v.namespace and t.who = v.who and t.step_s = v.step_s and t.slot_s = v.slot_s)
 when matched then update set done = t.done + v.done, again = t.again + v.again, dead = t.dead + v.dead,
      spent_ms = t.spent_ms + v.spent_ms, longest_ms = greatest(t.longest_ms, v.longest_ms)
 when not matched then insert (namespace, who, step_s, slot_s, done, again, dead, spent_ms, longest_ms)
      values (v.namespace, v.who, v.step_s, v.slot_s, v.done, v.again, v.dead, v.spent_ms, v.longest_ms);

-- name: history-now
select cast(floor(extract(epoch from current_timestamp)) as bigint);

-- name: history-list
select slot_s, done, again, dead, spent_ms, longest_ms
  from turno_history
 where namespace = :namespace and who = :who and step_s = :step and slot_s >= :first
 order by slot_s limit 2000;

-- name: history-sparks
select who, slot_s, done
  from turno_history
 where namespace = :namespace and step_s = 60 and slot_s >= :first
 limit 10000;

-- name: history-prune
delete from turno_history where namespace = :namespace and step_s = :step and slot_s < cast(floor(extract(epoch from current_timestamp)) as bigint) - :kept;

-- name: glance-oldest
-- Class by class, because each class's oldest stands first in the index.
select inbox, min(oldest_at) as oldest_at
  from (select s.inbox,
               (select m.turn_at from turno_inbox m
                 where m.inbox_id = s.id and m.class = c.n and m.turn_at is not null and m.turn_at <= current_timestamp(6) and m.state = 'PENDING'
                 order by m.turn_at, m.id limit 1) as oldest_at
          from turno_inbox_setting s
         cross join (select 0 as n union all select 1 union all select 2 union all select 3 union all select 4 union all
                     select 5 union all select 6 union all select 7 union all select 8 union all select 9) c
         where s.namespace = :namespace) each_class
 where oldest_at is not null
 group by inbox;

-- name: glance-keys
select b.buffer_key, b.state, b.seq - greatest(b.done_to, b.flush_to) as waiting,
       case when b.frozen then b.flush_to - b.flush_from else 0 end as in_burst,
       b.next_at, b.latest_at, b.held_until, b.attempt, b.error
  from turno_buffer b
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.turn_at is not null and (:text = '' or position(:text, b.buffer_key) > 0)
 order by b.turn_at, b.id limit :limit;

-- name: glance-waiting
select m.seq, m.added_at, m.type, m.body
  from turno_buffer_message m
  join turno_buffer b on b.id = m.header_id
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.buffer_key = :key
   and m.seq > case when b.frozen then b.flush_from else greatest(b.done_to, b.flush_to) end
 order by m.seq limit :limit;

-- name: glance-peaks
-- Of at most 100,000 tasks, so that it costs no more than that however many come.
select minute_s, type, node, count(*) as n
  from (select cast(floor(extract(epoch from t.task_at) / 60) * 60 as bigint) as minute_s, y.type, h.node
          from turno_task t
          join turno_task_type y on y.id = t.type_id
          left join turno_holder h on h.id = t.assigned_to
         where y.namespace = :namespace and t.turn_at is not null and t.task_at >= current_timestamp(6) and t.task_at < dateadd(hour, 1, current_timestamp(6))
         limit 100000) coming
 group by minute_s, type, node
 order by minute_s;

-- name: glance-runs
select id, state, task_at, finished_at, attempt
  from (select t.id, t.state, t.task_at, t.finished_at, t.attempt, t.schedule_id, s.id as wished
          from turno_schedule s
          join turno_task t on t.type_id = s.type_id
         where s.namespace = :namespace and s.schedule = :schedule and t.end_state in ('DONE', 'DEAD', 'CANCELLED')
         order by t.finished_at desc limit 1000) newest
 where schedule_id = wished
 order by finished_at desc limit 30;

-- name: failure-add
insert into turno_failure (namespace, item, attempt, failed_at, error) values (:namespace, :item, :attempt, dateadd(millisecond, -cast(:age_ms as bigint), current_timestamp(6)), :error);

-- name: failure-list
select attempt, failed_at, error from turno_failure where namespace = :namespace and item = :item order by id desc limit 50;

-- name: failure-prune
delete from turno_failure where namespace = :namespace and failed_at < dateadd(day, -8, current_timestamp(6));

-- name: glance-message
select m.id, m.trace
  from turno_inbox m
  join turno_inbox_setting s on s.id = m.inbox_id
 where s.namespace = :namespace and s.inbox = :inbox and m.message_id = :message;

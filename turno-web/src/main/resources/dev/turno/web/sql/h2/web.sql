-- The statements of ../web.sql's kind that only this database understands.

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, current_timestamp(6), :created_by, dateadd(second, :seconds, current_timestamp(6)));

-- name: token-list
select id, name, role, afore, created_by, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', created_at) as created_us, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', expires_at) as expires_us,
       datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', revoked_at) as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-prune
-- A few at a time, so that nobody waits for the removal of many; who calls it does so until it finds fewer.
delete from turno_token
 where id in (select id from turno_token
               where namespace = :namespace and is_session and expires_at < dateadd(day, -1, current_timestamp(6))
               order by id limit :limit);

-- name: audit-list
select id, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', begun_at) as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
-- Of the first by number, which is the order of time: no index has the time itself, and the young ones are not looked at.
delete from turno_audit
 where id in (select o.id from (select id, begun_at from turno_audit where namespace = :namespace order by id limit :limit) o
               where o.begun_at < dateadd(day, -400, current_timestamp(6)));

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

-- name: history-prune
delete from turno_history
 where namespace = :namespace and step_s = :step and slot_s < cast(floor(extract(epoch from current_timestamp)) as bigint) - :kept
 fetch first :limit rows only;

-- name: glance-keys
select b.buffer_key, b.state, b.seq - greatest(b.done_to, b.flush_to) as waiting,
       case when b.frozen then b.flush_to - b.flush_from else 0 end as in_burst,
       b.next_at, b.latest_at, b.held_until, b.attempt, b.error
  from turno_buffer b
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.turn_at is not null and (:text = '' or position(:text, b.buffer_key) > 0)
 order by b.turn_at, b.id limit :limit;

-- name: glance-peaks
-- Of at most 100,000 tasks, so that it costs no more than that however many come; names are looked for when all is counted.
select c.minute_s, y.type, h.node, c.n
  from (select type_id, assigned_to, minute_s, count(*) as n
          from (select type_id, assigned_to, cast(floor(extract(epoch from task_at) / 60) * 60 as bigint) as minute_s
                  from turno_task
                 where type_id in (select id from turno_task_type where namespace = :namespace) and turn_at is not null
                   and task_at >= current_timestamp(6) and task_at < dateadd(hour, 1, current_timestamp(6))
                 limit 100000) coming
         group by type_id, assigned_to, minute_s) c
  join turno_task_type y on y.id = c.type_id
  left join turno_holder h on h.id = c.assigned_to
 order by c.minute_s;

-- name: failure-add
insert into turno_failure (namespace, item, attempt, failed_at, error) values (:namespace, :item, :attempt, dateadd(millisecond, -cast(:age_ms as bigint), current_timestamp(6)), :error);

-- name: failure-prune
delete from turno_failure
 where id in (select id from turno_failure
               where namespace = :namespace and failed_at < dateadd(day, -8, current_timestamp(6))
               order by failed_at limit :limit);

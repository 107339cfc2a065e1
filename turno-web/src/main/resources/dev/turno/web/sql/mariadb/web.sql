-- The statements of ../web.sql's kind that only this database understands.

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, utc_timestamp(6), :created_by, utc_timestamp(6) + interval :seconds second);

-- name: token-list
select id, name, role, afore, created_by, timestampdiff(microsecond, '1970-01-01', created_at) as created_us, timestampdiff(microsecond, '1970-01-01', expires_at) as expires_us,
       timestampdiff(microsecond, '1970-01-01', revoked_at) as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-prune
-- A few at a time, so that nobody waits for the removal of many; who calls it does so until it finds fewer.
delete from turno_token where namespace = :namespace and is_session and expires_at < utc_timestamp(6) - interval 1 day order by id limit :limit;

-- name: audit-list
select id, timestampdiff(microsecond, '1970-01-01', begun_at) as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
-- Of the first by number, which is the order of time: no index has the time itself, and the young ones are not looked at.
delete a from turno_audit a
  join (select id, begun_at from turno_audit where namespace = :namespace order by id limit :limit) o on o.id = a.id
 where o.begun_at < utc_timestamp(6) - interval 400 day;

-- name: history-add
insert into turno_history (namespace, who, step_s, slot_s, done, again, dead, spent_ms, longest_ms)
values (:namespace, :who, :step, unix_timestamp() div :step * :step, :done, :again, :dead, :spent, :longest)
on duplicate key update done = done + values(done), again = again + values(again), dead = dead + values(dead),
    spent_ms = spent_ms + values(spent_ms), longest_ms = greatest(longest_ms, values(longest_ms));

-- name: history-now
select cast(unix_timestamp() as signed);

-- name: history-prune
delete from turno_history
 where namespace = :namespace and step_s = :step and slot_s < cast(unix_timestamp() as signed) - :kept
 order by slot_s limit :limit;

-- name: glance-keys
select b.buffer_key, b.state, b.seq - greatest(b.done_to, b.flush_to) as waiting,
       case when b.frozen then b.flush_to - b.flush_from else 0 end as in_burst,
       b.next_at, b.latest_at, b.held_until, b.attempt, b.error
  from turno_buffer b
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.turn_at is not null and (:text = '' or instr(b.buffer_key, :text) > 0)
 order by b.turn_at, b.id limit :limit;

-- name: glance-peaks
-- Of at most 100,000 tasks, so that it costs no more than that however many come; names are looked for when all is counted.
select c.minute_s, y.type, h.node, c.n
  from (select type_id, assigned_to, minute_s, count(*) as n
          from (select type_id, assigned_to, timestampdiff(second, '1970-01-01 00:00:00', task_at) div 60 * 60 as minute_s
                  from turno_task
                 where type_id in (select id from turno_task_type where namespace = :namespace) and turn_at is not null
                   and task_at >= utc_timestamp(6) and task_at < utc_timestamp(6) + interval 1 hour
                 limit 100000) coming
         group by type_id, assigned_to, minute_s) c
  join turno_task_type y on y.id = c.type_id
  left join turno_holder h on h.id = c.assigned_to
 order by c.minute_s;

-- name: failure-add
insert into turno_failure (namespace, item, attempt, failed_at, error) values (:namespace, :item, :attempt, utc_timestamp(6) - interval (:age_ms * 1000) microsecond, :error);

-- name: failure-prune
delete from turno_failure where namespace = :namespace and failed_at < utc_timestamp(6) - interval 8 day order by failed_at limit :limit;

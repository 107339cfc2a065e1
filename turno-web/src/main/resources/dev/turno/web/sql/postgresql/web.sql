-- The statements of ../web.sql's kind that only this database understands.

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, statement_timestamp(), :created_by, statement_timestamp() + make_interval(secs => :seconds));

-- name: token-list
select id, name, role, afore, created_by, (extract(epoch from created_at) * 1000000)::bigint as created_us, (extract(epoch from expires_at) * 1000000)::bigint as expires_us,
       (extract(epoch from revoked_at) * 1000000)::bigint as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-prune
-- A few at a time, so that nobody waits for the removal of many; who calls it does so until it finds fewer.
delete from turno_token
 where id = any (array(select id from turno_token
                        where namespace = :namespace and is_session and expires_at < statement_timestamp() - interval '1 days'
                        order by id limit :limit for update skip locked));

-- name: audit-list
select id, (extract(epoch from begun_at) * 1000000)::bigint as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
-- Of the first by number, which is the order of time: no index has the time itself, and the young ones are not looked at.
delete from turno_audit
 where id = any (array(select o.id from (select id, begun_at from turno_audit where namespace = :namespace order by id limit :limit) o
                        where o.begun_at < statement_timestamp() - interval '400 days'));

-- name: history-add
insert into turno_history as t (namespace, who, step_s, slot_s, done, again, dead, spent_ms, longest_ms)
values (:namespace, :who, :step, floor(extract(epoch from statement_timestamp()) / :step)::bigint * :step, :done, :again, :dead, :spent, :longest)
on conflict (namespace, who, step_s, slot_s)
do update set done = t.done + excluded.done, again = t.again + excluded.again, dead = t.dead + excluded.dead,
    spent_ms = t.spent_ms + excluded.spent_ms, longest_ms = greatest(t.longest_ms, excluded.longest_ms);

-- name: history-now
select floor(extract(epoch from statement_timestamp()))::bigint;

-- name: history-prune
delete from turno_history
 where ctid = any (array(select ctid from turno_history
                          where namespace = :namespace and step_s = :step
                            and slot_s < floor(extract(epoch from statement_timestamp()))::bigint - :kept
                          order by slot_s limit :limit for update skip locked));

-- name: glance-keys
select b.buffer_key, b.state, b.seq - greatest(b.done_to, b.flush_to) as waiting,
       case when b.frozen then b.flush_to - b.flush_from else 0 end as in_burst,
       b.next_at, b.latest_at, b.held_until, b.attempt, b.error
  from turno_buffer b
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.turn_at is not null and (:text = '' or strpos(b.buffer_key, :text) > 0)
 order by b.turn_at, b.id limit :limit;

-- name: glance-peaks
-- Of at most 100,000 tasks, so that it costs no more than that however many come. Each share is a range of an index that has all
-- that is asked for, and names are looked for when all is counted. date_part, because extract and date_trunc take several times as long.
select (c.minute * 60)::bigint as minute_s, y.type, h.node, c.n
  from (select type_id, assigned_to, floor(date_part('epoch', task_at) / 60) as minute, count(*) as n
          from (select type_id, assigned_to, task_at from turno_task
                 where type_id = any (array(select id from turno_task_type where namespace = :namespace)) and turn_at is not null
                   and assigned_to is null and task_at >= statement_timestamp() and task_at < statement_timestamp() + interval '1 hour'
                union all
                select type_id, assigned_to, task_at from turno_task
                 where type_id = any (array(select id from turno_task_type where namespace = :namespace)) and turn_at is not null
                   and assigned_to = any (array(select id from turno_holder where namespace = :namespace))
                   and task_at >= statement_timestamp() and task_at < statement_timestamp() + interval '1 hour'
                 limit 100000) coming
         group by type_id, assigned_to, minute) c
  join turno_task_type y on y.id = c.type_id
  left join turno_holder h on h.id = c.assigned_to
 order by minute_s;

-- name: failure-add
insert into turno_failure (namespace, item, attempt, failed_at, error) values (:namespace, :item, :attempt, statement_timestamp() - :age_ms * interval '1 millisecond', :error);

-- name: failure-prune
delete from turno_failure
 where id = any (array(select id from turno_failure
                        where namespace = :namespace and failed_at < statement_timestamp() - interval '8 days'
                        order by failed_at limit :limit for update skip locked));

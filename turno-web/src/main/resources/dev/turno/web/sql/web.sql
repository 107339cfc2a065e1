-- The statements that are the same in every database; {now} is its clock. Those that differ stand in a file for each.

-- name: token-check
-- Fails unless the table is there as this version knows it.
select parent_id from turno_token where 1 = 0;

-- name: audit-check
select details from turno_audit where 1 = 0;

-- name: history-check
select longest_ms from turno_history where 1 = 0;

-- name: failure-check
select failed_at from turno_failure where 1 = 0;

-- name: now
select {now} as now_at;

-- name: token-by-hash
-- A session is good as long as the token is that its person signed in with.
select t.id, t.name, t.role, t.afore, t.hash, t.parent_id
  from turno_token t
 where t.namespace = :namespace and t.hash = :hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > {now})
   and (t.parent_id is null
        or exists (select 1 from turno_token p
                    where p.id = t.parent_id and p.revoked_at is null and (p.expires_at is null or p.expires_at > {now})));

-- name: token-add
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, {now}, :created_by, null);

-- name: token-exists
select count(*) from turno_token where namespace = :namespace and hash = :hash;

-- name: token-admins
select count(*) from turno_token where namespace = :namespace and role = 'admin' and not is_session and revoked_at is null and (expires_at is null or expires_at > {now});

-- name: token-revoke
update turno_token set revoked_at = {now} where namespace = :namespace and id = :id and revoked_at is null;

-- name: audit-add
insert into turno_audit (namespace, begun_at, who, role, address, action, why)
values (:namespace, {now}, :who, :role, :address, :action, :why);

-- name: audit-end
update turno_audit set status = :status, why = coalesce(why, :why), details = :details where id = :id;

-- name: history-list
select slot_s, done, again, dead, spent_ms, longest_ms
  from turno_history
 where namespace = :namespace and who = :who and step_s = :step and slot_s >= :first
 order by slot_s limit 2000;

-- name: history-took
-- How many handlers took how long: see History.
select who, slot_s, done
  from turno_history
 where namespace = :namespace and who in (:buckets) and step_s = :step and slot_s >= :first;

-- name: history-sparks
select who, slot_s, done
  from turno_history
 where namespace = :namespace and step_s = 60 and slot_s >= :first and who not like 'took %'
 limit 10000;

-- name: glance-oldest
-- Class by class, because each class's oldest stands first in the index.
select inbox, min(oldest_at) as oldest_at
  from (select s.inbox,
               (select m.turn_at from turno_inbox m
                 where m.inbox_id = s.id and m.class = c.n and m.turn_at is not null and m.turn_at <= {now} and m.state = 'PENDING'
                 order by m.turn_at, m.id limit 1) as oldest_at
          from turno_inbox_setting s
         cross join (select 0 as n union all select 1 union all select 2 union all select 3 union all select 4 union all
                     select 5 union all select 6 union all select 7 union all select 8 union all select 9) c
         where s.namespace = :namespace) each_class
 where oldest_at is not null
 group by inbox;

-- name: glance-waiting
select m.seq, m.added_at, m.type, m.body
  from turno_buffer_message m
  join turno_buffer b on b.id = m.header_id
  join turno_buffer_setting s on s.id = b.buffer_id
 where s.namespace = :namespace and s.buffer = :buffer and b.buffer_key = :key
   and m.seq > case when b.frozen then b.flush_from else greatest(b.done_to, b.flush_to) end
 order by m.seq limit :limit;

-- name: glance-runs
-- State by state, because each state's newest stand first in the index.
select t.id, t.state, t.task_at, t.finished_at, t.attempt
  from ((select id, state, task_at, finished_at, attempt, schedule_id from turno_task
          where type_id = (select type_id from turno_schedule where namespace = :namespace and schedule = :schedule) and end_state = 'DONE'
          order by finished_at desc, id desc limit 1000)
        union all
        (select id, state, task_at, finished_at, attempt, schedule_id from turno_task
          where type_id = (select type_id from turno_schedule where namespace = :namespace and schedule = :schedule) and end_state = 'DEAD'
          order by finished_at desc, id desc limit 1000)
        union all
        (select id, state, task_at, finished_at, attempt, schedule_id from turno_task
          where type_id = (select type_id from turno_schedule where namespace = :namespace and schedule = :schedule) and end_state = 'CANCELLED'
          order by finished_at desc, id desc limit 1000)) t
 where t.schedule_id = (select id from turno_schedule where namespace = :namespace and schedule = :schedule)
 order by t.finished_at desc limit 30;

-- name: failure-list
select attempt, failed_at, error from turno_failure where namespace = :namespace and item = :item order by id desc limit 50;

-- name: glance-message
select m.id, m.trace
  from turno_inbox m
  join turno_inbox_setting s on s.id = m.inbox_id
 where s.namespace = :namespace and s.inbox = :inbox and m.message_id = :message;

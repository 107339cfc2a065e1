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
 where t.namespace = :namespace and t.hash = :hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > statement_timestamp())
   and (t.parent_id is null
        or exists (select 1 from turno_token p
                    where p.id = t.parent_id and p.revoked_at is null and (p.expires_at is null or p.expires_at > statement_timestamp())));

-- name: token-add
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, statement_timestamp(), :created_by, null);

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, statement_timestamp(), :created_by, statement_timestamp() + make_interval(secs => :seconds));

-- name: token-exists
select count(*) from turno_token where namespace = :namespace and hash = :hash;

-- name: token-admins
select count(*) from turno_token where namespace = :namespace and role = 'admin' and not is_session and revoked_at is null and (expires_at is null or expires_at > statement_timestamp());

-- name: token-list
select id, name, role, afore, created_by, (extract(epoch from created_at) * 1000000)::bigint as created_us, (extract(epoch from expires_at) * 1000000)::bigint as expires_us,
       (extract(epoch from revoked_at) * 1000000)::bigint as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-revoke
update turno_token set revoked_at = statement_timestamp() where namespace = :namespace and id = :id and revoked_at is null;

-- name: token-prune
delete from turno_token where namespace = :namespace and is_session and expires_at < statement_timestamp() - interval '1 days';

-- name: audit-add
insert into turno_audit (namespace, begun_at, who, role, address, action, why)
values (:namespace, statement_timestamp(), :who, :role, :address, :action, :why);

-- name: audit-end
update turno_audit set status = :status, why = coalesce(why, :why), details = :details where id = :id;

-- name: audit-list
select id, (extract(epoch from begun_at) * 1000000)::bigint as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
delete from turno_audit where namespace = :namespace and begun_at < statement_timestamp() - interval '400 days';

-- name: history-add
insert into turno_history as t (namespace, who, step_s, slot_s, done, again, dead, spent_ms, longest_ms)
values (:namespace, :who, :step, floor(extract(epoch from statement_timestamp()) / :step)::bigint * :step, :done, :again, :dead, :spent, :longest)
on conflict (namespace, who, step_s, slot_s)
do update set done = t.done + excluded.done, again = t.again + excluded.again, dead = t.dead + excluded.dead,
    spent_ms = t.spent_ms + excluded.spent_ms, longest_ms = greatest(t.longest_ms, excluded.longest_ms);

-- name: history-now
select floor(extract(epoch from statement_timestamp()))::bigint;

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
delete from turno_history where namespace = :namespace and step_s = :step and slot_s < floor(extract(epoch from statement_timestamp()))::bigint - :kept;

-- name: glance-oldest
-- Class by class, because each class's oldest stands first in the index.
select inbox, min(oldest_at) as oldest_at
  from (select s.inbox,
               (select m.turn_at from turno_inbox m
                 where m.inbox_id = s.id and m.class = c.n and m.turn_at is not null and m.turn_at <= statement_timestamp() and m.state = 'PENDING'
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
 where s.namespace = :namespace and s.buffer = :buffer and b.turn_at is not null and (:text = '' or strpos(b.buffer_key, :text) > 0)
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
  from (select (floor(extract(epoch from t.task_at) / 60) * 60)::bigint as minute_s, y.type, h.node
          from turno_task t
          join turno_task_type y on y.id = t.type_id
          left join turno_holder h on h.id = t.assigned_to
         where y.namespace = :namespace and t.turn_at is not null and t.task_at >= statement_timestamp() and t.task_at < statement_timestamp() + interval '1 hour'
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
insert into turno_failure (namespace, item, attempt, failed_at, error) values (:namespace, :item, :attempt, statement_timestamp() - :age_ms * interval '1 millisecond', :error);

-- name: failure-list
select attempt, failed_at, error from turno_failure where namespace = :namespace and item = :item order by id desc limit 50;

-- name: failure-prune
delete from turno_failure where namespace = :namespace and failed_at < statement_timestamp() - interval '8 days';

-- name: glance-message
select m.id, m.trace
  from turno_inbox m
  join turno_inbox_setting s on s.id = m.inbox_id
 where s.namespace = :namespace and s.inbox = :inbox and m.message_id = :message;

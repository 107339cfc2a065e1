-- name: look
-- Those that the folio or the key names; a request without a key sends null, which names nobody.
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where folio_id = :folio_id
union all
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where key_id = :key_id and folio_id <> :folio_id;

-- name: look-inside
-- Under the lock: the same, and what keeps the worker's turn although nobody has the lock any more.
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where folio_id = :folio_id
union all
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where key_id = :key_id and folio_id <> :folio_id
union all
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where open_guard = :guard and folio_id <> :folio_id;

-- name: look-ahead
-- As look-inside, without the lock; beside it how the lock stands, so that what is decided by what is seen now can be stored if nobody had the
-- lock meanwhile (complete-in-passing). Its fence if it is in nobody's hands; of a name without a row, the floor from which its
-- first fence is counted; null if somebody has it.
select (select case when l.id is null then f.fence when l.lease_id is null then l.fence end
          from turno_lock_floor f
          left join turno_lock l on l.namespace = :namespace and l.name = :lock
         where f.namespace = :namespace) as free_fence,
       r.folio_id, r.key_id, r.fingerprint, r.state, r.fence, r.open_guard, r.folio, r.afore, r.answer
  from (select 1) as one
  left join lateral (
        select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
          from turno_certification where folio_id = :folio_id
        union all
        select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
          from turno_certification where key_id = :key_id and folio_id <> :folio_id
        union all
        select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
          from turno_certification where open_guard = :guard and folio_id <> :folio_id) r on true;

-- name: complete-in-passing
-- A request from its beginning to its end: the worker's lock is taken and given back, and the decision, the answer and the notification are
-- stored, all in one statement, which commits by itself. Nothing is if somebody has the lock, or had it since its fence was seen:
-- whoever has had it has raised the fence, and a clean-up that removed the row has raised the floor to the fence that the row had.
-- The floor is locked for a new name as in Turno's own take. Nobody's hands are named: nobody can ever find it taken.
with passed as (
    update turno_lock
       set fence = fence + 1, taken_at = {now}, expires_at = {now}, holder = 0, node = '', service = :service, user_name = :user_name
     where namespace = :namespace and name = :lock and lease_id is null and fence = :seen_fence
    returning fence
), floor as (
    select fence from turno_lock_floor
     where namespace = :namespace and fence = :seen_fence
       and not exists (select 1 from turno_lock where namespace = :namespace and name = :lock)
       for share
), added as (
    insert into turno_lock
          (namespace, name, fence, lease_us, taken_at, expires_at, holder, node, service, user_name)
    select :namespace, :lock, fence + 1, 0, {now}, {now}, 0, '', :service, :user_name
      from floor
    on conflict (namespace, name) do nothing
    returning fence
), turn as (
    select fence from passed union all select fence from added
), resolved as (
    insert into turno_certification_resolution (folio_id, nss, benefit, resolved_on, amount)
    select :decision_id, :nss, :benefit, :resolved_on, cast(:amount as numeric)
      from turn where cast(:amount as numeric) is not null
), told as (
    insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, body)
    select i.id, :folio_id || ':' || :guard || ':' || cast(turn.fence as text), 4, 'PENDING', {now}, {now}, :folio_id
      from turn join turno_inbox_setting i on i.namespace = :namespace and i.inbox = :inbox
    on conflict (inbox_id, message_id) do nothing
)
insert into turno_certification
       (folio_id, key_id, fingerprint, state, fence, folio, afore, benefit, answer, begun_at, ended_at)
select :folio_id, :key_id, :fingerprint, 'COMPLETED', fence, :folio, :afore, :benefit, :answer, {now}, {now}
  from turn
returning fence;

-- name: find
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where folio_id = :folio_id;

-- name: complete-at-once
-- Begun and ended in one transaction, with the authority's own rows; none if there is one by now that the folio or the key names, or
-- that keeps the worker's turn.
insert into turno_certification
       (folio_id, key_id, fingerprint, state, fence, folio, afore, benefit, answer, begun_at, ended_at)
select :folio_id, :key_id, :fingerprint, 'COMPLETED', :fence, :folio, :afore, :benefit, :answer, {now}, {now}
 where not exists (select 1 from turno_certification where folio_id = :folio_id)
   and not exists (select 1 from turno_certification where key_id = :key_id)
   and not exists (select 1 from turno_certification where open_guard = :guard);

-- name: send
-- From here on the authority outside may have been asked.
insert into turno_certification
       (folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, benefit, begun_at, sent_at)
values (:folio_id, :key_id, :fingerprint, 'IN_PROGRESS', :fence, :guard, :folio, :afore, :benefit, {now}, {now});

-- name: send-again
update turno_certification
   set state = 'IN_PROGRESS', fence = :fence, open_guard = :guard, sent_at = {now}, ended_at = null
 where folio_id = :folio_id and state = 'RETRYABLE';

-- name: complete-again
-- It was safe to run again, and the authority is embedded now.
update turno_certification
   set state = 'COMPLETED', fence = :fence, answer = :answer, ended_at = {now}
 where folio_id = :folio_id and state = 'RETRYABLE';

-- name: complete
update turno_certification
   set state = 'COMPLETED', fence = :fence, open_guard = null, answer = :answer, ended_at = {now}
 where folio_id = :folio_id and state in ('IN_PROGRESS', 'AMBIGUOUS') and fence = :seen_fence;

-- name: doubt
-- Asked, and nobody knows how it ended.
update turno_certification set state = 'AMBIGUOUS', fence = :fence
 where folio_id = :folio_id and state in ('IN_PROGRESS', 'AMBIGUOUS') and fence = :seen_fence;

-- name: free
-- It was not done, for certain: anybody may run it again.
update turno_certification set state = 'RETRYABLE', fence = :fence, open_guard = null, ended_at = {now}
 where folio_id = :folio_id and state in ('IN_PROGRESS', 'AMBIGUOUS') and fence = :seen_fence;

-- name: prune
delete from turno_certification
 where id = any (array(select id from turno_certification
                        where ended_at < {now} - :seconds * interval '1 second' and state in ('COMPLETED', 'RETRYABLE')
                        order by ended_at limit :limit for update skip locked));

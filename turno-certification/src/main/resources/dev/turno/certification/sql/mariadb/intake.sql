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

-- name: find
select folio_id, key_id, fingerprint, state, fence, open_guard, folio, afore, answer
  from turno_certification where folio_id = :folio_id;

-- name: complete-at-once
-- Begun and ended in one transaction, with the authority's own rows; none if there is one by now that the folio or the key names, or
-- that keeps the worker's turn.
insert into turno_certification
       (folio_id, key_id, fingerprint, state, fence, folio, afore, benefit, answer, begun_at, ended_at)
select :folio_id, :key_id, :fingerprint, 'COMPLETED', :fence, :folio, :afore, :benefit, :answer, {now}, {now}
  from dual
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
 where ended_at < {now} - interval :seconds second and state in ('COMPLETED', 'RETRYABLE')
 order by ended_at limit :limit;

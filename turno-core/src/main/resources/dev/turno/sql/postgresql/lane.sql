-- name: draw
-- Locks the lane until the end of the transaction, so that the order of the sequence is the order of the commits.
insert into turno_lane (kind, scope_id, lane, next_seq, used_at)
values (:kind, :scope, :lane, 1 + :count, {now})
on conflict (kind, scope_id, lane) do update set next_seq = turno_lane.next_seq + :count, used_at = {now}
returning id, next_seq - :count as first_seq;

-- name: lock
-- One after the other by name, so that two transactions with several lanes cannot wait for each other.
select id from turno_lane where id = :lane for update;

-- name: names
select id, lane from turno_lane where id = any (:lanes);

-- name: lock-free
-- Lanes that somebody has locked are passed over and asked again: one key must not keep the others waiting.
select id from turno_lane where id = any (:lanes) for update skip locked;

-- name: lock-wait
-- Waits in line for a lane, but not for long: somebody may keep a transaction open.
select set_config('lock_timeout', '250ms', true);
select id from turno_lane where id = :row for update;

-- name: free-head
update turno_lane set head_id = null where id = :lane and head_id = :row;

-- name: headless
select id from turno_lane where id = any (:lanes) and head_id is null;

-- name: set-head
update turno_lane set head_id = :row where id = :lane;

-- name: forget
-- Lanes that nobody used for a while and that no row refers to any more. Asked of each lane by the index: whoever joins them all reads
-- every row there is.
select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
delete from turno_lane l
 where l.id = any (array(
       select c.id from turno_lane c
        where c.kind = :kind and c.scope_id = :scope and c.head_id is null
          and c.used_at < {now} - :age_us * interval '1 microsecond'
          and not exists (select 1 from turno_inbox m where m.lane_id = c.id)
          and not exists (select 1 from turno_task t where t.lane_id = c.id)
          and not exists (select 1 from turno_run_lane r where r.lane_id = c.id)
        limit :limit for update skip locked));

-- name: add-slots
insert into turno_slot (kind, scope_id, slot)
select :kind, :scope, n from generate_series(1, :count) n
on conflict do nothing;

-- name: hold-slots
update turno_slot s set row_id = h.row_id, fence = h.fence
  from unnest(:h_slot, :h_row, :h_fence) as h (slot, row_id, fence)
 where s.kind = :kind and s.scope_id = :scope and s.slot = h.slot;

-- name: find
select id from turno_lane where kind = :kind and scope_id = :scope and lane = :lane;

-- name: add
select id from final table (
insert into turno_lane (kind, scope_id, lane, next_seq, used_at) values (:kind, :scope, :lane, 1, {now}));

-- name: advance
-- Locks the lane until the end of the transaction, so that the order of the sequence is the order of the commits. The name is asked for because
-- a number may have been remembered for long.
select next_seq from final table (
update turno_lane set next_seq = next_seq + :count, used_at = {now}
 where id = :row and kind = :kind and scope_id = :scope and lane = :lane);

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
select id from turno_lane where id = :row for update wait 0.25;

-- name: free-head
update turno_lane set head_id = null where id = :lane and head_id = :row;

-- name: headless
select id from turno_lane where id = any (:lanes) and head_id is null;

-- name: set-head
update turno_lane set head_id = :row where id = :lane;

-- name: forget-find
-- Lanes that nobody used for a while and that no row refers to any more.
select c.id from turno_lane c
 where c.kind = :kind and c.scope_id = :scope and c.head_id is null
   and c.used_at < dateadd(microsecond, - :age_us, {now})
   and not exists (select 1 from turno_inbox m where m.lane_id = c.id)
   and not exists (select 1 from turno_task t where t.lane_id = c.id)
   and not exists (select 1 from turno_run_lane r where r.lane_id = c.id)
 limit :limit for update skip locked;

-- name: forget-mark
delete from turno_lane where id = any (:ids);

-- name: add-slots
merge into turno_slot s using (select n from system_range(1, :count) r (n)) r
   on (s.kind = :kind and s.scope_id = :scope and s.slot = r.n)
 when not matched then insert (kind, scope_id, slot) values (:kind, :scope, r.n);

-- name: hold-slots
merge into turno_slot s
using (select v.slot, v.row_id, v.fence
         from unnest(cast(:h_slot as bigint array), cast(:h_row as bigint array), cast(:h_fence as bigint array))
              as v (slot, row_id, fence)) h
   on (s.kind = :kind and s.scope_id = :scope and s.slot = h.slot)
 when matched then update set row_id = h.row_id, fence = h.fence;

-- name: find
-- A plain read: what looks for a name that is not there with a lock keeps others from adding the names beside it, under REPEATABLE READ.
select id from turno_lane where kind = :kind and scope_id = :scope and lane = :lane;

-- name: add
-- Also if others are adding it at this moment: with a plain insert two that waited for a third would share its lock, and then wait for each other.
insert into turno_lane (kind, scope_id, lane, next_seq, used_at) values (:kind, :scope, :lane, 1, {now})
on duplicate key update used_at = values(used_at) returning id;

-- name: advance
-- Locks the lane until the end of the transaction, so that the order of the sequence is the order of the commits. By the number of its row,
-- so that no gap is locked; the name is asked for because a number may have been remembered for long.
update turno_lane set next_seq = last_insert_id(next_seq + :count), used_at = {now}
 where id = :row and kind = :kind and scope_id = :scope and lane = :lane;

-- name: lock
-- One after the other by name, so that two transactions with several lanes cannot wait for each other.
select id from turno_lane where id = :lane for update;

-- name: names
select l.id, l.lane
  from json_table(:lanes, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lane l force index (primary) on l.id = v.id;

-- name: lock-free
-- Lanes that somebody has locked are passed over and asked again: one key must not keep the others waiting.
select l.id
  from json_table(:lanes, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lane l force index (primary) on l.id = v.id
   for update skip locked;

-- name: lock-wait
-- Waits in line for a lane, but not for long: somebody may keep a transaction open. "wait" counts in whole seconds.
set statement max_statement_time = 0.25 for select id from turno_lane where id = :row for update;

-- name: free-head
update turno_lane set head_id = null where id = :lane and head_id = :row;

-- name: headless
-- A locking read sees what is committed now; a plain one sees what was when the caller's transaction began to read.
select l.id
  from json_table(:lanes, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lane l force index (primary) on l.id = v.id
 where l.head_id is null
   for update;

-- name: set-head
update turno_lane set head_id = :row where id = :lane;

-- name: forget-find
-- Lanes that nobody used for a while and that no row refers to any more.
select c.id from turno_lane c
 where c.kind = :kind and c.scope_id = :scope and c.head_id is null
   and c.used_at < {now} - interval :age_us microsecond
   and not exists (select 1 from turno_inbox m where m.lane_id = c.id)
   and not exists (select 1 from turno_task t where t.lane_id = c.id)
   and not exists (select 1 from turno_run_lane r where r.lane_id = c.id)
 limit :limit for update skip locked;

-- name: forget-mark
delete l from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lane l force index (primary) on l.id = v.id;

-- name: add-slots
-- The server ends a recursion after 1,000 rows, without a word.
set statement max_recursive_iterations = 1000000 for insert ignore into turno_slot (kind, scope_id, slot)
with recursive r (n) as (select 1 union all select n + 1 from r where n < :count)
select :kind, :scope, n from r;

-- name: hold-slots
update json_table(:h, '$[*]' columns (slot integer path '$[0]', row_id bigint path '$[1]', fence bigint path '$[2]')) h
 straight_join turno_slot s force index (primary) on s.kind = :kind and s.scope_id = :scope and s.slot = h.slot
   set s.row_id = h.row_id, s.fence = h.fence;

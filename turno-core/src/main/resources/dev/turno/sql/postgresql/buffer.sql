-- name: define
insert into turno_buffer_setting (namespace, buffer) values (:namespace, :buffer)
on conflict (namespace, buffer) do nothing;

-- name: setting
select id from turno_buffer_setting where namespace = :namespace and buffer = :buffer;

-- name: settings
select buffer from turno_buffer_setting where namespace = :namespace order by buffer;

-- name: add
-- One statement. The key's row is locked first, so that all adds of a key come one after the other: also the ids are then asked in
-- that order. Only what is new moves the clock; a message that was sent again leaves everything as it is.
-- While a burst is under way turn_at is its own; next_at is the moment of those that wait.
-- A new row's fence starts at the moment, so that it is higher than any this key had before it was forgotten.
with m as materialized (
       select * from unnest(:m_id, :m_sent_us, :m_type, :m_body, :m_bytes, :m_flush)
                     with ordinality as m (message_id, sent_us, type, body, bytes, flush, n)),
     locked as materialized (
       select id, seq, next_at from turno_buffer where buffer_id = :buffer and buffer_key = :key for update),
     ids as (
       insert into turno_buffer_id (buffer_id, buffer_key, message_id, added_at)
       select :buffer, :key, m.message_id, {now} from m
        where m.message_id is not null and (select count(*) from locked) >= 0
        order by m.message_id
       on conflict (buffer_id, buffer_key, message_id) do nothing
       returning message_id),
     fresh as materialized (
       select m.*, row_number() over (order by m.n) as place, count(*) over () as total from m
        where m.message_id is null or m.message_id in (select message_id from ids)),
     header as (
       insert into turno_buffer as b (buffer_id, buffer_key, state, seq, waiting_bytes, fence, latest_at, next_at, turn_at)
       select :buffer, :key, 'PENDING', d.total, d.bytes, cast(extract(epoch from {now}) * 1000000 as bigint),
              d.latest_at, d.next_at, d.next_at
         from (select s.total, s.bytes, s.latest_at, least({now} + :quiet_us * interval '1 microsecond', s.latest_at) as next_at
                 from (select count(*) as total, sum(f.bytes) as bytes,
                              case when max(f.flush) = 1 or count(*) >= :max_count or sum(f.bytes) >= :max_bytes then {now}
                                   else {now} + :max_wait_us * interval '1 microsecond' end as latest_at
                         from fresh f having count(*) > 0) s) d
       on conflict (buffer_id, buffer_key) do update
          set state = case when b.state = 'IDLE' then 'PENDING' else b.state end,
              seq = b.seq + excluded.seq,
              waiting_bytes = b.waiting_bytes + excluded.waiting_bytes,
              latest_at = case when excluded.latest_at <= {now} or b.seq + excluded.seq - greatest(b.done_to, b.flush_to) >= :max_count
                                    or b.waiting_bytes + excluded.waiting_bytes >= :max_bytes then least(b.latest_at, {now})
                               else coalesce(b.latest_at, excluded.latest_at) end,
              next_at = case when excluded.latest_at <= {now} or b.seq + excluded.seq - greatest(b.done_to, b.flush_to) >= :max_count
                                  or b.waiting_bytes + excluded.waiting_bytes >= :max_bytes then least(b.latest_at, {now})
                             else least({now} + :quiet_us * interval '1 microsecond', coalesce(b.latest_at, excluded.latest_at)) end,
              turn_at = case when b.frozen or b.revived > 0 then b.turn_at
                             when excluded.latest_at <= {now} or b.seq + excluded.seq - greatest(b.done_to, b.flush_to) >= :max_count
                                  or b.waiting_bytes + excluded.waiting_bytes >= :max_bytes then least(b.latest_at, {now})
                             else least({now} + :quiet_us * interval '1 microsecond', coalesce(b.latest_at, excluded.latest_at)) end,
              idle_at = null
       returning b.id, b.seq, b.next_at),
     stored as (
       insert into turno_buffer_message (header_id, seq, added_at, sent_at, message_id, type, body)
       select h.id, h.seq - f.total + f.place, {now}, timestamptz 'epoch' + f.sent_us * interval '1 microsecond',
              f.message_id, f.type, f.body
         from header h cross join fresh f
       returning seq)
select (select count(*) from stored) as stored, h.seq, h.next_at,
       cast(extract(epoch from (h.next_at - {now})) * 1000000 as bigint) as wait_us
  from header h
union all
select 0, l.seq, l.next_at, cast(extract(epoch from (l.next_at - {now})) * 1000000 as bigint)
  from locked l
 where not exists (select 1 from header);

-- name: typing
update turno_buffer
   set next_at = least({now} + :quiet_us * interval '1 microsecond', latest_at),
       turn_at = case when frozen or revived > 0 then turn_at
                      else least({now} + :quiet_us * interval '1 microsecond', latest_at) end
 where buffer_id = :buffer and buffer_key = :key
   and next_at < least({now} + :quiet_us * interval '1 microsecond', latest_at);

-- name: flush
-- A burst that waits for its retry goes now, too.
update turno_buffer
   set latest_at = case when next_at is not null then least(latest_at, {now}) end,
       next_at = case when next_at is not null then least(next_at, {now}) end, -- least() passes over nulls here
       turn_at = case when state = 'PENDING' then least(turn_at, {now}) else turn_at end
 where buffer_id = :buffer and buffer_key = :key and (next_at is not null or state = 'PENDING');

-- name: take
-- As with the inbox: one statement, no more rows locked than are taken, and no sorting. What is taken for the first time is frozen, at
-- most :max_count messages of it; a burst that was frozen before stays as it is. A dead one that somebody revived goes first.
select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true);
update turno_buffer b
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1, frozen = true,
       held_until = {now} + :max_run_us * interval '1 microsecond',
       flush_from = case when frozen then flush_from
                         when revived > 0 then (select d.flush_from from turno_buffer_dead d
                                                 where d.header_id = b.id and d.revived order by d.flush_to limit 1)
                         else done_to end,
       flush_to = case when frozen then flush_to
                       when revived > 0 then (select d.flush_to from turno_buffer_dead d
                                               where d.header_id = b.id and d.revived order by d.flush_to limit 1)
                       else least(seq, done_to + :max_count) end,
       waiting_bytes = case when frozen or revived > 0 or seq > done_to + :max_count then waiting_bytes else 0 end,
       latest_at = case when frozen or revived > 0 or seq > done_to + :max_count then latest_at end,
       next_at = case when frozen or revived > 0 or seq > done_to + :max_count then next_at end
 where ctid = any (array(
       select ctid from turno_buffer
        where buffer_id = :buffer and turn_at <= {now}
          and (held_until is null or held_until <= {now}
               or holder in (select h.id from turno_holder h where h.reaped_at is not null))
          and exists (select 1 from turno_holder where id = :holder and reaped_at is null)
        order by turn_at, id limit :limit for update skip locked))
returning id, buffer_key, fence, attempt, flush_from, flush_to, flush_to <= done_to as revived;

-- name: stuck
-- Rows that were due a moment ago and that nobody has: perhaps they are locked all the time by those who add to them.
select id from turno_buffer
 where buffer_id = :buffer and turn_at <= {now} - interval '50 milliseconds'
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 order by turn_at, id limit :limit;

-- name: lock-wait
-- Waits in line for a row, but not for long: somebody may keep a transaction open.
select set_config('lock_timeout', '250ms', true);
select id from turno_buffer where id = :row for update;

-- name: lock
select id from turno_buffer where id = :row for update;

-- name: messages
select v.id as header_id, m.seq, m.added_at, m.sent_at, m.message_id, m.type, m.body,
       cast(extract(epoch from ({now} - m.added_at)) * 1000000 as bigint) as age_us
  from unnest(:v_id, :v_from, :v_to) as v (id, from_seq, to_seq)
  join lateral (select * from turno_buffer_message t
                 where t.header_id = v.id and t.seq > v.from_seq and t.seq <= v.to_seq) m on true;

-- name: until-next
select cast(extract(epoch from (t.turn_at - {now})) * 1000000 as bigint) as wait_us
  from (select turn_at from turno_buffer
         where buffer_id = :buffer and turn_at > {now} order by turn_at limit 1) t;

-- name: done
-- Exactly the burst goes. Whether newer messages wait is read from the key's own row, which the lock makes current. Rows that
-- somebody has locked are passed over and asked again: one key must not keep the others waiting.
with over as (
       update turno_buffer t
          set frozen = false, over_fence = t.fence, held_until = null, attempt = 0, error = null,
              done_to = greatest(t.done_to, t.flush_to),
              revived = t.revived - case when t.flush_to <= t.done_to then 1 else 0 end,
              state = case when t.next_at is not null or t.revived > case when t.flush_to <= t.done_to then 1 else 0 end
                           then 'PENDING' else 'IDLE' end,
              turn_at = case when t.revived > case when t.flush_to <= t.done_to then 1 else 0 end then {now} else t.next_at end,
              idle_at = case when t.next_at is null and t.revived <= case when t.flush_to <= t.done_to then 1 else 0 end then {now} end
         from unnest(:v_id, :v_fence) as v (id, fence)
        where t.id = v.id and t.fence = v.fence and t.buffer_id + 0 = :buffer and t.state = 'DOING'
          and t.id = any (array(select id from turno_buffer where id = any (:v_id) order by id for update skip locked))
       returning t.id, t.fence, t.flush_from, t.flush_to),
     sent as (
       delete from turno_buffer_message m using over
        where m.header_id = over.id and m.seq > over.flush_from and m.seq <= over.flush_to),
     alive as (
       delete from turno_buffer_dead d using over where d.header_id = over.id and d.flush_to = over.flush_to)
select id, fence from over;

-- name: again
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
update turno_buffer t
   set state = 'PENDING', held_until = null, turn_at = {now} + v.in_us * interval '1 microsecond', error = v.error
  from unnest(:v_id, :v_fence, :v_in_us, :v_error) as v (id, fence, in_us, error)
 where t.id = v.id and t.fence = v.fence and t.buffer_id + 0 = :buffer and t.state = 'DOING'
   and t.id = any (array(select id from turno_buffer where id = any (:v_id) order by id for update skip locked))
returning t.id, t.fence;

-- name: dead
-- The burst becomes a row of its own, its messages stay where they are, and the key goes on.
with over as (
       update turno_buffer t
          set frozen = false, over_fence = t.fence, held_until = null, attempt = 0, error = null,
              done_to = greatest(t.done_to, t.flush_to),
              revived = t.revived - case when t.flush_to <= t.done_to then 1 else 0 end,
              state = case when t.next_at is not null or t.revived > case when t.flush_to <= t.done_to then 1 else 0 end
                           then 'PENDING' else 'IDLE' end,
              turn_at = case when t.revived > case when t.flush_to <= t.done_to then 1 else 0 end then {now} else t.next_at end,
              idle_at = case when t.next_at is null and t.revived <= case when t.flush_to <= t.done_to then 1 else 0 end then {now} end
         from unnest(:v_id, :v_fence, :v_error) as v (id, fence, error)
        where t.id = v.id and t.fence = v.fence and t.buffer_id + 0 = :buffer and t.state = 'DOING'
          and t.id = any (array(select id from turno_buffer where id = any (:v_id) order by id for update skip locked))
       returning t.id, t.fence, t.buffer_key, t.flush_from, t.flush_to, v.error),
     parked as (
       insert into turno_buffer_dead as d (buffer_id, header_id, flush_from, flush_to, buffer_key, attempt, dead_at, error)
       select :buffer, o.id, o.flush_from, o.flush_to, o.buffer_key, b.attempt, {now}, o.error
         from over o join turno_buffer b on b.id = o.id
       on conflict (header_id, flush_to) do update
          set revived = false, attempt = excluded.attempt, dead_at = excluded.dead_at, error = excluded.error)
select id, fence from over;

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select id from turno_buffer where id = any (array(select unnest(:ids))) and buffer_id + 0 = :buffer and state = 'DOING' for update skip locked;

-- name: outcome
select id, state, fence, over_fence, holder from turno_buffer where id = any (array(select unnest(:ids))) and buffer_id + 0 = :buffer;

-- name: give-back
update turno_buffer t
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1
  from unnest(:v_id, :v_fence) as v (id, fence)
 where t.id = v.id and t.fence = v.fence and t.buffer_id + 0 = :buffer and t.state = 'DOING'
   and t.id = any (array(select id from turno_buffer where id = any (:v_id) order by id for update skip locked));

-- name: give-back-unknown
update turno_buffer
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1
 where id = any (array(
       select b.id from turno_buffer b
        where b.buffer_id = :buffer and b.turn_at <= {now} and b.holder = :holder and b.state = 'DOING'
          and not exists (select 1 from unnest(:v_id, :v_fence) as v (id, fence) where v.id = b.id and v.fence = b.fence)
        for update skip locked));

-- name: free
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name.
update turno_buffer
   set state = 'PENDING', holder = null, held_until = null
 where id = any (array(
       select id from turno_buffer
        where turn_at is not null and holder = any (:holders) and state = 'DOING'
        limit :limit for update skip locked));

-- name: find
select b.buffer_key, b.state, b.seq, b.done_to, b.flush_from, b.flush_to, b.frozen, b.waiting_bytes, b.attempt, b.fence, b.turn_at,
       b.next_at, b.held_until, b.error, h.node,
       (select count(*) from turno_buffer_dead d where d.header_id = b.id) as dead
  from turno_buffer b left join turno_holder h on h.id = b.holder
 where b.buffer_id = :buffer and b.buffer_key = :key;

-- name: counts
select (select count(*) from (select 1 from turno_buffer where buffer_id = :buffer and turn_at is not null and state = 'PENDING'
                               limit :limit) p) as pending,
       (select count(*) from (select 1 from turno_buffer where buffer_id = :buffer and turn_at is not null and state = 'DOING'
                               limit :limit) d) as doing,
       (select count(*) from (select 1 from turno_buffer_dead where buffer_id = :buffer limit :limit) x) as dead;

-- name: list-dead
select d.id, d.header_id, d.flush_from, d.flush_to, d.buffer_key, d.attempt, d.dead_at, d.revived, d.error
  from turno_buffer_dead d
 where d.buffer_id = :buffer and d.id < :before
 order by d.id desc limit :limit;

-- name: find-dead
select d.id, d.header_id, d.flush_from, d.flush_to, d.buffer_key, d.attempt, d.dead_at, d.revived, d.error
  from turno_buffer_dead d where d.buffer_id = :buffer and d.id = :row;

-- name: revive-lock
select b.id from turno_buffer b
 where b.id = (select d.header_id from turno_buffer_dead d where d.buffer_id = :buffer and d.id = :row)
   for update;

-- name: revive
update turno_buffer_dead set revived = true where buffer_id = :buffer and id = :row and not revived;

-- name: revive-turn
-- It goes as soon as the burst under way is over, and before the messages that wait.
update turno_buffer
   set revived = revived + 1, idle_at = null, state = case when state = 'IDLE' then 'PENDING' else state end,
       turn_at = case when frozen then turn_at else {now} end
 where id = :row;

-- name: prune-ids
delete from turno_buffer_id
 where ctid = any (array(
       select ctid from turno_buffer_id
        where buffer_id = :buffer and added_at < {now} - :keep_us * interval '1 microsecond'
        order by added_at limit :limit for update skip locked));

-- name: prune-keys
delete from turno_buffer
 where id = any (array(
       select b.id from turno_buffer b
        where b.buffer_id = :buffer and b.idle_at < {now} - :keep_us * interval '1 microsecond'
          and not exists (select 1 from turno_buffer_dead d where d.header_id = b.id)
        order by b.idle_at limit :limit for update skip locked));

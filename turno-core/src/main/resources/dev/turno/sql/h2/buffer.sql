-- A moment travels as microseconds since 1970; H2 overflows unless the days are added first.
-- What is finished has no turn, and H2 reads it before the rest: "turn_at > year 1" lets it begin behind that.

-- name: define
insert into turno_buffer_setting (namespace, buffer) values (:namespace, :buffer);

-- name: setting
select id from turno_buffer_setting where namespace = :namespace and buffer = :buffer;

-- name: settings
select buffer from turno_buffer_setting where namespace = :namespace order by buffer;

-- name: add-lock
-- All adds of a key come one after the other.
select id from turno_buffer where buffer_id = :buffer and buffer_key = :key for update;

-- name: add-key
-- The fence starts at the moment, so that it is higher than any this key had before it was forgotten.
insert into turno_buffer (buffer_id, buffer_key, state, seq, waiting_bytes, fence, idle_at)
values (:buffer, :key, 'IDLE', 0, 0, cast(extract(epoch from {now}) * 1000000 as bigint), {now});

-- name: add-lag
-- The clock stands still within a transaction. This is how long ago the caller's began.
select datediff(microsecond, current_timestamp(6), executing_statement_start) as lag_us
  from information_schema.sessions where session_id = session_id();

-- name: add-known
select message_id from turno_buffer_id where buffer_id = :buffer and buffer_key = :key and message_id = any (:ids);

-- name: add-ids
insert into turno_buffer_id (buffer_id, buffer_key, message_id, added_at)
select :buffer, :key, m.message_id, {now} from unnest(cast(:ids as varchar array)) as m (message_id);

-- name: add-turn
-- While a burst is under way turn_at is its own; next_at is the moment of those that wait.
update turno_buffer
   set state = case when state = 'IDLE' then 'PENDING' else state end, seq = seq + :total, waiting_bytes = waiting_bytes + :bytes,
       latest_at = case when :flush or seq + :total - greatest(done_to, flush_to) >= :max_count or waiting_bytes + :bytes >= :max_bytes
                        then least(coalesce(latest_at, {now}), {now})
                        else coalesce(latest_at, dateadd(microsecond, :max_wait_us, {now})) end,
       next_at = case when :flush or seq + :total - greatest(done_to, flush_to) >= :max_count or waiting_bytes + :bytes >= :max_bytes
                      then least(coalesce(latest_at, {now}), {now})
                      else least(dateadd(microsecond, :quiet_us, {now}),
                                 coalesce(latest_at, dateadd(microsecond, :max_wait_us, {now}))) end,
       turn_at = case when frozen or revived > 0 then turn_at
                      when :flush or seq + :total - greatest(done_to, flush_to) >= :max_count or waiting_bytes + :bytes >= :max_bytes
                      then least(coalesce(latest_at, {now}), {now})
                      else least(dateadd(microsecond, :quiet_us, {now}),
                                 coalesce(latest_at, dateadd(microsecond, :max_wait_us, {now}))) end,
       idle_at = null
 where id = :row;

-- name: add-messages
insert into turno_buffer_message (header_id, seq, added_at, sent_at, message_id, type, body)
select b.id, b.seq - :total + m.n, {now},
       dateadd(microsecond, mod(m.sent_us, 86400000000), dateadd(day, m.sent_us / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')),
       m.message_id, m.type, m.body
  from turno_buffer b
 cross join unnest(cast(:m_id as varchar array), cast(:m_sent_us as bigint array), cast(:m_type as varchar array),
                   cast(:m_body as varchar array)) with ordinality as m (message_id, sent_us, type, body, n)
 where b.id = :row;

-- name: add-answer
select 0 as stored, seq, next_at, datediff(microsecond, {now}, next_at) - :lag_us as wait_us from turno_buffer where id = :row;

-- name: typing
update turno_buffer
   set next_at = least(dateadd(microsecond, :quiet_us, {now}), latest_at),
       turn_at = case when frozen or revived > 0 then turn_at
                      else least(dateadd(microsecond, :quiet_us, {now}), latest_at) end
 where buffer_id = :buffer and buffer_key = :key
   and next_at < least(dateadd(microsecond, :quiet_us, {now}), latest_at);

-- name: flush
-- A burst that waits for its retry goes now, too.
update turno_buffer
   set latest_at = case when next_at is not null then least(latest_at, {now}) end,
       next_at = case when next_at is not null then least(next_at, {now}) end,
       turn_at = case when state = 'PENDING' then least(turn_at, {now}) else turn_at end
 where buffer_id = :buffer and buffer_key = :key and (next_at is not null or state = 'PENDING');

-- name: take-find
-- No "order by": together with "for update" H2 would lock every row that is due. The index gives the order.
select id from turno_buffer use index (turno_buffer_turn)
 where buffer_id = :buffer and turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and turn_at <= {now}
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
   and exists (select 1 from turno_holder where id = :holder and reaped_at is null)
 limit :limit for update skip locked;

-- name: take-mark
-- What is taken for the first time is frozen, at most :max_count messages of it; a burst that was frozen before stays as it is. A dead
-- one that somebody revived goes first.
update turno_buffer b
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1, frozen = true,
       held_until = dateadd(microsecond, :max_run_us, {now}),
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
 where id = any (:ids);

-- name: taken
select id, buffer_key, fence, attempt, flush_from, flush_to, flush_to <= done_to as revived from turno_buffer where id = any (:ids);

-- name: stuck
-- Rows that were due a moment ago and that nobody has: perhaps they are locked all the time by those who add to them.
select id from turno_buffer use index (turno_buffer_turn)
 where buffer_id = :buffer and turn_at > timestamp with time zone '0001-01-01 00:00:00+00'
   and turn_at <= dateadd(millisecond, -50, {now})
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 limit :limit;

-- name: lock-wait
-- Waits in line for a row, but not for long: somebody may keep a transaction open.
select id from turno_buffer where id = :row for update wait 0.25;

-- name: lock
select id from turno_buffer where id = :row for update;

-- name: messages
select m.header_id, m.seq, m.added_at, m.sent_at, m.message_id, m.type, m.body, datediff(microsecond, m.added_at, {now}) as age_us
  from unnest(cast(:v_id as bigint array), cast(:v_from as bigint array), cast(:v_to as bigint array)) as v (id, from_seq, to_seq)
  join turno_buffer_message m on m.header_id = v.id and m.seq > v.from_seq and m.seq <= v.to_seq;

-- name: until-next
select datediff(microsecond, {now}, t.turn_at) as wait_us
  from (select turn_at from turno_buffer
         where buffer_id = :buffer and turn_at > {now} order by turn_at limit 1) t;

-- name: done-find
-- Rows that somebody has locked are passed over and asked again: one key must not keep the others waiting.
select t.id, t.fence, t.flush_from, t.flush_to
  from turno_buffer t
 where t.id = any (:v_id) and t.buffer_id = :buffer and t.state = 'DOING'
   and t.fence = (select max(v.fence) from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array)) as v (id, fence)
                   where v.id = t.id)
   for update skip locked;

-- name: done-mark
-- Whether newer messages wait is read from the key's own row, which the lock makes current.
update turno_buffer
   set
       over_fence = fence, held_until = null, attempt = 0, error = null,
       revived = revived - case when flush_to <= done_to then 1 else 0 end,
       state = case when next_at is not null or revived > case when flush_to <= done_to then 1 else 0 end then 'PENDING' else 'IDLE' end,
       turn_at = case when revived > case when flush_to <= done_to then 1 else 0 end then {now} else next_at end,
       idle_at = case when next_at is null and revived <= case when flush_to <= done_to then 1 else 0 end then {now} end,
       done_to = greatest(done_to, flush_to), frozen = false
 where id = any (:ids);

-- name: done-sent
-- Exactly the burst goes.
merge into turno_buffer_message m
using (select v.id, v.from_seq, v.to_seq
         from unnest(cast(:b_id as bigint array), cast(:b_from as bigint array), cast(:b_to as bigint array)) as v (id, from_seq, to_seq)) v
   on (m.header_id = v.id and m.seq > v.from_seq and m.seq <= v.to_seq)
 when matched then delete;

-- name: done-alive
merge into turno_buffer_dead d
using (select v.id, v.to_seq from unnest(cast(:b_id as bigint array), cast(:b_to as bigint array)) as v (id, to_seq)) v
   on (d.header_id = v.id and d.flush_to = v.to_seq)
 when matched then delete;

-- name: again-mark
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
merge into turno_buffer t
using (select v.id, v.fence, v.in_us, v.error
         from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array), cast(:v_in_us as bigint array),
                     cast(:v_error as varchar array)) as v (id, fence, in_us, error)) v
   on (t.id = v.id and t.fence = v.fence and t.buffer_id = :buffer and t.state = 'DOING')
 when matched then update
  set state = 'PENDING', held_until = null, turn_at = dateadd(microsecond, v.in_us, {now}), error = v.error;

-- name: dead-mark
-- Before the burst is over: it becomes a row of its own, its messages stay where they are, and the key goes on.
merge into turno_buffer_dead d
using (select t.id, t.flush_from, t.flush_to, t.buffer_key, t.attempt, v.error
         from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array), cast(:v_error as varchar array)) as v (id, fence, error)
         join turno_buffer t on t.id = v.id and t.fence = v.fence and t.buffer_id = :buffer and t.state = 'DOING') t
   on (d.header_id = t.id and d.flush_to = t.flush_to)
 when matched then update set revived = false, attempt = t.attempt, dead_at = {now}, error = t.error
 when not matched then insert (buffer_id, header_id, flush_from, flush_to, buffer_key, attempt, dead_at, error)
      values (:buffer, t.id, t.flush_from, t.flush_to, t.buffer_key, t.attempt, {now}, t.error);

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select id from turno_buffer where id = any (:ids) and buffer_id = :buffer and state = 'DOING' for update skip locked;

-- name: outcome
select id, state, fence, over_fence, holder from turno_buffer where id = any (:ids) and buffer_id = :buffer;

-- name: give-back-find
select t.id
  from turno_buffer t
 where t.id = any (:v_id) and t.buffer_id = :buffer and t.state = 'DOING'
   and t.fence = (select max(v.fence) from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array)) as v (id, fence)
                   where v.id = t.id)
   for update skip locked;

-- name: give-back-mark
update turno_buffer set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1 where id = any (:ids);

-- name: give-back-unknown-find
select b.id from turno_buffer b
 where b.buffer_id = :buffer and b.turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and b.turn_at <= {now} and b.holder = :holder and b.state = 'DOING'
   and not exists (select 1 from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array)) as v (id, fence)
                    where v.id = b.id and v.fence = b.fence)
 for update skip locked;

-- name: give-back-unknown-mark
update turno_buffer set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1 where id = any (:ids);

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name.
select id from turno_buffer where turn_at is not null and holder = any (:holders) and state = 'DOING'
 limit :limit for update skip locked;

-- name: free-mark
update turno_buffer set state = 'PENDING', holder = null, held_until = null where id = any (:ids);

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
 where buffer_id = :buffer and added_at < dateadd(microsecond, - :keep_us, {now})
 fetch first :limit rows only;

-- name: prune-keys-find
select b.id from turno_buffer b use index (turno_buffer_idle)
 where b.buffer_id = :buffer and b.idle_at < dateadd(microsecond, - :keep_us, {now})
   and not exists (select 1 from turno_buffer_dead d where d.header_id = b.id)
 limit :limit for update skip locked;

-- name: prune-keys-mark
delete from turno_buffer where id = any (:ids);

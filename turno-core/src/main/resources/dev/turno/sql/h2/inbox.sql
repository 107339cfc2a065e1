-- A moment travels as microseconds since 1970; H2 overflows unless the days are added first.
-- What is finished has no turn, and H2 reads it before the rest: "turn_at > year 1" lets it begin behind that.

-- name: define
insert into turno_inbox_setting (namespace, inbox) values (:namespace, :inbox);

-- name: setting
select id, inbox, paused, concurrency from turno_inbox_setting where namespace = :namespace and inbox = :inbox;

-- name: settings
select id, inbox, paused, concurrency from turno_inbox_setting where namespace = :namespace order by inbox;

-- name: pause
update turno_inbox_setting set paused = :paused where id = :inbox;

-- name: limit
update turno_inbox_setting set concurrency = :concurrency where id = :inbox;

-- name: put
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
values (:inbox, :message_id, :class, 'PENDING',
        coalesce(dateadd(microsecond, mod(cast(:at_us as bigint), 86400000000), dateadd(day, cast(:at_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')),
                 dateadd(microsecond, :delay_us, {now})),
        {now}, :trace, :body);

-- name: put-in-lane
-- As put, behind the rows ahead of it in its lane: until then its turn is at the far moment. Answers its number, because a look for it by the
-- message's id may find a row that stood there before, if the caller's transaction began to read then.
select id from final table (
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
values (:inbox, :message_id, :class, 'PENDING', timestamp with time zone '9999-12-31 00:00:00+00',
        coalesce(dateadd(microsecond, mod(cast(:at_us as bigint), 86400000000), dateadd(day, cast(:at_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')),
                 dateadd(microsecond, :delay_us, {now})),
        :lane, :lane_seq, {now}, :trace, :body));

-- name: put-all
-- The far moment means: not before the rows ahead of it in its lane.
select id, message_id from final table (
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
select :inbox, d.message_id, d.class, 'PENDING',
       case when d.lane_id is null then d.due_at else timestamp with time zone '9999-12-31 00:00:00+00' end,
       case when d.lane_id is not null then d.due_at end, d.lane_id, d.lane_seq, {now}, d.trace, d.body
  from (select m.message_id, m.class, m.lane_id, m.lane_seq, m.body, m.trace, m.n,
               coalesce(dateadd(microsecond, mod(m.at_us, 86400000000), dateadd(day, m.at_us / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')),
                        dateadd(microsecond, m.delay_us, {now})) as due_at
          from unnest(cast(:m_id as varchar array), cast(:m_class as bigint array), cast(:m_at_us as bigint array),
                      cast(:m_delay_us as bigint array), cast(:m_lane as bigint array), cast(:m_lane_seq as bigint array),
                      cast(:m_body as varchar array), cast(:m_trace as varchar array))
               with ordinality as m (message_id, class, at_us, delay_us, lane_id, lane_seq, body, trace, n)) d
 where not exists (select 1 from turno_inbox t where t.inbox_id = :inbox and t.message_id = d.message_id)
 order by d.n);

-- name: put-all-now
-- As put-all, for messages that wait neither for a moment nor behind others.
select message_id from final table (
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
select :inbox, m.message_id, m.class, 'PENDING', {now}, {now}, m.trace, m.body
  from unnest(cast(:m_id as varchar array), cast(:m_class as bigint array), cast(:m_body as varchar array), cast(:m_trace as varchar array))
       with ordinality as m (message_id, class, body, trace, n)
 where not exists (select 1 from turno_inbox t where t.inbox_id = :inbox and t.message_id = m.message_id)
 order by m.n);

-- name: same
-- What stands under ids that were there already.
select message_id, state, body from turno_inbox where inbox_id = :inbox and message_id = any (:ids);

-- name: take-classes
-- The classes in which something is due, unless this holder was declared dead or the inbox is paused.
select c.class from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as c (class)
 where exists (select 1 from turno_inbox m where m.inbox_id = :inbox and m.class = c.class
                  and m.turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and m.turn_at <= {now})
   and exists (select 1 from turno_holder where id = :holder and reaped_at is null)
   and exists (select 1 from turno_inbox_setting where id = :inbox and not paused and (concurrency is null or :in_slots))
 order by c.class;

-- name: take-find
-- No "order by": together with "for update" H2 would lock every row that is due. The index gives the order.
-- What others have in hand is passed over, unless it lapsed or its holder was declared dead.
select id, message_id, class, fence + 1 as fence, attempt + 1 as attempt, put_at, trace, body,
       (select l.lane from turno_lane l where l.id = lane_id) as lane
  from turno_inbox use index (turno_inbox_turn)
 where inbox_id = :inbox and class = :class and turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and turn_at <= {now}
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 limit :limit for update skip locked;

-- name: take-mark
update turno_inbox
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1,
       held_until = dateadd(microsecond, :max_run_us, {now})
 where id = any (:ids);

-- name: free-slots
-- A slot is free when the claim it names is over, has lapsed, or is a dead holder's. Once over, a claim never comes back: its fence is spent.
-- What this locks has to be looked at again: while it waited for a lock, the slot may have been given to another claim.
select s.slot from turno_slot s
 where s.kind = 'inbox' and s.scope_id = :scope
   and s.slot <= (select i.concurrency from turno_inbox_setting i where i.id = :scope)
   and not exists (select 1 from turno_inbox m
                    where m.id = s.row_id and m.fence = s.fence and m.state = 'DOING' and m.held_until > {now}
                      and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null))
 limit :limit for update skip locked;

-- name: still-free-slots
-- A statement of its own, so that it sees what was committed before the locks were granted. While a lowered limit takes effect, what
-- still runs in the slots above it counts too; those can only become fewer.
select s.slot,
       (select count(*) from turno_slot a join turno_inbox m on m.id = a.row_id and m.fence = a.fence
         where a.kind = 'inbox' and a.scope_id = :scope
           and a.slot > (select i.concurrency from turno_inbox_setting i where i.id = :scope)
           and m.state = 'DOING' and m.held_until > {now}
           and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null)) as above
  from turno_slot s
 where s.kind = 'inbox' and s.scope_id = :scope and s.slot = any (:slots)
   and not exists (select 1 from turno_inbox m
                    where m.id = s.row_id and m.fence = s.fence and m.state = 'DOING' and m.held_until > {now}
                      and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null));

-- name: until-next
select datediff(microsecond, {now}, min(t.turn_at)) as wait_us
  from (select (select m.turn_at from turno_inbox m
                 where m.inbox_id = :inbox and m.class = c.class and m.turn_at > {now}
                 order by m.turn_at limit 1) as turn_at
          from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as c (class)) t
 where t.turn_at < timestamp with time zone '9999-01-01 00:00:00+00';

-- name: done
-- Rows in a lane are finished apart, under the lane's lock: the next in line gets its turn in the same transaction.
-- All rows of one call have the same fence, which nearly all rows of a batch have.
update turno_inbox t
   set state = 'DONE', end_state = 'DONE', turn_at = null, finished_at = {now}, error = null
 where t.id = any (:ids) and t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: done-gone-find
select t.id from turno_inbox t
 where t.id = any (:ids) and t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane
   for update;

-- name: done-gone-mark
delete from turno_inbox where id = any (:ids);

-- name: again
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
merge into turno_inbox t
using (select v.id, v.fence, v.in_us, v.error
         from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array), cast(:v_in_us as bigint array),
                     cast(:v_error as varchar array)) as v (id, fence, in_us, error)) v
   on (t.id = v.id and t.fence = v.fence and t.inbox_id = :inbox and t.state = 'DOING')
 when matched then update
  set state = 'PENDING', held_until = null, turn_at = dateadd(microsecond, v.in_us, {now}), error = v.error;

-- name: dead
merge into turno_inbox t
using (select v.id, v.fence, v.error
         from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array), cast(:v_error as varchar array))
              as v (id, fence, error)) v
   on (t.id = v.id and t.fence = v.fence and t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane)
 when matched then update set state = 'DEAD', end_state = 'DEAD', turn_at = null, finished_at = {now}, error = v.error;

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select id from turno_inbox where id = any (:ids) and inbox_id = :inbox and state = 'DOING' for update skip locked;

-- name: outcome
select id, state, fence, holder, lane_id from turno_inbox where id = any (:ids) and inbox_id = :inbox;

-- name: renew-find
-- Renewing keeps the fence: whoever was shown it must go on trusting it. A claim that lapsed but that nobody took over is still good.
-- It passes to :holder, because a worker outside may renew through another server than the one it took from.
-- What somebody has locked is passed over: whoever renews may be the one thread that writes for all.
select t.id from turno_inbox t
 where t.id = any (:ids) and t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING' for update skip locked;

-- name: renew-mark
update turno_inbox set holder = :holder, held_until = dateadd(microsecond, :max_run_us, {now}) where id = any (:ids);

-- name: claims
select m.id, m.message_id, m.state, m.fence, m.attempt, h.node
  from turno_inbox m
  left join turno_holder h on h.id = m.holder
 where m.inbox_id = :inbox and m.message_id = any (:ids);

-- name: give-back
update turno_inbox t
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1
 where t.id = any (:ids) and t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING';

-- name: give-back-unknown-find
-- By the index that leaves out what is finished.
select m.id from turno_inbox m use index (turno_inbox_end)
 where m.inbox_id = :inbox and m.end_state is null and m.turn_at <= {now} and m.holder = :holder and m.state = 'DOING'
   and not exists (select 1 from unnest(cast(:v_id as bigint array), cast(:v_fence as bigint array)) as v (id, fence)
                    where v.id = m.id and v.fence = m.fence)
 for update skip locked;

-- name: give-back-unknown-mark
update turno_inbox set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1 where id = any (:ids);

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name.
select id from turno_inbox
 where id in (select m.id from turno_inbox_setting s join turno_inbox m use index (turno_inbox_end) on m.inbox_id = s.id and m.end_state is null
               where m.state = 'DOING' and m.holder = any (:holders))
   and state = 'DOING' and holder = any (:holders)
 limit :limit for update skip locked;

-- name: free-mark
-- The attempt is not returned: whatever was in the hands of a process that died may be what killed it.
update turno_inbox set state = 'PENDING', holder = null, held_until = null where id = any (:ids);

-- name: next-in-lane
select id from turno_inbox
 where lane_id = :lane and end_state is null
 order by lane_seq limit 1;

-- name: give-turn
update turno_inbox set turn_at = greatest({now}, coalesce(not_before, {now})) where id = :row and state = 'PENDING';

-- name: give-turn-to-head
update turno_inbox set turn_at = {now}
 where id = :row and state = 'PENDING' and exists (select 1 from turno_lane where id = :lane and head_id = :row);

-- name: find
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node, m.body
  from turno_inbox m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.inbox_id = :inbox and m.message_id = :message_id;

-- name: cancel
update turno_inbox set state = 'CANCELLED', end_state = 'CANCELLED', turn_at = null, finished_at = {now}
 where id = :row and state in ('PENDING', 'DEAD');

-- name: hasten
-- One that waits behind another of its ordering key stays there.
update turno_inbox set turn_at = {now}
 where id = :row and state = 'PENDING' and turn_at > {now} and turn_at < timestamp with time zone '9999-12-31 00:00:00+00';

-- name: revive
-- The fence is not touched: it never goes back.
update turno_inbox
   set state = 'PENDING', end_state = null, held_until = null, attempt = 0, finished_at = null,
       turn_at = case when lane_id is null then {now} else timestamp with time zone '9999-12-31 00:00:00+00' end
 where id = :row and state = 'DEAD';

-- name: revive-all
update turno_inbox set state = 'PENDING', end_state = null, held_until = null, attempt = 0, finished_at = null, turn_at = {now}
 where id = any (:ids) and state = 'DEAD' and lane_id is null;

-- name: find-dead
select id, finished_at, lane_id from turno_inbox
 where inbox_id = :inbox and end_state = 'DEAD'
   and (finished_at, id) > (dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
   and (cast(:text as varchar) is null or locate(:text, message_id) > 0 or locate(:text, error) > 0)
 order by finished_at, id limit :limit;

-- name: list-waiting
-- Among the next :searched rows, so that it costs no more than that however rare a text is; list-waiting-end says where they end.
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and turn_at is not null
           and (class, turn_at, id)
             > (:after_class, dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
         order by class, turn_at, id limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.state = 'PENDING' and (cast(:text as varchar) is null or locate(:text, m.message_id) > 0 or locate(:text, m.error) > 0)
 order by m.class, m.turn_at, m.id limit :limit;

-- name: list-waiting-end
select class, turn_at, id from turno_inbox
 where inbox_id = :inbox and turn_at is not null
   and (class, turn_at, id)
     > (:after_class, dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
 order by class, turn_at, id limit 1 offset :passed;

-- name: list-doing
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from turno_inbox m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.inbox_id = :inbox and m.turn_at is not null and m.state = 'DOING' and m.id > :after_id
   and m.held_until < dateadd(microsecond, :left_us, {now})
   and (cast(:text as varchar) is null or locate(:text, m.message_id) > 0)
 order by m.id limit :limit;

-- name: list-finished
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and end_state = :state
           and (finished_at, id) < (dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
         order by finished_at desc, id desc limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where (cast(:text as varchar) is null or locate(:text, m.message_id) > 0 or locate(:text, m.error) > 0)
 order by m.finished_at desc, m.id desc limit :limit;

-- name: list-finished-end
select finished_at, id from turno_inbox
 where inbox_id = :inbox and end_state = :state
   and (finished_at, id) < (dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
 order by finished_at desc, id desc limit 1 offset :passed;

-- name: counts
-- Counted up to a limit through indexes, so that it costs the same however many rows there are. What is in hand stands at the head
-- of the turn index, so DOING is counted among the oldest.
select 'PENDING' as state, count(*) as n from (
       select 1 from turno_inbox where inbox_id = :inbox and turn_at is not null and state = 'PENDING' limit :limit) p
union all
select 'DOING', count(*) from (
       select state from turno_inbox where inbox_id = :inbox and turn_at <= {now} order by inbox_id, class, turn_at, id
        limit 20000) d where d.state = 'DOING'
union all
select 'DONE', count(*) from (select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DONE' limit :limit) f
union all
select 'DEAD', count(*) from (select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DEAD' limit :limit) f
union all
select 'CANCELLED', count(*) from (
       select 1 from turno_inbox where inbox_id = :inbox and end_state = 'CANCELLED' limit :limit) f;

-- name: prune-find
-- In the order of one index and a few at a time, so that it never waits for anybody and nobody for it.
select id from turno_inbox use index (turno_inbox_end)
 where inbox_id = :inbox and end_state = :state and finished_at < dateadd(microsecond, - :keep_us, {now})
 limit :limit for update skip locked;

-- name: prune-mark
delete from turno_inbox where id = any (:ids);

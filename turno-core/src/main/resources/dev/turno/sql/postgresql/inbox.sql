-- name: define
insert into turno_inbox_setting (namespace, inbox) values (:namespace, :inbox)
on conflict (namespace, inbox) do nothing;

-- name: setting
select id, inbox, paused, concurrency from turno_inbox_setting where namespace = :namespace and inbox = :inbox;

-- name: settings
select id, inbox, paused, concurrency from turno_inbox_setting where namespace = :namespace order by inbox;

-- name: pause
update turno_inbox_setting set paused = :paused where id = :inbox;

-- name: limit
update turno_inbox_setting set concurrency = :concurrency where id = :inbox;

-- name: put
-- A turn is never before the put: the takes rely on it.
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
values (:inbox, :message_id, :class, 'PENDING',
        greatest({now}, coalesce(timestamptz 'epoch' + cast(:at_us as bigint) * interval '1 microsecond',
                                 {now} + :delay_us * interval '1 microsecond')),
        {now}, :trace, :body)
on conflict (inbox_id, message_id) do nothing;

-- name: put-in-lane
-- As put, behind the rows ahead of it in its lane: until then its turn is at the far moment. Answers its number, because a look for it by the
-- message's id may find a row that stood there before, if the caller's transaction began to read then.
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
values (:inbox, :message_id, :class, 'PENDING', timestamptz '9999-12-31 00:00:00+00',
        greatest({now}, coalesce(timestamptz 'epoch' + cast(:at_us as bigint) * interval '1 microsecond',
                                 {now} + :delay_us * interval '1 microsecond')),
        :lane, :lane_seq, {now}, :trace, :body)
on conflict (inbox_id, message_id) do nothing
returning id;

-- name: put-taken
-- For a worker of the putting process that has nothing to do: born in its hands, as if it had been put and taken at once. The conditions are
-- those of a take without slots; where one does not hold, it is put as usual.
insert into turno_inbox (inbox_id, message_id, class, state, holder, fence, attempt, held_until, turn_at, put_at, trace, body)
select :inbox, :message_id, :class, 'DOING', :holder, 1, 1, {now} + :max_run_us * interval '1 microsecond', {now}, {now},
       cast(:trace as varchar), :body
 where exists (select 1 from turno_holder where id = :holder and reaped_at is null)
   and exists (select 1 from turno_inbox_setting where id = :inbox and not paused and concurrency is null)
on conflict (inbox_id, message_id) do nothing
returning id, put_at;

-- name: put-all
-- The far moment means: not before the rows ahead of it in its lane.
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
select :inbox, d.message_id, d.class, 'PENDING',
       case when d.lane_id is null then d.due_at else timestamptz '9999-12-31 00:00:00+00' end,
       case when d.lane_id is not null then d.due_at end, d.lane_id, d.lane_seq, {now}, d.trace, d.body
  from (select m.*, greatest({now}, coalesce(timestamptz 'epoch' + m.at_us * interval '1 microsecond',
                                             {now} + m.delay_us * interval '1 microsecond')) as due_at
          from unnest(:m_id, :m_class, :m_at_us, :m_delay_us, :m_lane, :m_lane_seq, :m_body, :m_trace)
               with ordinality as m (message_id, class, at_us, delay_us, lane_id, lane_seq, body, trace, n)) d
 order by d.n
on conflict (inbox_id, message_id) do nothing
returning id, message_id;

-- name: put-all-now
-- As put-all, for messages that wait neither for a moment nor behind others: nearly all, with half as many values to send. They are stored in
-- the order of the arrays, in which unnest answers.
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
select :inbox, m.message_id, m.class, 'PENDING', {now}, {now}, m.trace, m.body
  from unnest(:m_id, :m_class, :m_body, :m_trace) as m (message_id, class, body, trace)
on conflict (inbox_id, message_id) do nothing
returning message_id;

-- name: put-all-new
-- As put-all-now, asked before: which ids are there is one walk along the index, where on conflict would prepare for a conflict at each row,
-- and that costs half as much again as the insert. If somebody puts one of them at this very moment, the insert is refused as a whole.
-- Reading whole tables is off because a plan that is made while the inbox is empty is kept when it is full.
select set_config('enable_seqscan', 'off', true);
with there as materialized (
select message_id from turno_inbox where inbox_id = :inbox and message_id = any (:m_id))
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
select :inbox, m.message_id, m.class, 'PENDING', {now}, {now}, m.trace, m.body
  from unnest(:m_id, :m_class, :m_body, :m_trace) as m (message_id, class, body, trace)
 where m.message_id not in (select message_id from there)
returning message_id;

-- name: same
-- What stands under ids that were there already.
select message_id, state, body from turno_inbox where inbox_id = :inbox and message_id = any (:ids);

-- name: take
-- One statement, so two workers can never both find a row free. The array is built once, so no more than :limit rows are ever
-- locked; class by class, so that waiting rows of a high class in the future cost nothing to those that are due. What others have
-- in hand is passed over, unless it lapsed or its holder was declared dead. Rows are found again by their place on the page (ctid),
-- which cannot change while they are locked; a row that was changed between the two looks is simply left for the next take.
-- Sorting and reading whole tables are off because a vacuum that met an empty inbox leaves statistics by which both look cheap.
-- Below a class's floor there is nothing but dead entries, or so little that a look now and then is enough.
select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true);
update turno_inbox
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1,
       held_until = {now} + :max_run_us * interval '1 microsecond'
 where ctid = any (array(
       select m.ctid
         from unnest(:floors_us) with ordinality as c (floor_us, n)
        cross join lateral (
              select ctid from turno_inbox
               where inbox_id = :inbox and class = c.n - 1 and turn_at <= {now}
                 and turn_at >= timestamptz 'epoch' + c.floor_us * interval '1 microsecond'
                 and (held_until is null or held_until <= {now}
                      or holder in (select h.id from turno_holder h where h.reaped_at is not null))
               order by turn_at, id limit :limit for update skip locked) m
        where exists (select 1 from turno_holder where id = :holder and reaped_at is null)
          and exists (select 1 from turno_inbox_setting where id = :inbox and not paused and (concurrency is null or :in_slots))
        limit :limit))
returning id, message_id, class, fence, attempt, put_at, trace, body,
          case when lane_id is not null then (select l.lane from turno_lane l where l.id = lane_id) end as lane;

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
select cast(extract(epoch from (min(t.turn_at) - {now})) * 1000000 as bigint) as wait_us
  from generate_series(0, 9) as c (class)
 cross join lateral (
       select turn_at from turno_inbox
        where inbox_id = :inbox and class = c.class and turn_at > {now}
        order by turn_at limit 1) t
 where t.turn_at < timestamptz '9999-01-01 00:00:00+00';

-- name: done
-- Rows in a lane are finished apart, under the lane's lock: the next in line gets its turn in the same transaction.
-- All rows of one call have the same fence, which nearly all rows of a batch have: an array is found faster than a join. How many ids
-- there are is hidden from the planner: for one alone it would make a new plan each time, which costs more than the rest.
-- "+ 0" hides the column from the planner: on a table that was never analysed it would read the whole inbox by it.
update turno_inbox t
   set state = 'DONE', end_state = 'DONE', turn_at = null, finished_at = {now}, error = null
 where t.id = any (array(select unnest(:ids))) and t.fence = :fence and t.inbox_id + 0 = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: done-gone
delete from turno_inbox t
 where t.id = any (array(select unnest(:ids))) and t.fence = :fence and t.inbox_id + 0 = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane
returning t.id;

-- name: done-commit
-- One row, and the end of the handler's transaction in the same message to the server. If there is no such claim the division fails, and
-- what stood in the transaction is not committed.
with done as (
update turno_inbox t
   set state = 'DONE', end_state = 'DONE', turn_at = null, finished_at = {now}, error = null
 where t.id = :id and t.fence = :fence and t.inbox_id + 0 = :inbox and t.state = 'DOING' and t.lane_id is null
returning t.id)
select 1 / count(*) from done;
commit;

-- name: done-gone-commit
with gone as (
delete from turno_inbox t
 where t.id = :id and t.fence = :fence and t.inbox_id + 0 = :inbox and t.state = 'DOING' and t.lane_id is null
returning t.id)
select 1 / count(*) from gone;
commit;

-- name: again
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
update turno_inbox t
   set state = 'PENDING', held_until = null, turn_at = {now} + v.in_us * interval '1 microsecond', error = v.error
  from unnest(:v_id, :v_fence, :v_in_us, :v_error) as v (id, fence, in_us, error)
 where t.id = v.id and t.fence = v.fence and t.inbox_id + 0 = :inbox and t.state = 'DOING';

-- name: dead
update turno_inbox t
   set state = 'DEAD', end_state = 'DEAD', turn_at = null, finished_at = {now}, error = v.error
  from unnest(:v_id, :v_fence, :v_error) as v (id, fence, error)
 where t.id = v.id and t.fence = v.fence and t.inbox_id + 0 = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select id from turno_inbox where id = any (array(select unnest(:ids))) and inbox_id + 0 = :inbox and state = 'DOING' for update skip locked;

-- name: outcome
select id, state, fence, holder, lane_id from turno_inbox where id = any (array(select unnest(:ids))) and inbox_id + 0 = :inbox;

-- name: renew
-- Renewing keeps the fence: whoever was shown it must go on trusting it. A claim that lapsed but that nobody took over is still good.
-- It passes to :holder, because a worker outside may renew through another server than the one it took from.
-- What somebody has locked is passed over: whoever renews may be the one thread that writes for all.
update turno_inbox t
   set holder = :holder, held_until = {now} + :max_run_us * interval '1 microsecond'
 where t.id = any (array(
       select m.id from turno_inbox m
        where m.id = any (array(select unnest(:ids))) and m.fence = :fence and m.inbox_id + 0 = :inbox and m.state = 'DOING'
          for update skip locked))
   and t.fence = :fence and t.state = 'DOING';

-- name: claims
select m.id, m.message_id, m.state, m.fence, m.attempt, h.node
  from turno_inbox m
  left join turno_holder h on h.id = m.holder
 where m.inbox_id = :inbox and m.message_id = any (:ids);

-- name: give-back
update turno_inbox t
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1
 where t.id = any (:ids) and t.fence = :fence and t.inbox_id + 0 = :inbox and t.state = 'DOING';

-- name: give-back-unknown
-- What is in hand stands at the head of the turn index: the oldest are looked at, not all that wait.
update turno_inbox
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1
 where id = any (array(
       select m.id from turno_inbox m
        where m.id = any (array(
              select id from turno_inbox
               where inbox_id = :inbox and turn_at <= {now} order by inbox_id, class, turn_at, id limit 20000))
          and m.holder = :holder and m.state = 'DOING'
          and not exists (select 1 from unnest(:v_id, :v_fence) as v (id, fence) where v.id = m.id and v.fence = m.fence)
        for update skip locked));

-- name: free
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name. The attempt is not
-- returned: whatever was in the hands of a process that died may be what killed it.
update turno_inbox
   set state = 'PENDING', holder = null, held_until = null
 where id = any (array(
       select id from turno_inbox
        where turn_at is not null and holder = any (:holders) and state = 'DOING'
        limit :limit for update skip locked));

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
 where id = :row and state = 'PENDING' and turn_at > {now} and turn_at < timestamptz '9999-12-31 00:00:00+00';

-- name: revive
-- The fence is not touched: it never goes back.
update turno_inbox
   set state = 'PENDING', end_state = null, held_until = null, attempt = 0, finished_at = null,
       turn_at = case when lane_id is null then {now} else timestamptz '9999-12-31 00:00:00+00' end
 where id = :row and state = 'DEAD';

-- name: revive-all
update turno_inbox set state = 'PENDING', end_state = null, held_until = null, attempt = 0, finished_at = null, turn_at = {now}
 where id = any (:ids) and state = 'DEAD' and lane_id is null;

-- name: find-dead
select id, finished_at, lane_id from turno_inbox
 where inbox_id = :inbox and end_state = 'DEAD'
   and (finished_at, id) > (timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
   and (cast(:text as text) is null or strpos(message_id, :text) > 0 or strpos(error, :text) > 0)
 order by finished_at, id limit :limit;

-- name: list-waiting
-- Among the next :searched rows, so that it costs no more than that however rare a text is; list-waiting-end says where they end.
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and turn_at is not null
           and (class, turn_at, id)
             > (:after_class, timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
         order by class, turn_at, id limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.state = 'PENDING' and (cast(:text as text) is null or strpos(m.message_id, :text) > 0 or strpos(m.error, :text) > 0)
 order by m.class, m.turn_at, m.id limit :limit;

-- name: list-waiting-end
select class, turn_at, id from turno_inbox
 where inbox_id = :inbox and turn_at is not null
   and (class, turn_at, id)
     > (:after_class, timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
 order by class, turn_at, id limit 1 offset :passed;

-- name: list-doing
-- Among the oldest, as in counts.
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from generate_series(0, 9) as c (class)
 cross join lateral (
       select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
         from turno_inbox
        where inbox_id = :inbox and class = c.class and turn_at <= {now}
        order by turn_at, id limit 5000) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.state = 'DOING' and m.id > :after_id
   and m.held_until < {now} + :left_us * interval '1 microsecond'
   and (cast(:text as text) is null or strpos(m.message_id, :text) > 0)
 order by m.id limit :limit;

-- name: list-finished
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and end_state = :state
           and (finished_at, id) < (timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
         order by finished_at desc, id desc limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where (cast(:text as text) is null or strpos(m.message_id, :text) > 0 or strpos(m.error, :text) > 0)
 order by m.finished_at desc, m.id desc limit :limit;

-- name: list-finished-end
select finished_at, id from turno_inbox
 where inbox_id = :inbox and end_state = :state
   and (finished_at, id) < (timestamptz 'epoch' + :after_us * interval '1 microsecond', :after_id)
 order by finished_at desc, id desc limit 1 offset :passed;

-- name: counts
-- Counted up to a limit through indexes, so that it costs the same however many rows there are. What is in hand stands at the head
-- of the turn index, so DOING is counted among the oldest of each class; the rest is counted without looking at the rows. Without
-- the order the planner would first gather all that match.
with doing as materialized (
    select count(*) as n
      from generate_series(0, 9) as c (class)
     cross join lateral (
           select state from turno_inbox
            where inbox_id = :inbox and class = c.class and turn_at <= {now}
            order by turn_at, id limit 5000) oldest
     where oldest.state = 'DOING')
select 'PENDING' as state, least(:limit, count(*) - (select n from doing)) as n from (
       select 1 from turno_inbox where inbox_id = :inbox and turn_at is not null order by class, turn_at, id limit 2 * :limit) p
union all
select 'DOING', n from doing
union all
select 'DONE', count(*) from (
       select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DONE' order by finished_at, id limit :limit) f
union all
select 'DEAD', count(*) from (
       select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DEAD' order by finished_at, id limit :limit) f
union all
select 'CANCELLED', count(*) from (
       select 1 from turno_inbox where inbox_id = :inbox and end_state = 'CANCELLED' order by finished_at, id limit :limit) f;

-- name: prune
-- In the order of one index and a few at a time, so that it never waits for anybody and nobody for it.
delete from turno_inbox
 where id = any (array(
       select id from turno_inbox
        where inbox_id = :inbox and end_state = :state and finished_at < {now} - :keep_us * interval '1 microsecond'
        order by finished_at limit :limit for update skip locked));

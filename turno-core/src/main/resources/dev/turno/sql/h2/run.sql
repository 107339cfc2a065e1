-- A moment travels as microseconds since 1970; H2 overflows unless the days are added first.
-- What is finished has no turn, and H2 reads it before the rest: "turn_at > year 1" lets it begin behind that.

-- name: define
insert into turno_run_setting (namespace) values (:namespace);

-- name: setting
select id, concurrency, max_queued, paused from turno_run_setting where namespace = :namespace;

-- name: lock-setting
-- Whoever submits counts what is queued, one after the other: two that count at once would both find room.
select concurrency, max_queued, paused from turno_run_setting where id = :scope for update;

-- name: limit-concurrency
update turno_run_setting set concurrency = :concurrency where id = :scope;

-- name: limit-queued
update turno_run_setting set max_queued = :max_queued where id = :scope;

-- name: pause
update turno_run_setting set paused = :paused where id = :scope;

-- name: queued
-- Counted up to the limit, so that it costs the same however many there are.
select count(*) as n from (
       select 1 from turno_run where scope_id = :scope and turn_at is not null and state = 'PENDING' limit :limit) q;

-- name: submit
-- The far moment means: not before those ahead of it in its lanes.
select id from final table (
insert into turno_run (scope_id, submitted_at, not_before, lanes_ahead, state, turn_at, incremental, job, subject, action, first_id,
                       revives, lanes, parameters, chain)
values (:scope, {now}, dateadd(microsecond, :delay_us, {now}), :lanes_ahead, 'PENDING',
        case when cast(:lanes_ahead as integer) = 0 then dateadd(microsecond, :delay_us, {now}) else timestamp with time zone '9999-12-31 00:00:00+00' end,
        :incremental, :job, :subject, :action, :first, :revives, :lanes, :parameters, :chain));

-- name: stand-in-lane
insert into turno_run_lane (lane_id, lane_seq, run_id, place) values (:lane, :seq, :run, :place);

-- name: named-lanes-of
select l.id, l.lane from turno_run_lane r join turno_lane l on l.id = r.lane_id where r.run_id = :run order by r.place;

-- name: leave-lanes
delete from turno_run_lane where run_id = :run;

-- name: next-in-lane
select run_id as id from turno_run_lane where lane_id = :lane order by lane_seq limit 1;

-- name: give-turn
-- Decided from the row itself, which the update locks: two lanes may come free at the same moment.
update turno_run
   set turn_at = case when lanes_ahead = 1 then greatest({now}, not_before) else turn_at end, lanes_ahead = lanes_ahead - 1
 where id = :run;

-- name: take-may
select id from turno_run_setting where id = :scope and not paused
   and exists (select 1 from turno_holder where id = :holder and reaped_at is null);

-- name: take-find
-- In the order of the turns, which is fair: a subject's next run gets its turn when the one before it ends, behind those of other
-- subjects that already have theirs. Rows of jobs that are unknown here are left alone.
select id, job, subject, action, incremental, parameters, lanes, chain, first_id, revives, cursor_text,
          completed, skipped, letters, total, log_lines, fence + 1 as fence, attempt + 1 as attempt, turn_at
  from turno_run use index (turno_run_turn)
 where scope_id = :scope and turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and turn_at <= {now}
          and (held_until is null or held_until <= {now} or holder in (select h.id from turno_holder h where h.reaped_at is not null))
   and job = any (:jobs)
 limit :limit for update skip locked;

-- name: take-mark
update turno_run
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1,
       held_until = dateadd(microsecond, :max_run_us, {now}),
       started_at = coalesce(started_at, {now}), taken_at = {now}, taken_completed = completed
 where id = any (:ids);

-- name: free-slots
-- A slot is free when the claim it names is over, has lapsed, or is a dead holder's. What this locks has to be looked at again:
-- while it waited for a lock, the slot may have been given to another claim.
select s.slot from turno_slot s
 where s.kind = 'run' and s.scope_id = :scope
   and s.slot <= (select i.concurrency from turno_run_setting i where i.id = :scope)
   and not exists (select 1 from turno_run m
                    where m.id = s.row_id and m.fence = s.fence and m.state = 'DOING' and m.held_until > {now}
                      and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null))
 limit :limit for update skip locked;

-- name: still-free-slots
-- A statement of its own, so that it sees what was committed before the locks were granted. While a lowered limit takes effect, what
-- still runs in the slots above it counts too; those can only become fewer.
select s.slot,
       (select count(*) from turno_slot a join turno_run m on m.id = a.row_id and m.fence = a.fence
         where a.kind = 'run' and a.scope_id = :scope
           and a.slot > (select i.concurrency from turno_run_setting i where i.id = :scope)
           and m.state = 'DOING' and m.held_until > {now}
           and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null)) as above
  from turno_slot s
 where s.kind = 'run' and s.scope_id = :scope and s.slot = any (:slots)
   and not exists (select 1 from turno_run m
                    where m.id = s.row_id and m.fence = s.fence and m.state = 'DOING' and m.held_until > {now}
                      and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null));

-- name: until-next
select datediff(microsecond, {now}, min(turn_at)) as wait_us from turno_run
 where scope_id = :scope and turn_at > {now} and turn_at < timestamp with time zone '9999-01-01 00:00:00+00';

-- name: end
-- Asked of the row itself whether it shall stop, since the wish may come at this moment.
update turno_run t
   set state = case when stop_at is null then cast(:state as varchar) else cast(:if_stopped as varchar) end,
       end_state = case when stop_at is null then cast(:state as varchar) else cast(:if_stopped as varchar) end,
       turn_at = null, held_until = null, finished_at = {now}, stop_at = null, error = :error
 where t.id = :run and t.fence = :fence and t.scope_id = :scope and t.state = 'DOING';

-- name: again
-- Keeps its lanes. The holder's name stays, so that a repetition of this write can be told from a row freed by others. Being parked costs
-- no attempt. Not if somebody wishes it to stop.
update turno_run t
   set state = :state, attempt = case when :state = 'PARKED' then greatest(0, attempt - 1) else attempt end, held_until = null, turn_at = dateadd(microsecond, :in_us, {now}), error = :error
 where t.id = :run and t.fence = :fence and t.scope_id = :scope and t.state = 'DOING' and t.stop_at is null;

-- name: outcome
select id, state, fence, holder from turno_run where id = :run and scope_id = :scope;

-- name: give-back
-- At the end of the line: others waited while it ran.
update turno_run t
   set state = 'PENDING', holder = null, held_until = null, attempt = greatest(0, attempt - 1), turn_at = {now}
 where t.id = :run and t.fence = :fence and t.scope_id = :scope and t.state = 'DOING';

-- name: give-back-unknown-find
select id from turno_run
 where scope_id = :scope and turn_at > timestamp with time zone '0001-01-01 00:00:00+00' and turn_at <= {now} and holder = :holder and state = 'DOING'
   and not (id = any (:known))
 for update skip locked;

-- name: give-back-unknown-mark
update turno_run set state = 'PENDING', holder = null, held_until = null, attempt = greatest(0, attempt - 1) where id = any (:ids);

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody knows its job, waits under no name.
select id from turno_run
 where id in (select m.id from turno_run_setting s join turno_run m use index (turno_run_end) on m.scope_id = s.id and m.end_state is null
               where m.state = 'DOING' and m.holder = any (:holders))
   and state = 'DOING' and holder = any (:holders)
 limit :limit for update skip locked;

-- name: free-mark
update turno_run set state = 'PENDING', holder = null, held_until = null where id = any (:ids);

-- name: checkpoint
-- In the page's own transaction: what the page wrote and where the next one begins are stored together or not at all.
-- Progress was made, so the attempts begin anew. Whoever does a page a second time, because he did not hear that it was stored, is refused.
update turno_run t
   set cursor_text = :cursor, completed = completed + :completed, skipped = skipped + :skipped, letters = letters + :letters,
       total = coalesce(cast(:total as bigint), total), log_lines = log_lines + :log_lines, attempt = 0, error = null,
       checkpoint_at = {now}, held_until = dateadd(microsecond, :max_run_us, {now})
 where t.id = :run and t.fence = :fence and t.scope_id = :scope and t.state = 'DOING'
   and t.cursor_text is not distinct from cast(:before as varchar);

-- name: renew
update turno_run t set held_until = dateadd(microsecond, :max_run_us, {now})
 where t.id = :run and t.fence = :fence and t.scope_id = :scope and t.state = 'DOING';

-- name: stops-wished
select id from turno_run where id = any (:ids) and stop_at is not null;

-- name: ask-to-stop
update turno_run t set stop_at = {now} where t.id = :run and t.scope_id = :scope and t.state = 'DOING';

-- name: lock
select t.id from turno_run t where t.id = :run and t.scope_id = :scope for update;

-- name: end-waiting
update turno_run t
   set state = :state, end_state = :state, turn_at = null, held_until = null, finished_at = {now}, stop_at = null
 where t.id = :run and t.scope_id = :scope and t.state in ('PENDING', 'PARKED');

-- name: cancel-ended
update turno_run t set state = 'CANCELLED', end_state = 'CANCELLED', finished_at = {now}
 where t.id = :run and t.scope_id = :scope and t.state in ('STOPPED', 'DEAD');

-- name: resume
-- Its cursor stays: it goes on where it was. The fence is not touched: it never goes back.
update turno_run t
   set state = 'PENDING', end_state = null, finished_at = null, held_until = null, stop_at = null, attempt = 0, not_before = {now},
       lanes_ahead = :lanes_ahead,
       turn_at = case when cast(:lanes_ahead as integer) = 0 then {now} else timestamp with time zone '9999-12-31 00:00:00+00' end
 where t.id = :run and t.scope_id = :scope and t.state in ('STOPPED', 'DEAD');

-- name: find
select m.id, m.job, m.subject, m.action, m.first_id, m.revives, m.state, m.incremental, m.attempt, m.fence, m.submitted_at, m.turn_at,
       m.held_until, m.started_at, m.taken_at, m.checkpoint_at, m.finished_at, m.stop_at, m.completed, m.taken_completed, m.skipped,
       m.letters, m.total, m.lanes, m.parameters, m.chain, m.cursor_text, m.error, h.node
  from turno_run m
  left join turno_holder h on h.id = m.holder
 where m.id = :run and m.scope_id = :scope;

-- name: list-waiting
select m.id, m.job, m.subject, m.action, m.first_id, m.revives, m.state, m.incremental, m.attempt, m.fence, m.submitted_at, m.turn_at,
       m.held_until, m.started_at, m.taken_at, m.checkpoint_at, m.finished_at, m.stop_at, m.completed, m.taken_completed, m.skipped,
       m.letters, m.total, m.lanes, m.parameters, m.chain, m.cursor_text, m.error, h.node
  from turno_run m
  left join turno_holder h on h.id = m.holder
 where m.scope_id = :scope and m.turn_at is not null and m.state = :state and m.id > :after_id
 order by m.id limit :limit;

-- name: list-ended
select m.id, m.job, m.subject, m.action, m.first_id, m.revives, m.state, m.incremental, m.attempt, m.fence, m.submitted_at, m.turn_at,
       m.held_until, m.started_at, m.taken_at, m.checkpoint_at, m.finished_at, m.stop_at, m.completed, m.taken_completed, m.skipped,
       m.letters, m.total, m.lanes, m.parameters, m.chain, m.cursor_text, m.error, h.node
  from turno_run m
  left join turno_holder h on h.id = m.holder
 where m.scope_id = :scope and m.end_state = :state
   and (m.finished_at, m.id) < (dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
 order by m.finished_at desc, m.id desc limit :limit;

-- name: list-subject
select m.id, m.job, m.subject, m.action, m.first_id, m.revives, m.state, m.incremental, m.attempt, m.fence, m.submitted_at, m.turn_at,
       m.held_until, m.started_at, m.taken_at, m.checkpoint_at, m.finished_at, m.stop_at, m.completed, m.taken_completed, m.skipped,
       m.letters, m.total, m.lanes, m.parameters, m.chain, m.cursor_text, m.error, h.node
  from turno_run m
  left join turno_holder h on h.id = m.holder
 where m.scope_id = :scope and m.subject = :subject and m.id < :before_id
 order by m.id desc limit :limit;

-- name: last-done
-- Never one that was stopped, failed, or took up only what another had parked.
select m.id, m.job, m.subject, m.action, m.first_id, m.revives, m.state, m.incremental, m.attempt, m.fence, m.submitted_at, m.turn_at,
       m.held_until, m.started_at, m.taken_at, m.checkpoint_at, m.finished_at, m.stop_at, m.completed, m.taken_completed, m.skipped,
       m.letters, m.total, m.lanes, m.parameters, m.chain, m.cursor_text, m.error, h.node
  from turno_run m
  left join turno_holder h on h.id = m.holder
 where m.scope_id = :scope and m.subject = :subject and m.job = :job and m.end_state = 'DONE' and m.revives is null
 order by m.id desc limit 1;

-- name: active-of-subject
select id, state, (state <> 'PENDING' or started_at is not null or first_id is not null) as begun from turno_run
 where scope_id = :scope and subject = :subject and end_state is null order by id limit :limit;

-- name: counts
-- Counted up to a limit through indexes, so that it costs the same however many rows there are.
select 'PENDING' as state, count(*) as n from (
       select 1 from turno_run where scope_id = :scope and turn_at is not null and state = 'PENDING' limit :limit) c
union all
select 'PARKED' as state, count(*) as n from (
       select 1 from turno_run where scope_id = :scope and turn_at is not null and state = 'PARKED' limit :limit) c
union all
select 'DOING' as state, count(*) as n from (
       select 1 from turno_run where scope_id = :scope and turn_at is not null and state = 'DOING' limit :limit) c
union all
select 'DONE', count(*) from (select 1 from turno_run where scope_id = :scope and end_state = 'DONE' limit :limit) c
union all
select 'STOPPED', count(*) from (select 1 from turno_run where scope_id = :scope and end_state = 'STOPPED' limit :limit) c
union all
select 'DEAD', count(*) from (select 1 from turno_run where scope_id = :scope and end_state = 'DEAD' limit :limit) c
union all
select 'CANCELLED', count(*) from (select 1 from turno_run where scope_id = :scope and end_state = 'CANCELLED' limit :limit) c;

-- name: park-items
insert into turno_run_letter (run_id, item_key, error, parked_at)
select cast(:run as bigint), v.item_key, v.error, {now}
  from unnest(cast(:l_key as varchar array), cast(:l_error as varchar array)) with ordinality as v (item_key, error, n)
 order by v.n;

-- name: add-log
insert into turno_run_log (run_id, logged_at, line)
select cast(:run as bigint), {now}, v.line from unnest(cast(:lines as varchar array)) with ordinality as v (line, n)
 order by v.n;

-- name: count-log
-- Without a fence: lines are added to the log, whoever writes them, and none of them decides anything.
update turno_run set log_lines = log_lines + :n where id = :run;

-- name: letters
select id, item_key, error, parked_at from turno_run_letter where run_id = :run and id > :after_id order by id limit :limit;

-- name: remove-letters
delete from turno_run_letter where run_id = :run and id <= :upto;

-- name: forget-letters
delete from turno_run_letter where run_id = any (:ids);

-- name: log
select id, logged_at, line from turno_run_log where run_id = :run and id > :after_id order by id limit :limit;

-- name: forget-log
delete from turno_run_log where run_id = any (:ids);

-- name: prune-find
-- In the order of one index and a few at a time, so that it never waits for anybody and nobody for it. Items that a run parked wait for a
-- person, as a DEAD run does, and their run with them. Runs of jobs that are unknown here are left alone.
select id from turno_run use index (turno_run_end)
 where scope_id = :scope and end_state = :state
   and job = any (:jobs)
   and (end_state <> 'DONE' or not exists (select 1 from turno_run_letter l where l.run_id = turno_run.id))
   and finished_at < dateadd(microsecond, - :keep_us, {now})
 limit :limit for update skip locked;

-- name: prune-mark
delete from turno_run where id = any (:ids);

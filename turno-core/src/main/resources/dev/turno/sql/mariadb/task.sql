-- straight_join and force index: the list is read first and each row is found by its key. Left to itself the server may read the
-- whole table instead, and lock what it reads.

-- name: define-type
insert into turno_task_type (namespace, type) values (:namespace, :type);

-- name: type
select id from turno_task_type where namespace = :namespace and type = :type;

-- name: type-name
select type from turno_task_type where id = :type;

-- name: types
select id, type, assigned_at, assigned, assigned_us from turno_task_type where namespace = :namespace order by type;

-- name: can-run
insert into turno_task_runner (type_id, holder) values (:type, :holder);

-- name: cannot-run
delete from turno_task_runner where type_id = :type and holder = :holder;

-- name: forget-runners
delete from turno_task_runner where holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v);

-- name: runners
-- Those that live and can run the type.
select r.holder from turno_task_runner r join turno_holder h on h.id = r.holder
 where r.type_id = :type and h.reaped_at is null and h.lease_until > {now}
 order by r.holder;

-- name: gone-runners
-- Those that were declared dead or have signed off: their shares are free.
select r.holder from turno_task_runner r
 where r.type_id = :type
   and not exists (select 1 from turno_holder h where h.id = r.holder and h.reaped_at is null);

-- name: begin-pass
-- One holder at a time shares out a type, so that the shares are even. If two do nevertheless, no task goes to both: fences are presented.
update turno_task_type set assigner = :holder, assigner_until = {now} + interval 30 second
 where id = :type
   and (assigner is null or assigner = :holder or assigner_until <= {now}
        or assigner in (select h.id from turno_holder h where h.reaped_at is not null));

-- name: end-pass
update turno_task_type
   set assigner = null, assigned_at = {now}, assigned = assigned + :count, assigned_us = :took_us, runners = :runners
 where id = :type and assigner = :holder;

-- name: last-pass
select runners, assigned from turno_task_type where id = :type;

-- name: open-ahead
-- The next tasks ahead that are in nobody's share. Not locked, which would write each row twice: whoever gives them presents their
-- fences.
select id, task_at, fence from turno_task force index (turno_task_share)
 where type_id = :type and assigned_to is null
   and task_at > {now} + interval :margin_us microsecond and task_at <= {now} + interval :window_us microsecond
   and turn_at is not null and state = 'PENDING' and lane_id is null
 order by type_id, assigned_to, task_at, id limit :limit;

-- name: share-counts
-- Who has how many at which instant. By the turn index, as in inbox.sql: a share's turn lies less than a minute after its instant, and
-- the index of shares has all that a holder ever did.
select assigned_to, task_at, count(*) as n from turno_task force index (turno_task_turn)
 where type_id = :type and class in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
   and turn_at >= timestamp'1970-01-01 00:00:00.000000' + interval :from_us microsecond
   and turn_at <= timestamp'1970-01-01 00:00:00.000000' + interval :to_us microsecond + interval 60 second
   and assigned_to in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v) and turn_at is not null and state = 'ASSIGNED'
   and task_at >= timestamp'1970-01-01 00:00:00.000000' + interval :from_us microsecond
   and task_at <= timestamp'1970-01-01 00:00:00.000000' + interval :to_us microsecond
 group by assigned_to, task_at;

-- name: crowded
-- Instants at which somebody has more than one: only there can shares be uneven. By the turn index, as in share-counts.
select c.task_at from (
       select task_at, assigned_to from turno_task force index (turno_task_turn)
        where type_id = :type and class in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
          and turn_at > {now} + interval :margin_us microsecond and turn_at <= {now} + interval :window_us microsecond + interval 60 second
          and assigned_to is not null and turn_at is not null and state = 'ASSIGNED'
          and task_at > {now} + interval :margin_us microsecond and task_at <= {now} + interval :window_us microsecond
          and task_at > timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond
        group by task_at, assigned_to having count(*) > 1) c
 group by c.task_at order by c.task_at limit :limit;

-- name: share-some
-- Tasks of one holder at one instant that are to go to others.
select id, fence from turno_task force index (turno_task_share)
 where type_id = :type and assigned_to = :from_holder
   and task_at = timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond
   and turn_at is not null and state = 'ASSIGNED'
 order by type_id, assigned_to, task_at, id limit :limit;

-- name: assign
-- The fence grows: what somebody has in memory of an earlier share never runs. Others pass over the task until its holder had the
-- time to start it.
update json_table(:v, '$[*]' columns (id bigint path '$[0]', holder bigint path '$[1]', fence bigint path '$[2]')) v
 straight_join turno_task t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'ASSIGNED', t.assigned_to = v.holder, t.fence = t.fence + 1, t.turn_at = t.task_at + interval :grace_us microsecond
 where t.type_id = :type and t.state in ('PENDING', 'ASSIGNED');

-- name: free-share-find
-- Shares of those who left or died, or who cannot run the type any more. What is overdue anyone may take as it is: the
-- history of a dead holder is not read through.
select id from turno_task force index (turno_task_share)
 where type_id = :type and assigned_to in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v) and state = 'ASSIGNED'
   and task_at > {now} - interval 60 second
 limit :limit for update skip locked;

-- name: free-share-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'PENDING', assigned_to = null, turn_at = task_at, fence = fence + 1;

-- name: look
-- The share of this holder, without the bodies.
select id, fence, task_at from turno_task
 where type_id = :type and assigned_to = :holder and turn_at is not null and state = 'ASSIGNED'
   and task_at >= {now} + interval -60 second and task_at <= {now} + interval :ahead_us microsecond
 order by task_at, id limit :limit;

-- name: bodies
select t.id, t.task_key, t.class, t.fence, t.attempt, t.put_at, t.task_at, t.body, cast(null as char) as lane
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.type_id = :type and t.assigned_to = :holder and t.state = 'ASSIGNED';

-- name: arm
-- Just before the instant. Whatever changed since the preload has a higher fence and stays as it is.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'DOING', holder = :holder, attempt = attempt + 1, held_until = task_at + interval :max_run_us microsecond
 where t.fence = :fence and t.type_id = :type and t.state = 'ASSIGNED' and t.assigned_to = :holder
   and exists (select 1 from turno_holder h where h.id = :holder and h.reaped_at is null);

-- name: armed
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.fence = :fence and t.type_id = :type and t.state = 'DOING' and t.holder = :holder;

-- name: schedule
-- A turn is never before the put. The far moment means: not before those ahead of it in its lane.
insert into turno_task (type_id, task_key, schedule_id, class, state, task_at, turn_at, lane_id, put_at, body)
select :type, :task_key, :schedule, :class, 'PENDING', d.task_at,
       case when d.lane_id is null then greatest({now}, d.task_at) else timestamp'9999-12-31 00:00:00' end, d.lane_id, {now}, :body
  from (select :lane as lane_id,
               coalesce(timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond,
                        {now} + interval :delay_us microsecond) as task_at) d
returning id;

-- name: schedule-all
-- Those without a key and without a lane.
insert into turno_task (type_id, class, state, task_at, turn_at, put_at, body)
select :type, d.class, 'PENDING', d.task_at, greatest({now}, d.task_at), {now}, d.body
  from (select m.class, m.body, m.n,
               coalesce(timestamp'1970-01-01 00:00:00.000000' + interval m.at_us microsecond,
                        {now} + interval m.delay_us microsecond) as task_at
          from json_table(:m, '$[*]' columns (
                   n for ordinality, class smallint path '$[0]', at_us bigint path '$[1]', delay_us bigint path '$[2]',
                   body longtext path '$[3]')) m) d
 order by d.n
returning id;

-- name: keyed
-- Who has the key now. Locked, so that it keeps it until the caller has decided.
select id, state from turno_task where type_id = :type and task_key = :task_key for update;

-- name: unkey
-- The key goes to another task.
update turno_task set task_key = null where id = :row;

-- name: locate
select t.id, t.type_id, y.type, t.lane_id, t.state from turno_task t join turno_task_type y on y.id = t.type_id
 where t.id = :row and y.namespace = :namespace;

-- name: cancel
-- The fence grows: what a holder has in memory cannot be armed any more. What is armed already is DOING, and too late.
update turno_task
   set state = 'CANCELLED', end_state = 'CANCELLED', turn_at = null, finished_at = {now}, fence = fence + 1
 where id = :row and state in ('PENDING', 'ASSIGNED', 'DEAD');

-- name: reschedule
-- Without a moment: now.
update turno_task
   set state = 'PENDING', assigned_to = null, fence = fence + 1,
       task_at = coalesce(timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond, {now}),
       turn_at = case when lane_id is null then greatest({now}, coalesce(timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond, {now})) else timestamp'9999-12-31 00:00:00' end
 where id = :row and state in ('PENDING', 'ASSIGNED');

-- name: revive
-- The fence is not touched: it never goes back.
update turno_task
   set state = 'PENDING', end_state = null, held_until = null, assigned_to = null, attempt = 0, finished_at = null,
       turn_at = case when lane_id is null then {now} else timestamp'9999-12-31 00:00:00' end
 where id = :row and state = 'DEAD';

-- name: later-head
-- The head of the lane, if it has not begun and its instant is after that of the row. One that waits for its next attempt keeps its
-- place and its backoff.
select t.id from turno_task t join turno_lane l on l.head_id = t.id
 where l.id = :lane and t.state = 'PENDING' and t.attempt = 0 and t.task_at > (select n.task_at from turno_task n where n.id = :row)
   for update;

-- name: step-back
update turno_task set turn_at = timestamp'9999-12-31 00:00:00' where id = :row and state = 'PENDING';

-- name: take-classes
-- The classes in which something is due, unless this holder was declared dead. As in inbox.sql, where the reasons stand.
select c.class
  from (
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 0 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 1 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 2 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 3 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 4 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 5 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 6 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 7 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 8 and turn_at <= {now} limit 1)
        union all
        (select class from turno_task force index (turno_task_turn) where type_id = :type and class = 9 and turn_at <= {now} limit 1)) c
 where exists (select 1 from turno_holder where id = :holder and reaped_at is null)
 order by c.class;

-- name: take-find
-- As in inbox.sql, where the reasons stand. What is in somebody's share has its turn only after that holder had the time to start it.
select id, task_key, class, fence + 1 as fence, attempt + 1 as attempt, put_at, task_at, body,
       (select l.lane from turno_lane l where l.id = lane_id) as lane
  from turno_task force index (turno_task_turn)
 where type_id = :type and class = :class and turn_at <= {now}
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 order by type_id, class, turn_at, id limit :limit for update skip locked;

-- name: take-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'DOING', holder = :holder, fence = fence + 1, attempt = attempt + 1, held_until = {now} + interval :max_run_us microsecond;

-- name: until-next
select timestampdiff(microsecond, {now}, min(t.turn_at)) as wait_us
  from (
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 0 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 1 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 2 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 3 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 4 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 5 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 6 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 7 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 8 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_task force index (turno_task_turn)
          where type_id = :type and class = 9 and turn_at > {now} order by turn_at limit 1)) t
 where t.turn_at < timestamp'9999-01-01 00:00:00';

-- name: done
-- As in inbox.sql: rows in a lane are finished apart, and all rows of one call have the same fence.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'DONE', end_state = 'DONE', turn_at = null, finished_at = {now}, error = null
 where t.fence = :fence and t.type_id = :type and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: done-gone-find
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.fence = :fence and t.type_id = :type and t.state = 'DOING' and (t.lane_id is not null) = :in_lane
   for update;

-- name: done-gone-mark
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id;

-- name: again
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
update json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_task t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'PENDING', t.held_until = null, t.turn_at = {now} + interval v.in_us microsecond, t.assigned_to = null, t.error = v.error
 where t.type_id = :type and t.state = 'DOING';

-- name: dead
update json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_task t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'DEAD', t.end_state = 'DEAD', t.turn_at = null, t.finished_at = {now}, t.error = v.error
 where t.type_id = :type and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.type_id = :type and t.state = 'DOING' for update skip locked;

-- name: outcome
select t.id, t.state, t.fence, t.holder, t.lane_id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.type_id = :type;

-- name: renew-find
-- Renewing keeps the fence: whoever was shown it must go on trusting it. A claim that lapsed but that nobody took over is still good.
-- What somebody has locked is passed over: whoever renews may be the one thread that writes for all.
select t.id from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.fence = :fence and t.type_id = :type and t.state = 'DOING'
   for update skip locked;

-- name: renew-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set t.holder = :holder, t.held_until = {now} + interval :max_run_us microsecond;

-- name: give-back
-- Anyone may take it now, but never before its instant.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1, assigned_to = null, turn_at = task_at
 where t.fence = :fence and t.type_id = :type and t.state = 'DOING';

-- name: give-back-unknown-find
-- As in inbox.sql, where the reasons stand. What was armed lately is found by the share it was in, however much it is.
select t.id
  from ((select id, holder, state from turno_task force index (turno_task_turn)
          where type_id = :type and class in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and turn_at <= {now}
            and (assigned_to is null or holder is null or assigned_to <> holder)
          order by type_id, class, turn_at, id limit 20000)
        union
        (select id, holder, state from turno_task force index (turno_task_share)
          where type_id = :type and assigned_to = :holder
            and task_at > {now} - interval 10 minute and task_at <= {now} + interval 60 second
            and turn_at is not null and state = 'DOING')) m
 straight_join turno_task t force index (primary) on t.id = m.id
 where m.holder = :holder and m.state = 'DOING' and t.holder = :holder and t.state = 'DOING'
   and t.id not in (select v.id from json_table(:known, '$[*]' columns (id bigint path '$')) v)
 for update skip locked;

-- name: give-back-unknown-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'PENDING', holder = null, held_until = null, attempt = attempt - 1, assigned_to = null, turn_at = task_at;

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name. As in inbox.sql, where
-- the reasons stand.
select t.id
  from (select m.id
          from turno_task_type y
         straight_join turno_task m force index (turno_task_end) on m.type_id = y.id and m.end_state is null
         where (m.state = 'DOING' and m.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v))
            or (m.state = 'ASSIGNED' and m.assigned_to in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v))
         limit :limit) d
 straight_join turno_task t force index (primary) on t.id = d.id
 where (t.state = 'DOING' and t.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v))
    or (t.state = 'ASSIGNED' and t.assigned_to in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v))
 for update skip locked;

-- name: free-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
   set state = 'PENDING', holder = null, held_until = null, assigned_to = null, turn_at = task_at;

-- name: next-in-lane
-- In a lane of tasks the earliest instant goes first. A locking read sees what is committed now; a plain one sees what was when the
-- caller's transaction began to read.
select id from turno_task
 where lane_id = :lane and end_state is null
 order by task_at, id limit 1
   for update;

-- name: give-turn
update turno_task set turn_at = greatest({now}, task_at) where id = :row and state = 'PENDING';

-- name: give-turn-to-head
update turno_task set turn_at = {now}
 where id = :row and state = 'PENDING' and exists (select 1 from turno_lane where id = :lane and head_id = :row);

-- name: find
select t.id, y.type, t.task_key, t.state, t.class, t.attempt, t.fence, t.put_at, t.task_at, t.turn_at, t.held_until, t.finished_at, t.error,
       l.lane, h.node, s.schedule, t.body
  from turno_task t
  join turno_task_type y on y.id = t.type_id
  left join turno_lane l on l.id = t.lane_id
  left join turno_schedule s on s.id = t.schedule_id
  left join turno_holder h on h.id = case when t.state = 'ASSIGNED' then t.assigned_to else t.holder end
 where t.id = :row and y.namespace = :namespace;

-- name: find-key
select t.id, y.type, t.task_key, t.state, t.class, t.attempt, t.fence, t.put_at, t.task_at, t.turn_at, t.held_until, t.finished_at, t.error,
       l.lane, h.node, s.schedule, t.body
  from turno_task t
  join turno_task_type y on y.id = t.type_id
  left join turno_lane l on l.id = t.lane_id
  left join turno_schedule s on s.id = t.schedule_id
  left join turno_holder h on h.id = case when t.state = 'ASSIGNED' then t.assigned_to else t.holder end
 where t.type_id = :type and t.task_key = :task_key;

-- name: list-waiting
-- Among the next :searched rows, so that it costs no more than that however rare a state or text is; list-waiting-end says where
-- they end.
select t.id, y.type, t.task_key, t.state, t.class, t.attempt, t.fence, t.put_at, t.task_at, t.turn_at, t.held_until, t.finished_at, t.error,
       l.lane, h.node, s.schedule
  from (select id, type_id, task_key, state, class, attempt, fence, put_at, task_at, turn_at, held_until, finished_at, error, lane_id, schedule_id,
               assigned_to, holder
          from turno_task
         where type_id = :type and turn_at is not null
           and (class, turn_at, id)
             > (:after_class, timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
         order by class, turn_at, id limit :searched) t
  join turno_task_type y on y.id = t.type_id
  left join turno_lane l on l.id = t.lane_id
  left join turno_schedule s on s.id = t.schedule_id
  left join turno_holder h on h.id = case when t.state = 'ASSIGNED' then t.assigned_to else t.holder end
 where t.state = :state and (:text is null or locate(:text, t.task_key) > 0 or locate(:text, t.error) > 0)
 order by t.class, t.turn_at, t.id limit :limit;

-- name: list-waiting-end
select class, turn_at as placed_at, id from turno_task
 where type_id = :type and turn_at is not null
   and (class, turn_at, id)
     > (:after_class, timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
 order by class, turn_at, id limit 1 offset :passed;

-- name: list-finished
select t.id, y.type, t.task_key, t.state, t.class, t.attempt, t.fence, t.put_at, t.task_at, t.turn_at, t.held_until, t.finished_at, t.error,
       l.lane, h.node, s.schedule
  from (select id, type_id, task_key, state, class, attempt, fence, put_at, task_at, turn_at, held_until, finished_at, error, lane_id, schedule_id,
               assigned_to, holder
          from turno_task
         where type_id = :type and end_state = :state
           and (finished_at, id) < (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
         order by finished_at desc, id desc limit :searched) t
  join turno_task_type y on y.id = t.type_id
  left join turno_lane l on l.id = t.lane_id
  left join turno_schedule s on s.id = t.schedule_id
  left join turno_holder h on h.id = case when t.state = 'ASSIGNED' then t.assigned_to else t.holder end
 where (:text is null or locate(:text, t.task_key) > 0 or locate(:text, t.error) > 0)
 order by t.finished_at desc, t.id desc limit :limit;

-- name: list-finished-end
select class, finished_at as placed_at, id from turno_task
 where type_id = :type and end_state = :state
   and (finished_at, id) < (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
 order by finished_at desc, id desc limit 1 offset :passed;

-- name: counts
-- Counted up to a limit, so that it costs the same however many there are. OVERDUE: their instant has passed and nobody has them.
select 'PENDING' as state, count(*) as n from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state is null and state = 'PENDING' limit :limit) c
union all
select 'ASSIGNED', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state is null and assigned_to is not null and state = 'ASSIGNED' limit :limit) c
union all
select 'DOING', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state is null and state = 'DOING' limit :limit) c
union all
select 'OVERDUE', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state is null and state in ('PENDING', 'ASSIGNED') and task_at < {now} limit :limit) c
union all
select 'DONE', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state = 'DONE' limit :limit) c
union all
select 'DEAD', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state = 'DEAD' limit :limit) c
union all
select 'CANCELLED', count(*) from (
       select 1 as x from turno_task force index (turno_task_end) where type_id = :type and end_state = 'CANCELLED' limit :limit) c
union all
select 'RUNNERS', count(*) from turno_task_runner r join turno_holder h on h.id = r.holder
 where r.type_id = :type and h.reaped_at is null and h.lease_until > {now};

-- name: prune-find
select id from turno_task force index (turno_task_end)
 where type_id = :type and end_state = :state and finished_at < {now} - interval :keep_us microsecond
 order by type_id, end_state, finished_at, id limit :limit for update skip locked;

-- name: prune-mark
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id;

-- name: define-schedule
-- Its turn is now: the planner finds out when its first run is.
insert into turno_schedule (namespace, schedule, type_id, class, cron, zone, missed, missed_limit, since_at, next_at, body)
values (:namespace, :schedule, :type, :class, :cron, :zone, :missed, :missed_limit, {now}, {now}, :body);

-- name: lock-schedule
select id, schedule, type_id, class, cron, zone, missed, missed_limit, paused, cursor_name, since_at, next_at, body, {now} as now_at
  from turno_schedule where namespace = :namespace and schedule = :schedule for update;

-- name: schedules
select id, schedule, type_id, class, cron, zone, missed, missed_limit, paused, cursor_name, since_at, next_at, body, {now} as now_at
  from turno_schedule where namespace = :namespace order by schedule limit :limit;

-- name: due-schedule
-- One at a time. Its row is locked until its next runs stand as tasks and the cursor is moved: nobody makes them twice.
select id, schedule, type_id, class, cron, zone, missed, missed_limit, paused, cursor_name, since_at, next_at, body, {now} as now_at
  from turno_schedule force index (turno_schedule_next)
 where namespace = :namespace and next_at <= {now} + interval :ahead_us microsecond
 order by namespace, next_at limit 1 for update skip locked;

-- name: advance-schedule
update turno_schedule set cursor_name = :cursor, next_at = timestamp'1970-01-01 00:00:00.000000' + interval :next_us microsecond where id = :schedule;

-- name: change-schedule
update turno_schedule
   set type_id = :type, class = :class, cron = :cron, zone = :zone, missed = :missed, missed_limit = :missed_limit, body = :body,
       cursor_name = null, since_at = {now}, next_at = case when paused then null else {now} end
 where id = :schedule;

-- name: pause-schedule
update turno_schedule set paused = true, next_at = null where id = :schedule;

-- name: resume-schedule
-- What fell into the pause is not made up for.
update turno_schedule set paused = false, cursor_name = null, since_at = {now}, next_at = {now} where id = :schedule and paused;

-- name: remove-schedule
delete from turno_schedule where id = :schedule;

-- name: withdraw-runs
-- Runs that were made into tasks and have not begun. A run that somebody asked for beside the plan has no key, and stays.
update turno_task
   set state = 'CANCELLED', end_state = 'CANCELLED', turn_at = null, finished_at = {now}, fence = fence + 1, task_key = null
 where type_id = :type and end_state is null and schedule_id = :schedule and state in ('PENDING', 'ASSIGNED') and attempt = 0
   and task_key is not null;

-- name: missed-runs
-- Runs that were made into tasks, have not begun long after their instant, and are too many to be made up for. The newest of each
-- schedule, which are made up for, are not in the answer: however many they are, they hide nothing.
select m.schedule, m.id from (
       select s.schedule, t.id, case s.missed when 'SKIP' then 0 when 'ONCE' then 1 else s.missed_limit end as made_up_for,
              row_number() over (partition by s.id order by t.task_at desc, t.id desc) as place
         from turno_schedule s join turno_task t on t.type_id = s.type_id and t.schedule_id = s.id
        where s.namespace = :namespace and t.end_state is null and t.state in ('PENDING', 'ASSIGNED') and t.attempt = 0 and t.task_key is not null
          and t.task_at <= {now} - interval :tolerance_us microsecond) m
 where m.place > m.made_up_for
 order by m.id limit :limit;

-- name: withdraw-missed
-- As it was when it was looked at, unlocked: one that has begun since then keeps its retry or stays dead, for people to see, and one
-- that was moved keeps its new instant.
update turno_task
   set state = 'CANCELLED', end_state = 'CANCELLED', turn_at = null, finished_at = {now}, fence = fence + 1
 where id = :row and state in ('PENDING', 'ASSIGNED') and attempt = 0 and task_at <= {now} - interval :tolerance_us microsecond;

-- name: unhandled-types
-- Types with schedules that nobody runs, and whose ended tasks therefore nobody prunes.
select y.id, y.type from turno_task_type y
 where y.namespace = :namespace and exists (select 1 from turno_schedule s where s.namespace = :namespace and s.type_id = y.id)
   and not exists (select 1 from turno_task_runner r join turno_holder h on h.id = r.holder
                    where r.type_id = y.id and h.reaped_at is null)
 order by y.id;

-- name: surplus-runs
-- Runs that were given up and had never begun, behind the newest :kept.
select id from turno_task
 where type_id = :type and end_state = 'CANCELLED' and schedule_id is not null and attempt = 0
 order by finished_at desc, id desc limit :limit offset :kept;

-- name: remove-runs
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_task t force index (primary) on t.id = v.id
 where t.end_state = 'CANCELLED';

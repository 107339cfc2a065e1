-- straight_join and force index: the list is read first and each row is found by its key. Left to itself the server may read the
-- whole table instead, and lock what it reads.

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
        coalesce(timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond, {now} + interval :delay_us microsecond),
        {now}, :trace, :body);

-- name: put-in-lane
-- As put, behind the rows ahead of it in its lane: until then its turn is at the far moment. Answers its number, because a look for it by the
-- message's id may find a row that stood there before, if the caller's transaction began to read then.
insert into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
values (:inbox, :message_id, :class, 'PENDING', timestamp'9999-12-31 00:00:00',
        coalesce(timestamp'1970-01-01 00:00:00.000000' + interval :at_us microsecond, {now} + interval :delay_us microsecond),
        :lane, :lane_seq, {now}, :trace, :body)
returning id;

-- name: put-all
-- The far moment means: not before the rows ahead of it in its lane.
insert ignore into turno_inbox (inbox_id, message_id, class, state, turn_at, not_before, lane_id, lane_seq, put_at, trace, body)
select :inbox, d.message_id, d.class, 'PENDING',
       case when d.lane_id is null then d.due_at else timestamp'9999-12-31 00:00:00' end,
       case when d.lane_id is not null then d.due_at end, d.lane_id, d.lane_seq, {now}, d.trace, d.body
  from (select m.message_id, m.class, m.lane_id, m.lane_seq, m.body, m.trace, m.n,
               coalesce(timestamp'1970-01-01 00:00:00.000000' + interval m.at_us microsecond,
                        {now} + interval m.delay_us microsecond) as due_at
          from json_table(:m, '$[*]' columns (
                   n for ordinality, message_id varchar(200) path '$[0]', class smallint path '$[1]',
                   at_us bigint path '$[2]', delay_us bigint path '$[3]', lane_id bigint path '$[4]',
                   lane_seq bigint path '$[5]', body longtext path '$[6]', trace varchar(1000) path '$[7]')) m) d
 order by d.n
returning id, message_id;

-- name: put-all-now
-- As put-all, for messages that wait neither for a moment nor behind others.
insert ignore into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, trace, body)
select :inbox, m.message_id, m.class, 'PENDING', {now}, {now}, m.trace, m.body
  from json_table(:m, '$[*]' columns (
           n for ordinality, message_id varchar(200) path '$[0]', class smallint path '$[1]', body longtext path '$[2]',
           trace varchar(1000) path '$[3]')) m
 order by m.n
returning message_id;

-- name: same
-- What stands under ids that were there already. The lock makes it the newest state, also where snapshots are repeatable.
select t.message_id, t.state, t.body
  from json_table(:ids, '$[*]' columns (id varchar(200) path '$')) v
 straight_join turno_inbox t on t.inbox_id = :inbox and t.message_id = v.id collate utf8mb4_nopad_bin
  lock in share mode;

-- name: take-classes
-- The classes in which something is due, unless this holder was declared dead or the inbox is paused. Each class is asked for by
-- itself: only a written number lets the server enter the index behind what is finished, which has no turn and stands before the rest.
select c.class
  from (
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 0 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 1 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 2 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 3 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 4 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 5 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 6 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 7 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 8 and turn_at <= {now} limit 1)
        union all
        (select class from turno_inbox force index (turno_inbox_turn) where inbox_id = :inbox and class = 9 and turn_at <= {now} limit 1)) c
 where exists (select 1 from turno_holder where id = :holder and reaped_at is null)
   and exists (select 1 from turno_inbox_setting where id = :inbox and not paused and (concurrency is null or :in_slots))
 order by c.class;

-- name: take-find
-- The order must be the index's: a sort would lock every row that is due.
-- What others have in hand is passed over, unless it lapsed or its holder was declared dead.
select id, message_id, class, fence + 1 as fence, attempt + 1 as attempt, put_at, trace, body,
       (select l.lane from turno_lane l where l.id = lane_id) as lane
  from turno_inbox force index (turno_inbox_turn)
 where inbox_id = :inbox and class = :class and turn_at <= {now}
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 order by inbox_id, class, turn_at, id limit :limit for update skip locked;

-- name: take-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'DOING', t.holder = :holder, t.fence = t.fence + 1, t.attempt = t.attempt + 1,
       t.held_until = {now} + interval :max_run_us microsecond;

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
 where s.kind = 'inbox' and s.scope_id = :scope and s.slot in (select v.id from json_table(:slots, '$[*]' columns (id bigint path '$')) v)
   and not exists (select 1 from turno_inbox m
                    where m.id = s.row_id and m.fence = s.fence and m.state = 'DOING' and m.held_until > {now}
                      and m.holder not in (select h.id from turno_holder h where h.reaped_at is not null));

-- name: until-next
select timestampdiff(microsecond, {now}, min(t.turn_at)) as wait_us
  from (
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 0 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 1 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 2 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 3 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 4 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 5 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 6 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 7 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 8 and turn_at > {now} order by turn_at limit 1)
        union all
        (select turn_at from turno_inbox force index (turno_inbox_turn)
          where inbox_id = :inbox and class = 9 and turn_at > {now} order by turn_at limit 1)) t
 where t.turn_at < timestamp'9999-01-01 00:00:00';

-- name: done
-- Rows in a lane are finished apart, under the lane's lock: the next in line gets its turn in the same transaction.
-- All rows of one call have the same fence, which nearly all rows of a batch have.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'DONE', t.end_state = 'DONE', t.turn_at = null, t.finished_at = {now}, t.error = null
 where t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: done-gone-find
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
 where t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane
   for update;

-- name: done-gone-mark
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id;

-- name: again
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
update json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'PENDING', t.held_until = null, t.turn_at = {now} + interval v.in_us microsecond, t.error = v.error
 where t.inbox_id = :inbox and t.state = 'DOING';

-- name: dead
update json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'DEAD', t.end_state = 'DEAD', t.turn_at = null, t.finished_at = {now}, t.error = v.error
 where t.inbox_id = :inbox and t.state = 'DOING' and (t.lane_id is not null) = :in_lane;

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
 where t.inbox_id = :inbox and t.state = 'DOING' for update skip locked;

-- name: outcome
select t.id, t.state, t.fence, t.holder, t.lane_id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
 where t.inbox_id = :inbox;

-- name: renew-find
-- Renewing keeps the fence: whoever was shown it must go on trusting it. A claim that lapsed but that nobody took over is still good.
-- It passes to :holder, because a worker outside may renew through another server than the one it took from.
-- What somebody has locked is passed over: whoever renews may be the one thread that writes for all.
select t.id from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
 where t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING'
   for update skip locked;

-- name: renew-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.holder = :holder, t.held_until = {now} + interval :max_run_us microsecond;

-- name: claims
select m.id, m.message_id, m.state, m.fence, m.attempt, h.node
  from json_table(:ids, '$[*]' columns (id varchar(200) path '$')) v
 straight_join turno_inbox m on m.inbox_id = :inbox and m.message_id = v.id collate utf8mb4_nopad_bin
  left join turno_holder h on h.id = m.holder;

-- name: give-back
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null, t.attempt = t.attempt - 1
 where t.fence = :fence and t.inbox_id = :inbox and t.state = 'DOING';

-- name: give-back-unknown-find
-- What is in hand stands at the head of the turn index: the oldest are looked at, without locking them, and only what may have to be
-- given back is locked. All classes are named, because only then the index is entered behind what is finished.
select t.id
  from (select id, holder, state from turno_inbox force index (turno_inbox_turn)
         where inbox_id = :inbox and class in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and turn_at <= {now}
         order by inbox_id, class, turn_at, id limit 20000) m
 straight_join turno_inbox t force index (primary) on t.id = m.id
 where m.holder = :holder and m.state = 'DOING' and t.holder = :holder and t.state = 'DOING'
   and (t.id, t.fence) not in (select v.id, v.fence
                                 from json_table(:v, '$[*]' columns (id bigint path '$[0]', fence bigint path '$[1]')) v)
 for update skip locked;

-- name: give-back-unknown-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null, t.attempt = t.attempt - 1;

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name. Inbox by inbox, so that
-- what is finished is not read, and without locking what is looked at.
select t.id
  from (select m.id
          from turno_inbox_setting s
         straight_join turno_inbox m force index (turno_inbox_end) on m.inbox_id = s.id and m.end_state is null
         where m.state = 'DOING' and m.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v)
         limit :limit) d
 straight_join turno_inbox t force index (primary) on t.id = d.id
 where t.state = 'DOING' and t.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v)
 for update skip locked;

-- name: free-mark
-- The attempt is not returned: whatever was in the hands of a process that died may be what killed it.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null;

-- name: next-in-lane
-- A locking read sees what is committed now; a plain one sees what was when the caller's transaction began to read.
select id from turno_inbox
 where lane_id = :lane and end_state is null
 order by lane_seq limit 1
   for update;

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
 where id = :row and state = 'PENDING' and turn_at > {now} and turn_at < timestamp'9999-12-31 00:00:00';

-- name: revive
-- The fence is not touched: it never goes back.
update turno_inbox
   set state = 'PENDING', end_state = null, held_until = null, attempt = 0, finished_at = null,
       turn_at = case when lane_id is null then {now} else timestamp'9999-12-31 00:00:00' end
 where id = :row and state = 'DEAD';

-- name: revive-all
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.end_state = null, t.held_until = null, t.attempt = 0, t.finished_at = null, t.turn_at = {now}
 where t.state = 'DEAD' and t.lane_id is null;

-- name: find-dead
select id, finished_at, lane_id from turno_inbox
 where inbox_id = :inbox and end_state = 'DEAD'
   and (finished_at, id) > (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
   and (:text is null or locate(:text, message_id) > 0 or locate(:text, error) > 0)
 order by finished_at, id limit :limit;

-- name: list-waiting
-- Among the next :searched rows, so that it costs no more than that however rare a text is; list-waiting-end says where they end.
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and turn_at is not null
           and (class, turn_at, id)
             > (:after_class, timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
         order by class, turn_at, id limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.state = 'PENDING' and (:text is null or locate(:text, m.message_id) > 0 or locate(:text, m.error) > 0)
 order by m.class, m.turn_at, m.id limit :limit;

-- name: list-waiting-end
select class, turn_at, id from turno_inbox
 where inbox_id = :inbox and turn_at is not null
   and (class, turn_at, id)
     > (:after_class, timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
 order by class, turn_at, id limit 1 offset :passed;

-- name: list-doing
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from turno_inbox m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where m.inbox_id = :inbox and m.turn_at is not null and m.state = 'DOING' and m.id > :after_id
   and m.held_until < {now} + interval :left_us microsecond
   and (:text is null or locate(:text, m.message_id) > 0)
 order by m.id limit :limit;

-- name: list-finished
select m.id, m.message_id, m.state, m.class, m.attempt, m.fence, m.put_at, m.turn_at, m.held_until, m.finished_at, m.error, m.lane_id,
       l.lane, m.holder, h.node
  from (select id, message_id, state, class, attempt, fence, put_at, turn_at, held_until, finished_at, error, lane_id, holder
          from turno_inbox
         where inbox_id = :inbox and end_state = :state
           and (finished_at, id) < (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
         order by finished_at desc, id desc limit :searched) m
  left join turno_lane l on l.id = m.lane_id
  left join turno_holder h on h.id = m.holder
 where (:text is null or locate(:text, m.message_id) > 0 or locate(:text, m.error) > 0)
 order by m.finished_at desc, m.id desc limit :limit;

-- name: list-finished-end
select finished_at, id from turno_inbox
 where inbox_id = :inbox and end_state = :state
   and (finished_at, id) < (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
 order by finished_at desc, id desc limit 1 offset :passed;

-- name: counts
-- Counted up to a limit through indexes, so that it costs the same however many rows there are. What is in hand stands at the head
-- of the turn index, so DOING is counted among the oldest.
select 'PENDING' as state, count(*) as n from (
       select 1 from turno_inbox where inbox_id = :inbox and turn_at is not null and state = 'PENDING' limit :limit) p
union all
select 'DOING', count(*) from (
       select state from turno_inbox force index (turno_inbox_turn)
        where inbox_id = :inbox and class in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and turn_at <= {now}
        order by inbox_id, class, turn_at, id limit 20000) d where d.state = 'DOING'
union all
select 'DONE', count(*) from (select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DONE' limit :limit) f
union all
select 'DEAD', count(*) from (select 1 from turno_inbox where inbox_id = :inbox and end_state = 'DEAD' limit :limit) f
union all
select 'CANCELLED', count(*) from (
       select 1 from turno_inbox where inbox_id = :inbox and end_state = 'CANCELLED' limit :limit) f;

-- name: prune-find
-- In the order of one index and a few at a time, so that it never waits for anybody and nobody for it.
select id from turno_inbox
 where inbox_id = :inbox and end_state = :state and finished_at < {now} - interval :keep_us microsecond
 order by inbox_id, end_state, finished_at limit :limit for update skip locked;

-- name: prune-mark
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_inbox t force index (primary) on t.id = v.id;

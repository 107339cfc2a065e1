-- straight_join and force index: the list is read first and each row is found by its key. Left to itself the server may read the
-- whole table instead, and lock what it reads. Assignments run from left to right: what the others ask for comes last.

-- name: define
insert into turno_buffer_setting (namespace, buffer) values (:namespace, :buffer);

-- name: setting
select id from turno_buffer_setting where namespace = :namespace and buffer = :buffer;

-- name: settings
select buffer from turno_buffer_setting where namespace = :namespace order by buffer;

-- name: add
-- One message to the server. The key's row is locked first, so that all adds of a key come one after the other: also the ids are then
-- asked in that order. Only what is new moves the clock; a message that was sent again leaves everything as it is.
-- While a burst is under way turn_at is its own; next_at is the moment of those that wait.
begin not atomic
  declare v_m longtext character set utf8mb4 default :m;
  declare v_own boolean default :own;
  declare v_header bigint default null;
  declare v_seq bigint default 0;
  declare v_stored bigint default 0;
  declare v_bytes bigint default 0;
  declare v_flush boolean default false;
  declare v_now datetime(6) default {now};
  declare v_limit datetime(6) default null;
  declare v_next datetime(6) default null;
  declare continue handler for not found begin end;
  declare exit handler for sqlexception
  begin
    -- Nothing of a half add may stay in the caller's transaction; unless the server rolled that back as a whole. Killed between two
    -- instructions this handler is not run: then the same is done from outside.
    declare continue handler for 1305 begin end;
    if v_own then
      rollback;
    else
      rollback to savepoint turno_add;
      release savepoint turno_add;
    end if;
    resignal;
  end;
  if v_own then
    set transaction isolation level read committed;
    start transaction;
  else
    savepoint turno_add;
  end if;
  -- In a caller's transaction in REPEATABLE READ who looks for a key locks the gap before it, or where it would be, and so keeps others
  -- from adding theirs. So it is found by its row's number, or inserted without looking. A plain select would not lock, but fix the moment
  -- as of which the caller sees everything, before he has waited for the key.
  if :header is not null then
    select id, seq into v_header, v_seq from turno_buffer where id = :header and buffer_id = :buffer and buffer_key = :key for update;
  end if;
  if v_header is null and v_own then
    select id, seq into v_header, v_seq from turno_buffer where buffer_id = :buffer and buffer_key = :key for update;
  end if;
  if v_header is null then
    -- The fence starts at the moment, so that it is higher than any this key had before it was forgotten.
    insert into turno_buffer (buffer_id, buffer_key, state, seq, waiting_bytes, fence, idle_at)
    values (:buffer, :key, 'IDLE', 0, 0, timestampdiff(microsecond, '1970-01-01', v_now), v_now)
        on duplicate key update id = last_insert_id(id);
    set v_header = last_insert_id();
    select seq into v_seq from turno_buffer where id = v_header for update;
  end if;
  -- Ids are written before they are looked at: to look for one that is not there would lock the gap where others write theirs.
  insert ignore into turno_buffer_id (buffer_id, buffer_key, message_id, added_at, add_mark)
  select :buffer, :key, m.message_id, v_now, v_seq
    from json_table(v_m, '$[*]' columns (message_id varchar(200) path '$[0]')) m
   where m.message_id is not null;
  insert into turno_buffer_message (header_id, seq, added_at, sent_at, message_id, type, body)
  select v_header, v_seq + row_number() over (order by m.n), v_now,
         timestamp'1970-01-01 00:00:00.000000' + interval m.sent_us microsecond, m.message_id, m.type, m.body
    from json_table(v_m, '$[*]' columns (
             n for ordinality, message_id varchar(200) path '$[0]', sent_us bigint path '$[1]', type varchar(50) path '$[2]',
             body longtext path '$[3]')) m
    left join turno_buffer_id i
      on i.buffer_id = :buffer and i.buffer_key = :key and i.message_id = m.message_id collate utf8mb4_nopad_bin
   where m.message_id is null or i.add_mark = v_seq; -- it was 'seq' before this add alone, since every add of an id raises it
  set v_stored = row_count();
  if v_stored > 0 then
    select sum(octet_length(body)) into v_bytes from turno_buffer_message where header_id = v_header and seq > v_seq;
    if :flush then
      select count(*) > 0 into v_flush
        from json_table(v_m, '$[*]' columns (message_id varchar(200) path '$[0]', flushes boolean path '$[5]')) m
        left join turno_buffer_id i
          on i.buffer_id = :buffer and i.buffer_key = :key and i.message_id = m.message_id collate utf8mb4_nopad_bin
       where m.flushes and (m.message_id is null or i.add_mark = v_seq);
    end if;
    select case when v_flush or seq + v_stored - greatest(done_to, flush_to) >= :max_count or waiting_bytes + v_bytes >= :max_bytes
                then least(coalesce(latest_at, v_now), v_now)
                else coalesce(latest_at, v_now + interval :max_wait_us microsecond) end
      into v_limit from turno_buffer where id = v_header for update;
    set v_next = least(v_limit, v_now + interval :quiet_us microsecond);
    update turno_buffer
       set state = case when state = 'IDLE' then 'PENDING' else state end, seq = seq + v_stored, waiting_bytes = waiting_bytes + v_bytes,
           latest_at = v_limit, next_at = v_next, idle_at = null,
           turn_at = case when frozen or revived > 0 then turn_at else v_next end
     where id = v_header;
  end if;
  -- The number of a row that the caller may yet roll back is nothing to remember.
  select case when v_own or v_seq > 0 then v_header end as header, v_stored as stored, seq, next_at, timestampdiff(microsecond, v_now, next_at) as wait_us
    from turno_buffer where id = v_header lock in share mode;
  -- A savepoint that stayed would be taken for that of the next add, if that is killed before it makes its own.
  if v_own then commit; else release savepoint turno_add; end if;
end;

-- name: typing
update turno_buffer
   set next_at = least({now} + interval :quiet_us microsecond, latest_at),
       turn_at = case when frozen or revived > 0 then turn_at else next_at end
 where buffer_id = :buffer and buffer_key = :key
   and next_at < least({now} + interval :quiet_us microsecond, latest_at);

-- name: flush
-- A burst that waits for its retry goes now, too.
update turno_buffer
   set latest_at = case when next_at is not null then least(latest_at, {now}) end,
       next_at = least(next_at, {now}),
       turn_at = case when state = 'PENDING' then least(turn_at, {now}) else turn_at end
 where buffer_id = :buffer and buffer_key = :key and (next_at is not null or state = 'PENDING');

-- name: take-find
-- The order must be the index's: a sort would lock every row that is due.
select id from turno_buffer force index (turno_buffer_turn)
 where buffer_id = :buffer and turn_at <= {now}
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
   and exists (select 1 from turno_holder where id = :holder and reaped_at is null)
 order by buffer_id, turn_at, id limit :limit for update skip locked;

-- name: take-mark
-- What is taken for the first time is frozen, at most :max_count messages of it; a burst that was frozen before stays as it is. A dead
-- one that somebody revived goes first.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer b force index (primary) on b.id = v.id
   set b.state = 'DOING', b.holder = :holder, b.fence = b.fence + 1, b.attempt = b.attempt + 1,
       b.held_until = {now} + interval :max_run_us microsecond,
       b.flush_from = case when frozen then flush_from
                           when revived > 0 then (select d.flush_from from turno_buffer_dead d
                                                   where d.header_id = b.id and d.revived order by d.flush_to limit 1)
                           else done_to end,
       b.flush_to = case when frozen then flush_to
                         when revived > 0 then (select d.flush_to from turno_buffer_dead d
                                                 where d.header_id = b.id and d.revived order by d.flush_to limit 1)
                         else least(seq, done_to + :max_count) end,
       b.waiting_bytes = case when frozen or revived > 0 or seq > done_to + :max_count then waiting_bytes else 0 end,
       b.latest_at = case when frozen or revived > 0 or seq > done_to + :max_count then latest_at end,
       b.next_at = case when frozen or revived > 0 or seq > done_to + :max_count then next_at end,
       b.frozen = true;

-- name: taken
select b.id, b.buffer_key, b.fence, b.attempt, b.flush_from, b.flush_to, b.flush_to <= b.done_to as revived
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer b force index (primary) on b.id = v.id;

-- name: stuck
-- Rows that were due a moment ago and that nobody has: perhaps they are locked all the time by those who add to them.
select id from turno_buffer force index (turno_buffer_turn)
 where buffer_id = :buffer and turn_at <= {now} - interval 50000 microsecond
   and (held_until is null or held_until <= {now}
        or holder in (select h.id from turno_holder h where h.reaped_at is not null))
 order by buffer_id, turn_at, id limit :limit;

-- name: lock-wait
-- Waits in line for a row, but not for long: somebody may keep a transaction open. "wait" counts in whole seconds.
set statement max_statement_time = 0.25 for select id from turno_buffer where id = :row for update;

-- name: lock
select id from turno_buffer where id = :row for update;

-- name: messages
select m.header_id, m.seq, m.added_at, m.sent_at, m.message_id, m.type, m.body, timestampdiff(microsecond, m.added_at, {now}) as age_us
  from json_table(:v, '$[*]' columns (id bigint path '$[0]', from_seq bigint path '$[1]', to_seq bigint path '$[2]')) v
 straight_join turno_buffer_message m force index (primary)
    on m.header_id = v.id and m.seq > v.from_seq and m.seq <= v.to_seq;

-- name: until-next
select timestampdiff(microsecond, {now}, t.turn_at) as wait_us
  from (select turn_at from turno_buffer
         where buffer_id = :buffer and turn_at > {now} order by turn_at limit 1) t;

-- name: done-find
-- Rows that somebody has locked are passed over and asked again: one key must not keep the others waiting.
select t.id, t.fence, t.flush_from, t.flush_to
  from json_table(:v, '$[*]' columns (id bigint path '$[0]', fence bigint path '$[1]')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id and t.fence = v.fence
 where t.buffer_id = :buffer and t.state = 'DOING'
   for update skip locked;

-- name: done-mark
-- Whether newer messages wait is read from the key's own row, which the lock makes current.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
   set t.over_fence = t.fence, t.held_until = null, t.attempt = 0, t.error = null,
       t.state = case when t.next_at is not null or t.revived > case when flush_to <= done_to then 1 else 0 end then 'PENDING' else 'IDLE' end,
       t.turn_at = case when t.revived > case when flush_to <= done_to then 1 else 0 end then {now} else t.next_at end,
       t.idle_at = case when t.next_at is null and t.revived <= case when flush_to <= done_to then 1 else 0 end then {now} end,
       t.revived = t.revived - case when flush_to <= done_to then 1 else 0 end,
       t.done_to = greatest(t.done_to, t.flush_to), t.frozen = false;

-- name: done-sent
-- Exactly the burst goes.
delete m from json_table(:b, '$[*]' columns (id bigint path '$[0]', from_seq bigint path '$[1]', to_seq bigint path '$[2]')) v
 straight_join turno_buffer_message m force index (primary)
    on m.header_id = v.id and m.seq > v.from_seq and m.seq <= v.to_seq;

-- name: done-alive
delete d from json_table(:b, '$[*]' columns (id bigint path '$[0]', from_seq bigint path '$[1]', to_seq bigint path '$[2]')) v
 straight_join turno_buffer_dead d force index (header_id) on d.header_id = v.id and d.flush_to = v.to_seq;

-- name: again-mark
-- The holder's name stays, so that a repetition of this write can be told from a row freed by others.
update json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id and t.fence = v.fence
   set t.state = 'PENDING', t.held_until = null, t.turn_at = {now} + interval v.in_us microsecond, t.error = v.error
 where t.buffer_id = :buffer and t.state = 'DOING';

-- name: dead-mark
-- Before the burst is over: it becomes a row of its own, its messages stay where they are, and the key goes on.
insert into turno_buffer_dead (buffer_id, header_id, flush_from, flush_to, buffer_key, attempt, dead_at, error)
select :buffer, t.id, t.flush_from, t.flush_to, t.buffer_key, t.attempt, {now}, v.error
  from json_table(:v, '$[*]' columns (
           id bigint path '$[0]', fence bigint path '$[1]', in_us bigint path '$[2]', error mediumtext path '$[3]')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id and t.fence = v.fence
 where t.buffer_id = :buffer and t.state = 'DOING'
    on duplicate key update revived = false, attempt = values(attempt), dead_at = values(dead_at), error = values(error);

-- name: settle-lock
-- Rows that the handler's own transaction should have finished. Those it still has locked are skipped and asked again.
select t.id
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
 where t.buffer_id = :buffer and t.state = 'DOING' for update skip locked;

-- name: outcome
select t.id, t.state, t.fence, t.over_fence, t.holder
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
 where t.buffer_id = :buffer;

-- name: give-back-find
select t.id
  from json_table(:v, '$[*]' columns (id bigint path '$[0]', fence bigint path '$[1]')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id and t.fence = v.fence
 where t.buffer_id = :buffer and t.state = 'DOING'
   for update skip locked;

-- name: give-back-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null, t.attempt = t.attempt - 1;

-- name: give-back-unknown-find
-- As in inbox.sql, where the reasons stand.
select t.id
  from (select id, holder, state from turno_buffer force index (turno_buffer_turn)
         where buffer_id = :buffer and turn_at <= {now} order by buffer_id, turn_at, id limit 20000) m
 straight_join turno_buffer t force index (primary) on t.id = m.id
 where m.holder = :holder and m.state = 'DOING' and t.holder = :holder and t.state = 'DOING'
   and (t.id, t.fence) not in (select v.id, v.fence
                                 from json_table(:v, '$[*]' columns (id bigint path '$[0]', fence bigint path '$[1]')) v)
 for update skip locked;

-- name: give-back-unknown-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null, t.attempt = t.attempt - 1;

-- name: free-find
-- Before a dead holder is forgotten: what nobody took over, because nobody handles it, waits under no name. As in inbox.sql, where
-- the reasons stand.
select t.id
  from (select m.id
          from turno_buffer_setting s
         straight_join turno_buffer m force index (turno_buffer_turn) on m.buffer_id = s.id and m.turn_at is not null
         where m.state = 'DOING' and m.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v)
         limit :limit) d
 straight_join turno_buffer t force index (primary) on t.id = d.id
 where t.state = 'DOING' and t.holder in (select v.id from json_table(:holders, '$[*]' columns (id bigint path '$')) v)
 for update skip locked;

-- name: free-mark
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id
   set t.state = 'PENDING', t.holder = null, t.held_until = null;

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
 where buffer_id = :buffer and added_at < {now} - interval :keep_us microsecond
 order by buffer_id, added_at limit :limit;

-- name: prune-keys-find
select b.id from turno_buffer b force index (turno_buffer_idle)
 where b.buffer_id = :buffer and b.idle_at < {now} - interval :keep_us microsecond
   and not exists (select 1 from turno_buffer_dead d where d.header_id = b.id)
 order by b.buffer_id, b.idle_at limit :limit for update skip locked;

-- name: prune-keys-mark
delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_buffer t force index (primary) on t.id = v.id;

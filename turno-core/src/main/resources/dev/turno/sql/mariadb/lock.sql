-- name: take
-- A lock that was released. One statement, so two holders can never both find it free.
-- The answer is drawn with last_insert_id, since updates return nothing here. Skip locked, because InnoDB would wait for the row of
-- a held lock before it sees that it is not free, and that may be guarded for long.
update turno_lock
   set fence = last_insert_id(fence + 1), lease_id = :lease_id, taken_at = {now}, expires_at = {now} + interval :lease_us microsecond,
       lease_us = :lease_us, holder = :holder, node = :node, service = :service, user_name = :user_name
 where id = (select id from turno_lock
              where namespace = :namespace and name = :name and lease_id is null
                for update skip locked);

-- name: take-over
-- A lock whose lease has passed. A row that somebody has locked is passed over: it is being written, or its holder still guards a
-- transaction with it. The same lease id again means that the answer of the first taking was lost on the way: the fence stays, and
-- what was promised is not shortened.
-- Assignments run from left to right, so lease_id, which the others ask for, comes last.
update turno_lock
   set fence = last_insert_id(case when lease_id = :lease_id then fence else fence + 1 end),
       taken_at = case when lease_id = :lease_id then taken_at else {now} end,
       expires_at = case when lease_id = :lease_id then greatest(expires_at, {now} + interval :lease_us microsecond)
                         else {now} + interval :lease_us microsecond end,
       lease_us = :lease_us, holder = :holder, node = :node, service = :service, user_name = :user_name,
       lease_id = :lease_id
 where id = (select id from turno_lock
              where namespace = :namespace and name = :name and (expires_at <= {now} or lease_id = :lease_id)
                for update skip locked);

-- name: find
select name, fence, lease_id, holder, node, service, user_name, taken_at, expires_at, lease_us, {now} as asked_at
  from turno_lock where namespace = :namespace and name = :name;

-- name: list
select name, fence, lease_id, holder, node, service, user_name, taken_at, expires_at, lease_us, {now} as asked_at
  from turno_lock
 where namespace = :namespace and name > :after and lease_id is not null and expires_at > {now}
 order by name limit :limit;

-- name: find-all
select name, fence, lease_id from turno_lock where namespace = :namespace and name in (select v.name collate utf8mb4_nopad_bin from json_table(:names, '$[*]' columns (name varchar(255) path '$')) v);

-- name: share-floor
-- Before a new row is added, so that the next statement sees the floor that a clean-up under way leaves behind.
select fence from turno_lock_floor where namespace = :namespace lock in share mode;

-- name: hold-floor
-- Before old rows are removed: until the commit no new row can be added, so none can start below the raised floor.
select fence from turno_lock_floor where namespace = :namespace for update;

-- name: add-floor
insert into turno_lock_floor (namespace, fence) values (:namespace, 0);

-- name: raise-floor
update turno_lock_floor set fence = greatest(fence, :fence) where namespace = :namespace;

-- name: add
-- A new row, taken already, in a statement that begins after the floor was locked. Whoever adds it first has it.
insert into turno_lock
      (namespace, name, fence, lease_id, lease_us, taken_at, expires_at, holder, node, service, user_name)
select :namespace, :name, f.fence + 1, :lease_id, :lease_us, {now}, {now} + interval :lease_us microsecond, :holder, :node, :service, :user_name
  from turno_lock_floor f where f.namespace = :namespace;

-- name: renew-find
-- All locks of a holder at once. One that is guarded by an open transaction is passed over, so that it cannot keep the others
-- waiting.
select l.id, l.name, l.fence, l.lease_id
  from json_table(:v, '$[*]' columns (
           name varchar(255) path '$[0]', fence bigint path '$[1]', lease_id bigint path '$[2]')) v
 straight_join turno_lock l force index (namespace)
    on l.namespace = :namespace and l.name = v.name collate utf8mb4_nopad_bin
   and l.fence = v.fence and l.lease_id = v.lease_id
   for update skip locked;

-- name: renew-mark
-- Never to an earlier moment: an older renewal may arrive late.
update json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lock l force index (primary) on l.id = v.id
   set l.expires_at = greatest(l.expires_at, {now} + interval l.lease_us microsecond);

-- name: guard
-- In the user's transaction: whoever wants the lock has to wait until that has ended.
select id from turno_lock
 where namespace = :namespace and name = :name and fence = :fence and lease_id = :lease_id
   for update;

-- name: unguarded
-- The row if no transaction has it locked.
select id from turno_lock
 where namespace = :namespace and name = :name and fence = :fence and lease_id = :lease_id
   for update skip locked;

-- name: release
-- By its lease and fence alone. The fence stays in the row, for the next one to go on from.
update turno_lock set expires_at = least(expires_at, {now}), lease_id = null
 where namespace = :namespace and name = :name and fence = :fence and lease_id = :lease_id;

-- name: find-old
-- Along the key, so that every part of the table is read once in a clean-up.
select id from turno_lock
 where namespace = :namespace and id > :after and expires_at < {now} - interval :age_us microsecond
 order by id limit :limit;

-- name: lock-old
-- Asked again: it may have been taken since.
select l.id, l.fence
  from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lock l force index (primary) on l.id = v.id
 where l.expires_at < {now} - interval :age_us microsecond
   for update skip locked;

-- name: remove
delete l from json_table(:ids, '$[*]' columns (id bigint path '$')) v
 straight_join turno_lock l force index (primary) on l.id = v.id;

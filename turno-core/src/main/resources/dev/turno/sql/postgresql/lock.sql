-- name: take
-- A lock that was released, or a name that nobody has had. One statement, so two holders can never both find it free.
-- A released row is guarded by nobody, so whoever has it locked is done in a moment. For a new name the floor is locked first: a
-- clean-up under way is waited for, and what it left is read, not what this statement saw when it began.
with taken as (
    update turno_lock
       set fence = fence + 1, lease_id = :lease_id, taken_at = {now}, expires_at = {now} + :lease_us * interval '1 microsecond',
           lease_us = :lease_us, holder = :holder, node = :node, service = :service, user_name = :user_name
     where namespace = :namespace and name = :name and lease_id is null
    returning fence
), floor as (
    select fence from turno_lock_floor
     where namespace = :namespace
       and not exists (select 1 from turno_lock where namespace = :namespace and name = :name)
       for share
), added as (
    insert into turno_lock
          (namespace, name, fence, lease_id, lease_us, taken_at, expires_at, holder, node, service, user_name)
    select :namespace, :name, fence + 1, :lease_id, :lease_us, {now}, {now} + :lease_us * interval '1 microsecond',
           :holder, :node, :service, :user_name
      from floor
    on conflict (namespace, name) do nothing
    returning fence
)
select fence from taken union all select fence from added;

-- name: take-known
-- As take, for a name that this process has had before: it has a row, nearly always, and there is nothing to prepare for one that has none.
update turno_lock
   set fence = fence + 1, lease_id = :lease_id, taken_at = {now}, expires_at = {now} + :lease_us * interval '1 microsecond',
       lease_us = :lease_us, holder = :holder, node = :node, service = :service, user_name = :user_name
 where namespace = :namespace and name = :name and lease_id is null
returning fence;

-- name: take-over
-- A lock whose lease has passed. A row that somebody has locked is passed over: it is being written, or its holder still guards a
-- transaction with it. The same lease id again means that the answer of the first taking was lost on the way: the fence stays, and
-- what was promised is not shortened.
update turno_lock
   set fence = case when lease_id = :lease_id then fence else fence + 1 end,
       taken_at = case when lease_id = :lease_id then taken_at else {now} end,
       expires_at = case when lease_id = :lease_id then greatest(expires_at, {now} + :lease_us * interval '1 microsecond')
                         else {now} + :lease_us * interval '1 microsecond' end,
       lease_us = :lease_us, holder = :holder, node = :node, service = :service, user_name = :user_name,
       lease_id = :lease_id
 where id = (select id from turno_lock
              where namespace = :namespace and name = :name and (expires_at <= {now} or lease_id = :lease_id)
                for update skip locked)
returning fence;

-- name: find
select name, fence, lease_id, holder, node, service, user_name, taken_at, expires_at, lease_us, {now} as asked_at
  from turno_lock where namespace = :namespace and name = :name;

-- name: list
select name, fence, lease_id, holder, node, service, user_name, taken_at, expires_at, lease_us, {now} as asked_at
  from turno_lock
 where namespace = :namespace and name > :after and lease_id is not null and expires_at > {now}
 order by name limit :limit;

-- name: find-all
select name, fence, lease_id from turno_lock where namespace = :namespace and name = any (:names);

-- name: share-floor
-- Before a new row is added, so that the next statement sees the floor that a clean-up under way leaves behind.
select fence from turno_lock_floor where namespace = :namespace for share;

-- name: hold-floor
-- Before old rows are removed: until the commit no new row can be added, so none can start below the raised floor.
select fence from turno_lock_floor where namespace = :namespace for update;

-- name: add-floor
insert into turno_lock_floor (namespace, fence) values (:namespace, 0)
on conflict (namespace) do nothing;

-- name: raise-floor
update turno_lock_floor set fence = greatest(fence, :fence) where namespace = :namespace;

-- name: add
-- A new row, taken already, in a statement that begins after the floor was locked. Whoever adds it first has it.
insert into turno_lock
      (namespace, name, fence, lease_id, lease_us, taken_at, expires_at, holder, node, service, user_name)
select :namespace, :name, f.fence + 1, :lease_id, :lease_us, {now}, {now} + :lease_us * interval '1 microsecond', :holder, :node, :service, :user_name
  from turno_lock_floor f where f.namespace = :namespace
on conflict (namespace, name) do nothing;

-- name: renew
-- All locks of a holder at once. One that is guarded by an open transaction is passed over, so that it cannot keep the others
-- waiting. Never to an earlier moment: an older renewal may arrive late.
update turno_lock
   set expires_at = greatest(expires_at, {now} + lease_us * interval '1 microsecond')
 where id = any (array(
       select l.id
         from unnest(:v_name, :v_fence, :v_lease_id) as v (name, fence, lease_id)
         join turno_lock l on l.namespace = :namespace and l.name = v.name
                          and l.fence = v.fence and l.lease_id = v.lease_id
          for update of l skip locked))
returning name, fence, lease_id;

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
 where namespace = :namespace and id > :after and expires_at < {now} - :age_us * interval '1 microsecond'
 order by id limit :limit;

-- name: lock-old
-- Asked again: it may have been taken since.
select id, fence from turno_lock
 where id = any (:ids) and expires_at < {now} - :age_us * interval '1 microsecond'
   for update skip locked;

-- name: remove
delete from turno_lock where id = any (:ids);

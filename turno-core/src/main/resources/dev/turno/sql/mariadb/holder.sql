-- name: register
insert into turno_holder (id, namespace, node, started_at, lease_until)
values (:holder, :namespace, :node, {now}, {now} + interval :lease_us microsecond);

-- name: renew
-- A holder that lapsed but was not reaped may renew: nobody took anything from it.
update turno_holder set lease_until = {now} + interval :lease_us microsecond
 where id = :holder and reaped_at is null;

-- name: find-lapsed
select id, node from turno_holder
 where namespace = :namespace and reaped_at is null and lease_until < {now}
 order by id;

-- name: reap
update turno_holder set reaped_at = {now}
 where id = :holder and reaped_at is null and lease_until < {now};

-- name: find-forgettable
-- Ten minutes are longer than any statement that a dead holder may still have under way.
select id from turno_holder where namespace = :namespace and reaped_at < {now} - interval 10 minute order by id limit :limit;

-- name: forget
delete from turno_holder where id = :holder;

-- name: leave
-- Whatever is still under its id is free for everybody at once.
update turno_holder set reaped_at = {now}, lease_until = {now} where id = :holder and reaped_at is null;

-- name: list
select id, node, started_at, lease_until, reaped_at, lease_until < {now} as lapsed
  from turno_holder where namespace = :namespace
 order by node, started_at, id;

-- name: now
select {now} as now_at;

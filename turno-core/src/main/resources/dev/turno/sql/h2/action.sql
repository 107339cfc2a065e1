-- A moment travels as microseconds since 1970; H2 overflows unless the days are added first.

-- name: set-schedule
merge into turno_action_schedule (namespace, subject, schedule, next_at) key (namespace, subject)
values (:namespace, :subject, :schedule, dateadd(microsecond, mod(cast(:next_us as bigint), 86400000000), dateadd(day, cast(:next_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')));

-- name: remove-schedule
delete from turno_action_schedule where namespace = :namespace and subject = :subject;

-- name: schedules
select subject, schedule, next_at from turno_action_schedule where namespace = :namespace and subject > :after order by subject limit :limit;

-- name: due
select id, subject, schedule, next_at from turno_action_schedule
 where namespace = :namespace and next_at <= {now} order by next_at, id limit :limit;

-- name: move
-- Of two processes that saw it due, one moves it on: the condition is looked at again under the row's lock.
update turno_action_schedule set next_at = dateadd(microsecond, mod(cast(:next_us as bigint), 86400000000), dateadd(day, cast(:next_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00'))
 where id = :schedule and next_at = dateadd(microsecond, mod(cast(:due_us as bigint), 86400000000), dateadd(day, cast(:due_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')) and schedule = :text;

-- name: clock
select {now} as now_at;

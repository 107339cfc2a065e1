-- A moment travels as microseconds since 1970; H2 overflows unless the days are added first.

-- name: set-schedule
-- Set again as it was, a schedule keeps a moment that is due: the application may set it at every start.
-- And it keeps its moment if the one that is offered has passed since it was computed: somebody else may have used that one by now.
merge into turno_action_schedule t
using (values (cast(:namespace as varchar), cast(:subject as varchar), cast(:schedule as varchar), dateadd(microsecond, mod(cast(:next_us as bigint), 86400000000), dateadd(day, cast(:next_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')))) v (namespace, subject, schedule, next_at)
   on (t.namespace = v.namespace and t.subject = v.subject)
 when matched then update set next_at = case when t.schedule = v.schedule and (t.next_at <= {now} or v.next_at <= {now}) then t.next_at else v.next_at end,
                              schedule = v.schedule
 when not matched then insert (namespace, subject, schedule, next_at) values (v.namespace, v.subject, v.schedule, v.next_at);

-- name: remove-schedule
delete from turno_action_schedule where namespace = :namespace and subject = :subject;

-- name: schedules
select subject, schedule, next_at from turno_action_schedule where namespace = :namespace and subject > :after order by subject limit :limit;

-- name: due
select id, subject, schedule, next_at from turno_action_schedule
 where namespace = :namespace and next_at <= {now} and (next_at, id) > (dateadd(microsecond, mod(cast(:after_us as bigint), 86400000000), dateadd(day, cast(:after_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')), :after_id)
 order by next_at, id limit :limit;

-- name: move
-- Of two processes that saw it due, one moves it on: the condition is looked at again under the row's lock.
update turno_action_schedule set next_at = dateadd(microsecond, mod(cast(:next_us as bigint), 86400000000), dateadd(day, cast(:next_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00'))
 where id = :schedule and next_at = dateadd(microsecond, mod(cast(:due_us as bigint), 86400000000), dateadd(day, cast(:due_us as bigint) / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00')) and schedule = :text;

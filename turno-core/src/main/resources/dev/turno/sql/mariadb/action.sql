-- name: set-schedule
-- Set again as it was, a schedule keeps a moment that is due: the application may set it at every start.
-- And it keeps its moment if the one that is offered has passed since it was computed: somebody else may have used that one by now.
insert into turno_action_schedule (namespace, subject, schedule, next_at) values (:namespace, :subject, :schedule, timestamp'1970-01-01 00:00:00.000000' + interval :next_us microsecond)
on duplicate key update next_at = if(schedule = values(schedule) and (next_at <= {now} or values(next_at) <= {now}), next_at, values(next_at)),
                        schedule = values(schedule);

-- name: remove-schedule
delete from turno_action_schedule where namespace = :namespace and subject = :subject;

-- name: schedules
select subject, schedule, next_at from turno_action_schedule where namespace = :namespace and subject > :after order by subject limit :limit;

-- name: due
select id, subject, schedule, next_at from turno_action_schedule
 where namespace = :namespace and next_at <= {now} and (next_at, id) > (timestamp'1970-01-01 00:00:00.000000' + interval :after_us microsecond, :after_id)
 order by next_at, id limit :limit;

-- name: move
-- Of two processes that saw it due, one moves it on: the condition is looked at again under the row's lock.
update turno_action_schedule set next_at = timestamp'1970-01-01 00:00:00.000000' + interval :next_us microsecond
 where id = :schedule and next_at = timestamp'1970-01-01 00:00:00.000000' + interval :due_us microsecond and schedule = :text;

-- name: set-schedule
-- Set again as it was, a schedule keeps a moment that is due: the application may set it at every start.
-- And it keeps its moment if the one that is offered has passed since it was computed: somebody else may have used that one by now.
insert into turno_action_schedule (namespace, subject, schedule, next_at) values (:namespace, :subject, :schedule, timestamptz 'epoch' + cast(:next_us as bigint) * interval '1 microsecond')
on conflict (namespace, subject) do update
   set next_at = case when turno_action_schedule.schedule = excluded.schedule and (turno_action_schedule.next_at <= {now} or excluded.next_at <= {now})
                      then turno_action_schedule.next_at else excluded.next_at end,
       schedule = excluded.schedule;

-- name: remove-schedule
delete from turno_action_schedule where namespace = :namespace and subject = :subject;

-- name: schedules
select subject, schedule, next_at from turno_action_schedule where namespace = :namespace and subject > :after order by subject limit :limit;

-- name: due
select id, subject, schedule, next_at from turno_action_schedule
 where namespace = :namespace and next_at <= {now} and (next_at, id) > (timestamptz 'epoch' + cast(:after_us as bigint) * interval '1 microsecond', :after_id)
 order by next_at, id limit :limit;

-- name: move
-- Of two processes that saw it due, one moves it on: the condition is looked at again under the row's lock.
update turno_action_schedule set next_at = timestamptz 'epoch' + cast(:next_us as bigint) * interval '1 microsecond'
 where id = :schedule and next_at = timestamptz 'epoch' + cast(:due_us as bigint) * interval '1 microsecond' and schedule = :text;

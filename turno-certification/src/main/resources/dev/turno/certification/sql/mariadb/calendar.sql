-- name: now
select {now} as now_at;

-- name: days
select on_day, open_day, reason, reference from turno_certification_day
 where calendar = :calendar and on_day >= :first and on_day <= :last order by on_day;

-- name: put
insert into turno_certification_day (calendar, on_day, open_day, reason, reference)
values (:calendar, :on_day, :open_day, :reason, :reference)
on duplicate key update open_day = values(open_day), reason = values(reason), reference = values(reference);

-- name: remove-between
delete from turno_certification_day where calendar = :calendar and on_day >= :first and on_day <= :last;

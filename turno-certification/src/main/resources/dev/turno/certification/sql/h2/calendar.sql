-- name: now
select {now} as now_at;

-- name: days
select on_day, open_day, reason, reference from turno_certification_day
 where calendar = :calendar and on_day >= :first and on_day <= :last order by on_day;

-- name: put
merge into turno_certification_day (calendar, on_day, open_day, reason, reference)
key (calendar, on_day) values (:calendar, :on_day, :open_day, :reason, :reference);

-- name: remove-between
delete from turno_certification_day where calendar = :calendar and on_day >= :first and on_day <= :last;

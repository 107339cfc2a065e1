-- name: all
select catalog, code, valid_from, valid_to from turno_certification_code order by catalog, valid_from;

-- name: add
-- What is there already stays as it is: an operator may have changed it.
insert into turno_certification_code (catalog, code, meaning, valid_from, valid_to)
values (:catalog, :code, :meaning, :valid_from, :valid_to)
on conflict (catalog, code, valid_from) do nothing;

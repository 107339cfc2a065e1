-- name: all
select catalog, code, valid_from, valid_to from turno_certification_code order by catalog, valid_from;

-- name: add
-- What is there already stays as it is: an operator may have changed it.
merge into turno_certification_code t
using (select cast(:catalog as varchar) as catalog, cast(:code as varchar) as code, cast(:meaning as varchar) as meaning,
              cast(:valid_from as date) as valid_from, cast(:valid_to as date) as valid_to) s
   on t.catalog = s.catalog and t.code = s.code and t.valid_from = s.valid_from
 when not matched then insert (catalog, code, meaning, valid_from, valid_to)
      values (s.catalog, s.code, s.meaning, s.valid_from, s.valid_to);

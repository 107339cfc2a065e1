-- name: open
-- What nobody knows the end of yet.
select id, folio, afore, benefit, state, begun_at, sent_at
  from turno_certification
 where open_guard is not null
 order by id limit 200;

-- name: newest
-- The newest answers, for their codes alone.
select benefit, answer from turno_certification order by id desc limit 1000;

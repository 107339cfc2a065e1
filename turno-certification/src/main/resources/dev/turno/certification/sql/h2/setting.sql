-- name: add
-- The first of several instances that start at once wins; all of them read what it wrote.
merge into turno_certification_setting t
using (select cast(:name as varchar) as name, cast(:content as varchar) as content) s on t.name = s.name
 when not matched then insert (name, content) values (s.name, s.content);

-- name: get
select content from turno_certification_setting where name = :name;

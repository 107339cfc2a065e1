-- name: add
-- The first of several instances that start at once wins; all of them read what it wrote.
insert into turno_certification_setting (name, content) values (:name, :content)
on conflict (name) do nothing;

-- name: get
select content from turno_certification_setting where name = :name;

-- name: save-remove
delete from turno_rule_set where name = :name;

-- name: save
insert into turno_rule_set (name, purpose, body, changed_at, changed_by) values (:name, :purpose, :body, {now}, :who);

-- name: find
select body from turno_rule_set where name = :name;

-- name: list
select name, purpose, changed_at, changed_by from turno_rule_set where name > :after order by name limit :limit;

-- name: validation-begin
insert into turno_validation (snapshot_id, network_id, fingerprint, valid, invalid, transformed, finished)
values (:snapshot, :network, :fingerprint, 0, 0, 0, false);

-- name: validation-forget
delete from turno_validation where snapshot_id = :snapshot;

-- name: validations-left
-- Of snapshots that a cleaning has removed.
select snapshot_id from turno_validation where snapshot_id not in (select id from turno_snapshot) order by snapshot_id limit :limit;

-- name: validation-add
update turno_validation
   set valid = valid + :valid, invalid = invalid + :invalid, transformed = transformed + :transformed
 where snapshot_id = :snapshot;

-- name: validation-finish
update turno_validation set finished = true where snapshot_id = :snapshot;

-- name: validation
select * from turno_validation where snapshot_id = :snapshot;

-- name: validation-last
select * from turno_validation where network_id = :network and finished = true order by snapshot_id desc limit 1;

-- name: counts-forget
delete from turno_rule_count where snapshot_id = :snapshot;

-- name: count-add
update turno_rule_count set holds = holds + :holds, breaks = breaks + :breaks where snapshot_id = :snapshot and rule = :rule;

-- name: count-begin
insert into turno_rule_count (snapshot_id, rule, place, holds, breaks) values (:snapshot, :rule, :place, :holds, :breaks);

-- name: counts
select rule, holds, breaks from turno_rule_count where snapshot_id = :snapshot order by place;

-- name: values-forget
delete from turno_rule_value where snapshot_id = :snapshot;

-- name: value-add
update turno_rule_value set n = n + :n
 where snapshot_id = :snapshot and rule = :rule and good = :good and value_text = :value;

-- name: value-begin
insert into turno_rule_value (snapshot_id, rule, good, value_text, n) values (:snapshot, :rule, :good, :value, :n);

-- name: values-known
select value_text from turno_rule_value where snapshot_id = :snapshot and rule = :rule and good = :good;

-- name: values
select value_text, n from turno_rule_value
 where snapshot_id = :snapshot and rule = :rule and good = :good
 order by n desc, value_text limit :limit;

-- name: samples-forget
delete from turno_rule_sample where snapshot_id = :snapshot;

-- name: samples-count
select count(*) as n from turno_rule_sample where snapshot_id = :snapshot and rule = :rule and holds = :holds;

-- name: sample-add
insert into turno_rule_sample (snapshot_id, rule, holds, identifier) values (:snapshot, :rule, :holds, :identifier);

-- name: samples
select identifier from turno_rule_sample where snapshot_id = :snapshot and rule = :rule and holds = :holds order by id limit :limit;

-- name: url-known
select url, state from turno_url where url_hash in (:hashes);

-- name: url-add
insert into turno_url (url_hash, url, state) values (:hash, :url, 'UNKNOWN');

-- name: url-due
-- Those of which nothing is known, and those that were looked at before a moment, in the order of their numbers.
select id, url from turno_url where id > :after and (state = 'UNKNOWN' or checked_at < :before) order by id limit :limit;

-- name: url-checked
update turno_url set state = :state, checked_at = {now} where id = :id;

-- Networks, snapshots, parts and what was put aside.

-- name: add
insert into turno_network (acronym, name, institution_name, institution_acronym, origin_url, metadata_prefix, sets, attributes,
       properties, published, schedule, pre_validator, validator, transformer, secondary_transformer, created_at, changed_at)
values (:acronym, :name, :institution_name, :institution_acronym, :origin_url, :metadata_prefix, :sets, :attributes,
       :properties, :published, :schedule, :pre_validator, :validator, :transformer, :secondary_transformer, {now}, {now});

-- name: change
update turno_network
   set acronym = :acronym, name = :name, institution_name = :institution_name, institution_acronym = :institution_acronym,
       origin_url = :origin_url, metadata_prefix = :metadata_prefix, sets = :sets, attributes = :attributes,
       properties = :properties, published = :published, schedule = :schedule, pre_validator = :pre_validator,
       validator = :validator, transformer = :transformer, secondary_transformer = :secondary_transformer, changed_at = {now}
 where id = :id;

-- name: remove
delete from turno_network where id = :id;

-- name: find
select * from turno_network where id = :id;

-- name: find-acronym
select * from turno_network where acronym = :acronym;

-- name: naming
select * from turno_network
 where pre_validator = :rules or validator = :rules or transformer = :rules or secondary_transformer = :rules
 order by id limit 1;

-- name: list
select * from turno_network where id > :after order by id limit :limit;

-- name: add-change
insert into turno_network_change (network_id, acronym, changed_at, who, what) values (:network, :acronym, {now}, :who, :what);

-- name: changes
select id, changed_at, who, what from turno_network_change where network_id = :network order by id desc limit :limit;

-- name: snapshot-begin
insert into turno_snapshot (network_id, previous_id, stands_alone, run_id, fence, status, started_at, until_at, full_at,
       records, deletions, valid, transformed, quarantined, total, failures, origin, accepted)
values (:network, :previous, :alone, :run, :fence, 'HARVESTING', {now}, :until, :full, 0, 0, 0, 0, 0, 0, 0, :origin, false);

-- name: snapshot-take-over
-- A later taking of the same run. Whoever comes with a lower fence is late and changes nothing.
update turno_snapshot set fence = :fence, status = 'HARVESTING', error = null
 where run_id = :run and fence <= :fence and status in ('HARVESTING', 'RETRYING', 'HARVEST_FAILED', 'STOPPED');

-- name: snapshot-of-run
select * from turno_snapshot where run_id = :run;

-- name: snapshot
select * from turno_snapshot where id = :id;

-- name: snapshots
select * from turno_snapshot where network_id = :network and id < :before order by id desc limit :limit;

-- name: last-good
select * from turno_snapshot
 where network_id = :network and status in ('HARVESTED', 'VALIDATED', 'INDEXING', 'INDEX_FAILED', 'INDEXED', 'EMPTY')
 order by id desc limit 1;

-- name: snapshot-count
update turno_snapshot
   set records = records + :records, deletions = deletions + :deletions, quarantined = quarantined + :quarantined,
       failures = 0
 where id = :id and fence = :fence;

-- name: snapshot-failed-again
update turno_snapshot set failures = failures + 1 where id = :id and fence = :fence;

-- name: snapshot-fail
update turno_snapshot set status = :status, error = :error where id = :id and fence = :fence and status = 'HARVESTING';

-- name: snapshot-complete
update turno_snapshot
   set status = :status, finished_at = {now}, records = :records, deletions = :deletions, total = :total, error = null
 where id = :id and fence = :fence and status = 'HARVESTING';

-- name: snapshot-accept
update turno_snapshot set accepted = true where id = :id;

-- name: snapshot-status
update turno_snapshot set status = :status, error = :error where id = :id
   and status in ('HARVESTED', 'VALIDATED', 'INDEXING', 'INDEX_FAILED', 'INDEXED', 'EMPTY');

-- name: snapshot-judged
update turno_snapshot set valid = :valid, transformed = :transformed where id = :id;

-- name: snapshot-alone
update turno_snapshot set stands_alone = true where id = :id;

-- name: snapshot-remove
delete from turno_snapshot where id = :id;

-- name: log
insert into turno_snapshot_log (snapshot_id, logged_at, line) values (:snapshot, {now}, :line);

-- name: log-lines
select id, logged_at, line from turno_snapshot_log where snapshot_id = :snapshot and id > :after order by id limit :limit;

-- name: log-remove
delete from turno_snapshot_log where snapshot_id = :snapshot;

-- name: part-add
insert into turno_part (snapshot_id, seq, file, row_count, deletions, newest, results)
values (:snapshot, :seq, :file, :rows, :deletions, :newest, :results);

-- name: parts
select * from turno_part where snapshot_id = :snapshot order by seq desc;

-- name: part-judged
update turno_part set results = :results where id = :id;

-- name: parts-remove
delete from turno_part where snapshot_id = :snapshot;

-- name: quarantine-add
insert into turno_quarantine (snapshot_id, identifier, reason, file, found_at) values (:snapshot, :identifier, :reason, :file, {now});

-- name: quarantined
select id, identifier, reason, file, found_at from turno_quarantine where snapshot_id = :snapshot and id > :after order by id limit :limit;

-- name: quarantine-remove
delete from turno_quarantine where snapshot_id = :snapshot;

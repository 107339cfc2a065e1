-- name: now
select {now} as now_at;

-- name: state
select snapshot_id, fingerprint from turno_index_state where network_id = :network and target = :target;

-- name: forget
delete from turno_index_state where network_id = :network and target = :target;

-- name: renew
-- Not in the place of a newer snapshot: a run that another one took over may come late.
update turno_index_state set snapshot_id = :snapshot, fingerprint = :fingerprint, indexed_at = {now}
 where network_id = :network and target = :target and snapshot_id <= :snapshot;

-- name: keep
insert into turno_index_state (network_id, target, snapshot_id, fingerprint, indexed_at)
values (:network, :target, :snapshot, :fingerprint, {now});

-- name: state
select snapshot_id, fingerprint from turno_index_state where network_id = :network and target = :target;

-- name: forget
delete from turno_index_state where network_id = :network and target = :target;

-- name: keep
insert into turno_index_state (network_id, target, snapshot_id, fingerprint, indexed_at)
values (:network, :target, :snapshot, :fingerprint, {now});

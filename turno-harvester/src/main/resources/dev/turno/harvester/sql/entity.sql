-- name: known
select id, kind, entity_key from turno_entity where entity_key in (:keys);

-- name: add
insert into turno_entity (kind, entity_key, name) values (:kind, :key, :name);

-- name: forget-records
delete from turno_mention where record_hash in (:hashes);

-- name: forget-old
delete from turno_mention where network_id = :network and snapshot_id <> :snapshot;

-- name: forget-network
delete from turno_mention where network_id = :network;

-- name: mention
insert into turno_mention (entity_id, network_id, record_hash, identifier, snapshot_id, field)
values (:entity, :network, :hash, :identifier, :snapshot, :field);

-- name: search
-- An entity whose last mention went is not shown.
select e.id, e.kind, e.entity_key, e.name, (select count(*) from turno_mention m where m.entity_id = e.id) as mentions
  from turno_entity e
 where e.kind = :kind and e.entity_key like :start escape '!' and e.entity_key > :after
   and exists (select 1 from turno_mention m where m.entity_id = e.id)
 order by e.entity_key limit :limit;

-- name: mentions
select id, network_id, identifier, snapshot_id, field from turno_mention
 where entity_id = :entity and id > :after order by id limit :limit;

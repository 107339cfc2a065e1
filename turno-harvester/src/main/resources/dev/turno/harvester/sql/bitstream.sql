-- name: known
select record_hash, url_hash from turno_bitstream where network_id = :network and record_hash in (:hashes);

-- name: add
insert into turno_bitstream (network_id, record_hash, identifier, url, url_hash, state, changed_at)
values (:network, :hash, :identifier, :url, :url_hash, 'NEW', {now});

-- name: forget-network
delete from turno_bitstream where network_id = :network;

-- name: waiting
select id, network_id, record_hash, identifier, url, state, media_type, sha256 from turno_bitstream
 where network_id = :network and state = :state and id > :after order by id limit :limit;

-- name: change
-- Only from the state in which it was read: a late writer changes nothing.
update turno_bitstream
   set state = :state, media_type = :media_type, size_bytes = :size, sha256 = :sha256, error = :error, changed_at = {now}
 where id = :id and state = :was;

-- name: of-record
select id, network_id, record_hash, identifier, url, state, media_type, sha256 from turno_bitstream
 where network_id = :network and record_hash = :hash order by id;

-- name: counts
select state, count(*) as n from turno_bitstream where network_id = :network group by state;

-- name: token-by-hash
select id, name, role, afore, hash, timestampdiff(microsecond, '1970-01-01', expires_at) as expires_us
  from turno_token
 where namespace = :namespace and hash = :hash and revoked_at is null and (expires_at is null or expires_at > utc_timestamp(6));

-- name: token-add
insert into turno_token (namespace, name, role, afore, hash, is_session, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, utc_timestamp(6), :created_by, null);

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, utc_timestamp(6), :created_by, utc_timestamp(6) + interval :seconds second);

-- name: token-exists
select count(*) from turno_token where namespace = :namespace and hash = :hash;

-- name: token-admins
select count(*) from turno_token where namespace = :namespace and role = 'admin' and not is_session and revoked_at is null and (expires_at is null or expires_at > utc_timestamp(6));

-- name: token-list
select id, name, role, afore, created_by, timestampdiff(microsecond, '1970-01-01', created_at) as created_us, timestampdiff(microsecond, '1970-01-01', expires_at) as expires_us,
       timestampdiff(microsecond, '1970-01-01', revoked_at) as revoked_us
  from turno_token
 where namespace = :namespace and not is_session and id > :after
 order by id limit :limit;

-- name: token-revoke
update turno_token set revoked_at = utc_timestamp(6) where namespace = :namespace and id = :id and revoked_at is null;

-- name: token-prune
delete from turno_token where namespace = :namespace and is_session and expires_at < utc_timestamp(6) - interval 1 day;

-- name: audit-add
insert into turno_audit (namespace, begun_at, who, role, address, action, why)
values (:namespace, utc_timestamp(6), :who, :role, :address, :action, :why);

-- name: audit-end
update turno_audit set status = :status where id = :id;

-- name: audit-list
select id, timestampdiff(microsecond, '1970-01-01', begun_at) as at_us, who, role, address, action, why, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
delete from turno_audit where namespace = :namespace and begun_at < utc_timestamp(6) - interval 400 day;

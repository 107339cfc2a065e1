-- name: token-check
-- Fails unless the table is there as this version knows it.
select parent_id from turno_token where 1 = 0;

-- name: audit-check
select details from turno_audit where 1 = 0;

-- name: token-by-hash
-- A session is good as long as the token is that its person signed in with.
select t.id, t.name, t.role, t.afore, t.hash, t.parent_id
  from turno_token t
 where t.namespace = :namespace and t.hash = :hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > utc_timestamp(6))
   and (t.parent_id is null
        or exists (select 1 from turno_token p
                    where p.id = t.parent_id and p.revoked_at is null and (p.expires_at is null or p.expires_at > utc_timestamp(6))));

-- name: token-add
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, utc_timestamp(6), :created_by, null);

-- name: token-add-expiring
insert into turno_token (namespace, name, role, afore, hash, is_session, parent_id, created_at, created_by, expires_at)
values (:namespace, :name, :role, :afore, :hash, :session, :parent_id, utc_timestamp(6), :created_by, utc_timestamp(6) + interval :seconds second);

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
update turno_audit set status = :status, why = coalesce(why, :why), details = :details where id = :id;

-- name: audit-list
select id, timestampdiff(microsecond, '1970-01-01', begun_at) as at_us, who, role, address, action, why, details, status
  from turno_audit
 where namespace = :namespace and id < :before
 order by id desc limit :limit;

-- name: audit-prune
delete from turno_audit where namespace = :namespace and begun_at < utc_timestamp(6) - interval 400 day;

-- A key to sign tokens is published before it signs, so that those who verify tokens know it by then.
alter table signing_keys add column starts_at timestamptz not null default now();
update signing_keys set starts_at = created_at;

-- The console lists agencies by name too.
create index agencias_by_name on agencias (lower(nombre), id);

-- What a secret is used for, as its team names it.
alter table app_secrets add column nombre text;

-- When a secret was last used, to the minute. A table of its own: a change of app_secrets makes every node read the app again.
create table app_secret_uses (
  secret_id int primary key references app_secrets on delete cascade,
  used_at timestamptz not null
);

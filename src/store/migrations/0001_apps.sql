-- What a node knows about the installation itself, one fact a row; today the fingerprint of the master key,
-- so that a node with another key refuses to start instead of failing to open every secret.
create table settings (
  name text primary key,
  value text not null
);

-- The partners. The key is what a signature or a token names; the check keeps any other spelling out of the index.
create table apps (
  id int generated always as identity primary key,
  app_key text unique not null check (app_key ~ '^[0-9a-f]{32}$'),
  nombre text not null,
  contacto text,
  -- Production and test never see each other's data, so an app is one or the other from its first day.
  modo text not null check (modo in ('produccion', 'prueba')),
  -- null means every topic, those of later versions included.
  topics text[],
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

-- Several live secrets for one app, so that a partner can rotate without a moment of refusal.
create table app_secrets (
  id int generated always as identity primary key,
  app_id int not null references apps,
  -- Sealed with the master key: a copy of the database alone signs nothing.
  sealed bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index app_secrets_app_id on app_secrets (app_id);

-- A signature on a change is good once, on any node: the primary key decides which of two arrivals was first.
create table used_signatures (
  signature bytea primary key,
  expires_at timestamptz not null
);
-- For the sweep of those that are too old to be accepted anyway.
create index used_signatures_expires_at on used_signatures (expires_at);

-- The keys tokens are signed with; retired ones stay published until the last token they signed has expired.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- Nodes keep apps and keys in memory; these tell them within milliseconds of the commit what to read again.
create function notify_app() returns trigger language plpgsql as $$
begin
  -- An update that moves a row from one app to another concerns both.
  if tg_op <> 'INSERT' then perform pg_notify('apps', (to_jsonb(old) ->> tg_argv[0])); end if;
  if tg_op <> 'DELETE' then perform pg_notify('apps', (to_jsonb(new) ->> tg_argv[0])); end if;
  return null;
end
$$;
create trigger notify_app after insert or update or delete on apps
  for each row execute function notify_app('id');
create trigger notify_app after insert or update or delete on app_secrets
  for each row execute function notify_app('app_id');

create function notify_signing_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('signing_keys', new.kid);
  return null;
end
$$;
create trigger notify_signing_key after insert or update on signing_keys
  for each row execute function notify_signing_key();

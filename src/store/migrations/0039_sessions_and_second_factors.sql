-- What a person sees of their sessions. A session without a row here is valid: it gets one at its next page. Sessions
-- end by ended_sessions and by the account's version, which the previous version of the server knows too.
create table sessions (
  id uuid primary key,
  account_id int not null references accounts,
  -- The account's version when the session was last seen; a session of another version has ended.
  version int not null,
  user_agent text not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index sessions_account_id on sessions (account_id);
create index sessions_last_seen_at on sessions (last_seen_at);

-- Codes of an app on a phone (TOTP) and recovery codes, now for every account. The columns in staff stay for the
-- previous version while an upgrade is under way; nothing reads them any more.
create table second_factors (
  account_id int primary key references accounts,
  -- Null for an account that has only passkeys.
  sealed_totp bytea,
  -- The last time step that a code was accepted for: each code is accepted once.
  totp_step bigint not null default 0,
  -- SHA-256 of the codes that replace a lost phone or passkey; each is accepted once.
  recovery_hashes bytea[] not null default '{}'
);
insert into second_factors (account_id, sealed_totp, totp_step, recovery_hashes)
select account_id, sealed_totp, totp_step, recovery_hashes from staff where sealed_totp is not null and ended_at is null;

create table passkeys (
  id int generated always as identity primary key,
  account_id int not null references accounts,
  -- As WebAuthn sends it: base64url.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  nombre text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_account_id on passkeys (account_id);

-- Challenges that were answered: each is accepted once. They expire within minutes and are deleted by the hour.
create table used_challenges (
  hash bytea primary key,
  used_at timestamptz not null default now()
);

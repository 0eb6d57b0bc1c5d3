-- Sessions that were left: a cookie copied before is worth nothing after. Kept until the cookie has lapsed by itself.
create table ended_sessions (
  id uuid primary key,
  ended_at timestamptz not null default now()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);

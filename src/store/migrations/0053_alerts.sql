-- Where the team of an app wants to hear of webhooks that fail (docs/alerts.md).
create table app_alerts (
  app_id int primary key references apps on delete cascade,
  -- The address of a Slack-compatible webhook, sealed: it lets anybody write to the channel.
  sealed_url bytea not null,
  url_hint text not null,
  after_minutes int not null check (after_minutes between 1 and 1440),
  idioma text not null
);

-- Messages to these addresses. A row is also its place in the outbox (src/outbox); each app is a queue.
create table alerts (
  id bigint generated always as identity primary key,
  app_id int not null references apps on delete cascade,
  texto text not null,
  estado text not null default 'pendiente' check (estado in ('pendiente', 'entregada', 'fallida', 'descartada')),
  attempts int not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  lease text,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index alerts_due on alerts (app_id, due_at) where estado = 'pendiente';
create index alerts_by_app on alerts (app_id, id);

-- The `failing_since` of the failure that was last alerted.
alter table webhooks add column alerted_since timestamptz;

-- Whether the person gets the emails about failing webhooks too, besides the app's contact.
alter table app_members add column avisos boolean not null default false;

-- Where an app wants to be told, one address for each topic.
create table webhooks (
  id int generated always as identity primary key,
  app_id int not null references apps,
  topic text not null,
  callback text not null,
  description text,
  activo boolean not null default true,
  -- Sealed with the master key, as the values of custom headers are: they are other people's passwords. Null: unsigned.
  sealed_secret bytea,
  -- Its last four characters, which is all that is ever shown again.
  secret_hint text,
  -- A replaced secret signs beside the new one for a day.
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  sealed_headers bytea,
  -- What deliveries have shown. The breaker: nothing is tried before `paused_until`.
  failures int not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  last_delivery_at timestamptz,
  last_error text,
  -- How many of the letters that warn of a failing webhook have been written since `failing_since`.
  warnings int not null default 0,
  disabled_at timestamptz,
  disabled_by text check (disabled_by in ('fallas', '410')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (app_id, topic)
);

-- Which inquiry an event tells of, so that it can be found, and emptied when the person asks for it.
alter table events add column sid text collate "C";
create index events_sid on events (sid) where sid is not null;
-- Ids are ULIDs: by bytes they sort by their moment, and a period is a range of them.
alter table events alter column id type text collate "C";
drop index events_agencia_id;
create index events_log on events (app_id, topic, id);
create index events_agencia on events (app_id, agencia_id, id);
-- Old ones go after 90 days: by id, for the same reason.

-- The way of one event to its webhook: at most one each, under the event's own id, which is also its place in the outbox
-- (src/outbox). Kept narrow, since it is written again with every attempt; what is searched for stands in the event.
create table deliveries (
  id text collate "C" primary key,
  app_id int not null,
  -- Deliveries of one webhook are one lane: none holds up another. Not a foreign key: every event would lock the webhook's
  -- row, and removing a webhook would look through all deliveries; one whose webhook is gone is discarded when it is due.
  webhook_id int,
  estado text not null default 'pendiente' check (estado in ('pendiente', 'entregada', 'fallida', 'descartada')),
  -- Since it was last put in the outbox, which is where the schedule stands.
  attempts int not null default 0,
  -- Before that, and early ones that the receiver asked for: with those above, all there were.
  carried int not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  lease text,
  last_error text,
  -- The W3C trace that the fact belonged to.
  traceparent text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
) with (fillfactor = 70); -- taking a row then writes no index
create index deliveries_due on deliveries (webhook_id, due_at) where estado = 'pendiente';
create index deliveries_unsent on deliveries (app_id, id) where estado in ('fallida', 'descartada');

-- Every attempt, as it went.
create table delivery_attempts (
  delivery_id text collate "C" not null,
  at timestamptz not null,
  ms int not null,
  -- What was really connected to.
  address text,
  status int,
  -- The first 4 KiB.
  answer text,
  error text
);
create index delivery_attempts_delivery_id on delivery_attempts (delivery_id, at);

-- Workers are woken after the commit (store/bell.ts), no longer within it: NOTIFY holds a lock of the whole database
-- until its transaction is on disk, so that no two commits could share a flush.
drop trigger notify_outbox on mails;
drop function notify_outbox;

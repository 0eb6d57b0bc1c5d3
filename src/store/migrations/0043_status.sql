-- What the status page shows (/estado).

-- The minutes in which a part of the service worked, an hour in each row: bit n is minute n. Every node writes them, so a
-- minute without a bit is one in which no node ran that could write here.
create table heartbeats (
  part text not null check (part in ('api', 'entregas')),
  hora timestamptz not null,
  minutes bigint not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (part, hora)
);

-- How long events took to reach their receiver at the first attempt: deliveries by hour and by the limit they kept within.
create table delivery_latency (
  hora timestamptz not null,
  up_to_ms int not null,
  deliveries int not null,
  primary key (hora, up_to_ms)
);

-- What the staff writes there. The state of an incident is that of its last update.
create table incidents (
  id int generated always as identity primary key,
  titulo text not null,
  impacto text not null check (impacto in ('menor', 'mayor', 'mantenimiento')),
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create table incident_updates (
  id int generated always as identity primary key,
  incident_id int not null references incidents on delete cascade,
  estado text not null check (estado in ('investigando', 'identificado', 'observando', 'resuelto')),
  texto text not null,
  created_at timestamptz not null default now()
);
create index incident_updates_incident_id on incident_updates (incident_id);

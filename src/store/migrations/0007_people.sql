-- The marketplace's own people. They see everything, so a password alone is not enough: the second factor is a TOTP.
create table staff (
  account_id int primary key references accounts,
  -- Null until the person has set it up, which is the first thing asked of them.
  sealed_totp bytea,
  -- The last step of the clock that a code was accepted for: each is good once.
  totp_step bigint not null default 0,
  -- SHA-256 of codes that stand in for a lost telephone, each good once.
  recovery_hashes bytea[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Set when the person leaves; what they did stays in the audit log under their name.
  ended_at timestamptz
);

-- A partner's developers, and the apps they see. Their accounts are of production, whatever the mode of the app: one
-- person works on both.
create table app_members (
  app_id int not null references apps,
  account_id int not null references accounts,
  rol text not null check (rol in ('titular', 'desarrollador')),
  created_at timestamptz not null default now(),
  primary key (app_id, account_id)
);
create index app_members_account_id on app_members (account_id);

-- Two more one-time links: to join an app's team, and to join the staff. The first of the staff has no account yet.
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add check (purpose in ('clave', 'colaborar', 'equipo', 'personal'));
alter table account_links alter column account_id drop not null;
alter table account_links add check (account_id is not null or purpose = 'personal');
alter table account_links add column app_id int references apps;
alter table account_links drop constraint account_links_rol_check;
alter table account_links add check (rol in ('administrador', 'vendedor', 'titular', 'desarrollador'));

-- What an app may ask, where it is not what everyone may (RATE_PER_SECOND, RATE_BURST, INVITES_PER_DAY).
alter table apps add column rate_per_second int check (rate_per_second between 1 and 100000);
alter table apps add column rate_burst int check (rate_burst between 1 and 1000000);
alter table apps add column invites_per_day int check (invites_per_day between 0 and 1000000);

-- What each app asked for and was sent, hour by hour, for people to look at. Nodes add to it every few seconds from
-- memory: one that is killed takes the last of its counts with it, and nothing else depends on them.
create table app_usage (
  app_id int not null references apps,
  hora timestamptz not null,
  solicitudes bigint not null default 0,
  -- Of these: 304, 4xx without 429, 429, 5xx.
  sin_cambios bigint not null default 0,
  errores bigint not null default 0,
  limitadas bigint not null default 0,
  fallas bigint not null default 0,
  -- Deliveries: arrived, attempts that failed, given up.
  entregadas bigint not null default 0,
  intentos_fallidos bigint not null default 0,
  abandonadas bigint not null default 0,
  primary key (app_id, hora)
) with (fillfactor = 70);

-- What an app has done at least once, and when it first did: what its way to production is judged by.
create table app_firsts (
  app_id int not null references apps,
  hecho text not null,
  at timestamptz not null default now(),
  primary key (app_id, hecho)
);

-- How a receiver answered to an event that was signed wrongly on purpose.
create table receiver_checks (
  id bigint generated always as identity primary key,
  app_id int not null references apps,
  topic text not null,
  at timestamptz not null default now(),
  status int,
  -- Whether it refused, as it should.
  refused boolean not null,
  detail text
);
create index receiver_checks_app_id on receiver_checks (app_id, id);

-- How often an app read an agency's data and inquiries, by days of TIME_ZONE: the agency may know. Counted as usage is.
create table app_reads (
  agencia_id int not null references agencias,
  app_id int not null references apps,
  dia date not null,
  datos bigint not null default 0,
  consultas bigint not null default 0,
  primary key (agencia_id, app_id, dia)
) with (fillfactor = 70);

-- The audit log is read by time, and by person.
create index audit_log_account_id on audit_log (account_id, id);

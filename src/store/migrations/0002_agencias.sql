-- People who sign in: dealership staff now, the marketplace's and partners' later. One mail is one account in each mode,
-- so that nothing done in test tells anything of production.
create table accounts (
  id int generated always as identity primary key,
  modo text not null check (modo in ('produccion', 'prueba')),
  email text not null check (email = lower(email)),
  nombre text not null default '',
  apellido text not null default '',
  -- Argon2id; null until the person has chosen a password.
  password_hash text,
  -- Sessions carry it: raising it ends them all at once.
  version int not null default 1,
  created_at timestamptz not null default now(),
  unique (modo, email)
);

-- One-time links by mail (reset a password, join an agency). Only the hash is kept; a link is used up by a POST.
create table account_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('clave', 'colaborar')),
  account_id int not null references accounts,
  -- Set for `colaborar`: the agency the person is asked to join, and as what.
  agencia_id int,
  rol text check (rol in ('administrador', 'vendedor')),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index account_links_account_id on account_links (account_id);

-- The dealerships. Known to partners by the administrator's mail, which is therefore unique in its mode.
create table agencias (
  id int generated always as identity primary key,
  modo text not null check (modo in ('produccion', 'prueba')),
  admin_mail text not null check (admin_mail = lower(admin_mail) and length(admin_mail) <= 50),
  nombre text not null,
  razon_social text,
  id_fiscal text,
  telefono text,
  whatsapp text,
  sitio_web text,
  -- The catalogue's ids and names at the time of writing: a name stays readable if an operator's entry goes away.
  region_id int,
  region text,
  ciudad_id int,
  ciudad text,
  direccion text,
  codigo_postal text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (modo, admin_mail)
);
alter table account_links add foreign key (agencia_id) references agencias;

-- A replaced administrator's address still answers for 90 days.
create table agencia_aliases (
  modo text not null,
  admin_mail text not null,
  agencia_id int not null references agencias,
  expires_at timestamptz not null,
  primary key (modo, admin_mail)
);
create index agencia_aliases_agencia_id on agencia_aliases (agencia_id);

-- Who works at an agency. One administrator each; a person administers one agency and may help in others.
create table operadores (
  agencia_id int not null references agencias,
  account_id int not null references accounts,
  rol text not null check (rol in ('administrador', 'vendedor')),
  created_at timestamptz not null default now(),
  primary key (agencia_id, account_id)
);
create unique index operadores_one_administrador on operadores (agencia_id) where rol = 'administrador';
create unique index operadores_administers_one on operadores (account_id) where rol = 'administrador';
create index operadores_account_id on operadores (account_id);

-- What an app may do with an agency, from its beginning to its end. Ended ones stay, as history.
create table asociaciones (
  id int generated always as identity primary key,
  app_id int not null references apps,
  agencia_id int not null references agencias,
  editar boolean not null default false,
  consultas_de_catalogo boolean not null default false,
  consultas_de_otros boolean not null default false,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('app', 'agencia', 'mercado'))
);
create unique index asociaciones_live on asociaciones (app_id, agencia_id) where ended_at is null;
create index asociaciones_agencia_id on asociaciones (agencia_id);

-- An invitation by an app. `vencida` is not stored: it follows from `vence`.
create table invitaciones (
  id int generated always as identity primary key,
  app_id int not null references apps,
  modo text not null check (modo in ('produccion', 'prueba')),
  admin_mail text not null check (admin_mail = lower(admin_mail) and length(admin_mail) <= 50),
  -- SHA-256 of the token in the mail; the token itself is nowhere else.
  token_hash bytea not null unique,
  estado text not null default 'pendiente' check (estado in ('pendiente', 'aceptada', 'revocada', 'rebotada')),
  nombre text,
  admin_nombre text,
  admin_apellido text,
  telefono text,
  region_id int,
  region text,
  ciudad_id int,
  ciudad text,
  direccion text,
  mensaje text,
  enviada timestamptz not null default now(),
  vence timestamptz not null,
  -- When it stopped being pending; it stays readable for 90 days after that (or after `vence`).
  ended_at timestamptz,
  -- The agency it led to.
  agencia_id int references agencias,
  created_at timestamptz not null default now()
);
-- An address has one open invitation from each app: inviting again renews it. Two at the same moment meet here.
create unique index invitaciones_open on invitaciones (app_id, admin_mail) where estado in ('pendiente', 'rebotada');
create index invitaciones_admin_mail on invitaciones (modo, admin_mail);
create index invitaciones_app_id on invitaciones (app_id, enviada);
create index invitaciones_agencia_id on invitaciones (agencia_id, app_id);

-- Addresses that want no more invitations, from any sender.
create table invitation_blocks (
  email text primary key,
  created_at timestamptz not null default now()
);

-- What an agency has contracted: how many listings it may show, by exposure.
create table paquetes (
  agencia_id int primary key references agencias,
  nombre text not null,
  desde date not null,
  hasta date not null,
  alta int not null default 0,
  media int not null default 0,
  baja int not null default 0,
  consultas_de_catalogo boolean not null default false,
  updated_at timestamptz not null default now()
);

-- Every change of an agency's data: who, when, what from and to.
create table agencia_history (
  id bigint generated always as identity primary key,
  agencia_id int not null references agencias,
  app_id int references apps,
  account_id int references accounts,
  changes jsonb not null,
  at timestamptz not null default now()
);
create index agencia_history_agencia_id on agencia_history (agencia_id, id);

-- What happened, told to the app it concerns, whether or not it listens. The payload is frozen as text, byte for byte.
create table events (
  id text primary key,
  app_id int not null references apps,
  agencia_id int references agencias,
  topic text not null,
  payload text not null,
  -- The transaction that wrote it: a feed that follows ids would skip what commits late.
  xid xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  created_at timestamptz not null default now()
);
create index events_feed on events (app_id, xid, position);
create index events_agencia_id on events (agencia_id);

-- Letters. The row is written with the fact it tells, and is its own place in the outbox (src/outbox).
create table mails (
  id bigint generated always as identity primary key,
  kind text not null,
  to_address text not null,
  -- Subject, text and HTML, sealed: they hold one-time links and personal data.
  sealed bytea not null,
  reply_to text,
  invitacion_id int references invitaciones,
  estado text not null default 'pendiente' check (estado in ('pendiente', 'entregada', 'fallida', 'guardada')),
  attempts int not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  lease text,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index mails_due on mails (due_at) where estado = 'pendiente';
create index mails_to on mails (to_address, kind, created_at);
create index mails_invitacion_id on mails (invitacion_id);

-- Wakes the workers: what leaves the house waits for no timer.
create function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', tg_table_name);
  return null;
end
$$;
create trigger notify_outbox after insert on mails for each statement execute function notify_outbox();

-- Where an agency receives people, besides its own address.
create table sucursales (
  id int generated always as identity primary key,
  agencia_id int not null references agencias,
  nombre text not null,
  telefono text,
  whatsapp text,
  email text,
  region_id int,
  region text,
  ciudad_id int,
  ciudad text,
  direccion text,
  codigo_postal text,
  -- {Lunes: [{Desde, Hasta}, …], …}, checked when it is written; null: not told.
  horarios json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sucursales_agencia_id on sucursales (agencia_id, id);

-- How a person is presented at this agency; null: as the account says. An app edits these and never the account, which
-- may work elsewhere too.
alter table operadores add column nombre text, add column apellido text, add column telefono text, add column whatsapp text;

-- What the marketplace's own site follows, in the order of commits. Sucursales and packages touch their agency.
alter table agencias add column xid xid8 not null default pg_current_xact_id();
create index agencias_feed on agencias (modo, xid, id);
create trigger note_change before update on agencias for each row execute function note_change();

-- How often a listing was looked at, by days of TIME_ZONE. No foreign key: listings are never deleted.
create table visitas (
  publicacion_id int not null,
  dia date not null,
  cantidad bigint not null,
  primary key (publicacion_id, dia)
) with (fillfactor = 70);

-- What is hidden only for want of a place in the package.
create index publicaciones_waiting on publicaciones (agencia_id) where estado = 'Suspendida' and suspensiones = '{paquete}';

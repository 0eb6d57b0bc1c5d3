-- The cars on offer. `id` is the public one (Aviso); partners know a listing by their own ExternalId.
create table publicaciones (
  id int generated always as identity (start with 100001) primary key,
  modo text not null check (modo in ('produccion', 'prueba')),
  agencia_id int not null references agencias,
  -- Who published it.
  app_id int not null references apps,
  external_id text not null,
  ref_stock text,
  estado text not null default 'Activa' check (estado in ('Activa', 'Suspendida', 'Archivada')),
  -- Why it is suspended: a reason for each party that can lift it. Only the marketplace lifts its own suspension.
  suspensiones text[] not null default '{}'
    check (suspensiones <@ '{app,agencia,mercado,desasociada,paquete}'::text[] and (estado <> 'Activa' or suspensiones = '{}')
           and (estado <> 'Suspendida' or suspensiones <> '{}')),
  -- What the marketplace, or the agency, said when it suspended it.
  motivo text,
  -- What was asked for (null: the best the package allows), and what the package gave.
  exposicion_pedida text check (exposicion_pedida in ('Alta', 'Media', 'Baja')),
  exposicion text check (exposicion in ('Alta', 'Media', 'Baja')),
  operador text not null,
  -- The catalogue's ids and names at the time of writing; no id where the catalogue does not know it.
  marca_id int not null,
  marca text not null,
  modelo_id int,
  modelo text not null,
  version_id int,
  version text,
  -- Make, model and version in the partner's own words, without case: the same words again mean the same car.
  escrito text not null default '',
  version_year int,
  kilometraje int,
  color_id int,
  color text,
  carroceria_id int,
  carroceria text,
  propulsion text,
  transmision text,
  precio_moneda text,
  precio_importe numeric(14, 2),
  descripcion text,
  region_id int,
  region text,
  ciudad_id int,
  ciudad text,
  fotos text[] not null default '{}',
  -- [{Nombre, Valor}], as they were given.
  datos_tecnicos json not null default '[]',
  -- Make, model, version and the partner's own numbers, without case and accents: what `q` looks through.
  busqueda text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  -- When it last changed, in the order of commits: what the marketplace's own site follows.
  xid xid8 not null default pg_current_xact_id()
);
-- An ExternalId is one listing of an app at an agency while it lives; archived, it is free again.
create unique index publicaciones_live on publicaciones (agencia_id, lower(external_id), app_id) where estado <> 'Archivada';
create index publicaciones_archived on publicaciones (agencia_id, lower(external_id)) where estado = 'Archivada';
-- For an app's list, and for counting what is shown by exposure, which needs nothing but the index.
create index publicaciones_agencia on publicaciones (agencia_id, app_id, id) include (estado, exposicion)
  where estado <> 'Archivada';
create index publicaciones_past on publicaciones (agencia_id, app_id, id) where estado = 'Archivada';
create index publicaciones_feed on publicaciones (modo, xid, id);

create function note_change() returns trigger language plpgsql as $$
begin
  new.xid := pg_current_xact_id();
  return new;
end
$$;
create trigger note_change before update on publicaciones for each row execute function note_change();

-- The marketplace's own sites. The key is 256 random bits, so a plain hash of it is as good as a slow one.
create table sitios (
  id int generated always as identity primary key,
  nombre text not null,
  modo text not null check (modo in ('produccion', 'prueba')),
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create function notify_sitio() returns trigger language plpgsql as $$
begin
  perform pg_notify('sitios', new.id::text);
  return null;
end
$$;
create trigger notify_sitio after insert or update on sitios for each row execute function notify_sitio();

-- What a person agreed to when asking, by version; an inquiry names the version.
create table consent_texts (
  version text primary key,
  texto text not null,
  created_at timestamptz not null default now()
);

-- The inquiries. The sid is a ULID, so by bytes it sorts by the moment of reception: months are ranges of it, the newest
-- come last in every index, and one inquiry is found in its month without being told which. No foreign keys: agencies and
-- apps are never deleted, and the check would lock their rows with every inquiry.
create table consultas (
  sid text collate "C" primary key,
  modo text not null,
  agencia_id int not null,
  -- Whose listing it is about: the app that published it; 0 for a car of the catalogue.
  fuente int not null,
  publicacion_id int,
  -- ExternalId without case.
  external_key text,
  tipo_anuncio text not null check (tipo_anuncio in ('publicacion', 'catalogo')),
  origen_lead text not null,
  -- As the API shows them, at reception: later edits of the listing change nothing here.
  auto text not null,
  interesado text not null,
  -- Who it is, for finding repeats and for erasure: the mail in lower case, the digits of the telephone.
  email text,
  telefono text,
  operador text not null,
  estado text not null default 'nueva' check (estado in ('nueva', 'leida', 'contactada', 'vendida', 'descartada')),
  estado_at timestamptz,
  -- The first of several by one person on one car within a day.
  repite text collate "C",
  consentimiento text,
  sitio_id int,
  suprimida_at timestamptz
) partition by range (sid);
create table consultas_other partition of consultas default;
-- An app sees an agency's inquiries by their source. A page merges the newest of each source in sight, so that it costs
-- the same whatever part of them the app sees; which sources there are is told by the counters.
create index consultas_fuente on consultas (agencia_id, fuente, sid);
create index consultas_operador on consultas (agencia_id, operador, fuente, sid);
create index consultas_external on consultas (agencia_id, external_key, fuente, sid) where external_key is not null;
-- A person's, and among them the first about one listing.
create index consultas_email on consultas (email, publicacion_id, sid) where email is not null;
create index consultas_telefono on consultas (telefono, publicacion_id, sid) where telefono is not null;

-- How many there were on each day of a month (of TIME_ZONE), by source and operator: an exact Total without counting.
-- A row a month: with a row a day, reading three months of a large agency cost ten times what its page does.
create table consulta_counts (
  agencia_id int not null,
  mes date not null,
  fuente int not null,
  operador text not null,
  dias int[] not null,
  primary key (agencia_id, mes, fuente, operador)
) with (fillfactor = 50); -- counting then writes no index

-- A request that comes twice under one key is one inquiry.
create table idempotency_keys (
  sitio_id int not null,
  key text not null,
  digest bytea not null,
  sid text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (sitio_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- A letter about an inquiry is written when it leaves, from the inquiry as it then is, and holds nothing of it here: what
-- is erased there is erased here.
alter table mails alter column sealed drop not null;
alter table mails add column sid text collate "C";
alter table mails add check (sealed is not null or sid is not null);
create index mails_sid on mails (sid) where sid is not null;
-- Most letters are about inquiries, and carry no invitation.
drop index mails_invitacion_id;
create index mails_invitacion_id on mails (invitacion_id) where invitacion_id is not null;

-- Requests to be forgotten, and what they reached. The person is not named: hashes of the mail and the telephone, under
-- the master key, recognise who asks again.
create table suppressions (
  id text collate "C" primary key,
  person_hashes bytea[] not null,
  by_account int references accounts,
  reached jsonb not null,
  at timestamptz not null default now()
);

-- Who read or did what with personal data.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account_id int references accounts,
  -- 'consola', 'agencia', 'comando'
  via text not null,
  act text not null,
  subject text,
  detail jsonb
);
create index audit_log_subject on audit_log (subject, id);

-- How the marketplace presents itself: one row. Null is the default.
create table brand_images (
  hash text primary key,
  bytes bytea not null check (octet_length(bytes) <= 262144),
  ancho int not null,
  alto int not null,
  created_at timestamptz not null default now()
);

create table brand (
  id int primary key default 1 check (id = 1),
  nombre text,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  color_oscuro text check (color_oscuro ~ '^#[0-9a-f]{6}$'),
  remitente_nombre text,
  remitente_mail text,
  soporte_mail text,
  soporte_url text,
  enlaces jsonb not null default '[]',
  logo text references brand_images,
  logo_oscuro text references brand_images,
  favicon text references brand_images,
  updated_at timestamptz not null default now()
);

create function notify_brand() returns trigger language plpgsql as $$
begin
  perform pg_notify('brand', '');
  return null;
end $$;

create trigger notify_brand after insert or update or delete on brand
  for each row execute function notify_brand();

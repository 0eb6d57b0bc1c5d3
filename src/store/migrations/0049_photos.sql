-- Copies of the photos that partners name by their addresses (docs/photos.md). A row is also its place in the outbox
-- (src/outbox); each app is a queue. `last_error` is a code of src/photos/photo.ts.
create table photos (
  id bigint generated always as identity primary key,
  publicacion_id int not null references publicaciones on delete cascade,
  app_id int not null,
  url text not null,
  hash text,
  estado text not null default 'pendiente' check (estado in ('pendiente', 'entregada', 'fallida')),
  attempts int not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  lease text,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
) with (fillfactor = 70);
create index photos_publicacion_id on photos (publicacion_id);
create index photos_due on photos (app_id, due_at) where estado = 'pendiente';
create index photos_hash on photos (hash) where hash is not null;

-- What is stored, by its content. Files that no photo uses are deleted a day after `used_at`.
create table photo_files (
  hash text primary key,
  width int not null,
  height int not null,
  used_at timestamptz not null default now()
);

-- Up to where the changes of listings have been read, for each mode.
create table photo_positions (
  modo text primary key,
  xid text not null default '0',
  position text not null default '0'
);
insert into photo_positions (modo) values ('produccion'), ('prueba');

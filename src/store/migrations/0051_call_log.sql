-- The calls of apps to the API, for seven days. A ring of nine partitions, one for each day: a day that is over is truncated
-- before its turn comes again, so that nothing is deleted row by row.
create table app_calls (
  dia smallint not null,
  id text collate "C" not null,
  app_id int not null,
  agencia_id int,
  metodo text not null,
  ruta text not null,
  portal boolean not null,
  estado smallint not null,
  ms real not null,
  -- The problem of a refused call and the form of its body.
  codigo text,
  problema jsonb,
  cuerpo text
) partition by list (dia);

do $$
begin
  for dia in 0..8 loop
    execute format('create table app_calls_%s partition of app_calls for values in (%s)', dia, dia);
  end loop;
end
$$;
create index app_calls_by_app on app_calls (app_id, id);
create index app_calls_refused on app_calls (app_id, id) where estado >= 400;
create index app_calls_of_portal on app_calls (app_id, id) where portal;

create function call_day(moment timestamptz) returns smallint language sql immutable as $$
  select ((extract(epoch from moment)::bigint / 86400) % 9)::smallint
$$;

-- Empties the partition of tomorrow, whose rows are eight days old. With the owner's rights: the serving role cannot truncate.
create function clear_old_calls() returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  oldest text := 'app_calls_' || call_day(now() + interval '1 day');
  used boolean;
begin
  execute format('select exists (select from %I)', oldest) into used;
  if used then execute format('truncate %I', oldest); end if;
end
$$;
revoke execute on function clear_old_calls from public;

-- Calls that a developer saved by name in the portal.
create table app_saved_calls (
  id int generated always as identity primary key,
  app_id int not null references apps (id) on delete cascade,
  nombre text not null check (length(nombre) between 1 and 60),
  metodo text not null,
  ruta text not null,
  cuerpo text not null,
  accept text not null,
  etag text not null,
  created_at timestamptz not null default now(),
  unique (app_id, nombre)
);

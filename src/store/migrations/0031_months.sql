-- Tables whose key is a ULID are partitioned by months of UTC: events_2026_11, and events_other for keys of months that have no
-- partition yet. These functions have the rights of the owner, so that the serving role needs none but to read and write rows.
create function first_ulid(moment timestamptz) returns text language sql immutable as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (((ms >> (5 * digit)) & 31) + 1)::int, 1), '' order by digit desc)
    || repeat('0', 16)
  from (select (extract(epoch from moment) * 1000)::bigint as ms) as time, generate_series(0, 9) as digit
$$;

create function ulid_moment(ulid text) returns timestamptz language sql immutable as $$
  select to_timestamp(sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(ulid, digit, 1)) - 1) * 32::numeric ^ (10 - digit))::float8 / 1000)
  from generate_series(1, 10) as digit
$$;

create function month_key(parent text) returns text language sql stable set search_path = public, pg_temp as $$
  select a.attname::text from pg_partitioned_table p
  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = to_regclass(quote_ident(parent))
$$;

-- The partitions with months in their names, and the first day after each. `events_until_2027_01` holds everything before 2027.
create function months_of(parent text) returns table (partition text, until date)
language sql stable set search_path = public, pg_temp as $$
  select c.relname::text, (to_date(right(c.relname, 7), 'YYYY_MM') +
    case when c.relname ~ '_until_\d{4}_\d\d$' then interval '0' else interval '1 month' end)::date
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass(quote_ident(parent)) and c.relname ~ '_\d{4}_\d\d$'
$$;

-- The first month that needs a partition: from that of the moment to so many later, then those with rows in the default one.
create function missing_month(parent text, moment timestamptz, ahead int) returns date
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  missing date;
  stray text;
begin
  select min(month::date) into missing
  from generate_series(date_trunc('month', moment at time zone 'UTC'),
    date_trunc('month', moment at time zone 'UTC') + make_interval(months => ahead), interval '1 month') as month
  where not exists (
    select from months_of(parent)
    where partition = parent || to_char(month, '"_"YYYY_MM') or partition like parent || '\_until\_%' and until > month);
  if missing is not null then return missing; end if;
  execute format('select min(%1$I) from %2$I where %1$I ~ ''^0[0-9A-HJKMNP-TV-Z]{25}$''', month_key(parent), parent || '_other') into stray;
  return date_trunc('month', ulid_moment(stray) at time zone 'UTC');
end
$$;

-- Creates the partition of a month and moves its rows there, so many at a time: to be called in one transaction until it no
-- longer returns 'moving'. Readers see each row all the time.
create function create_month(parent text, month date, most int) returns text
language plpgsql security definer set search_path = public, pg_temp
-- Requests wait behind our lock, so we give up while a long read holds the table.
set lock_timeout = '2s' as $$
declare
  name text := parent || to_char(month, '"_"YYYY_MM');
  key text := month_key(parent);
  range_from text := first_ulid(date_trunc('month', month) at time zone 'UTC');
  range_until text := first_ulid((date_trunc('month', month) + interval '1 month') at time zone 'UTC');
  moved bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(parent || ' partitions', 0));
  if exists (select from months_of(parent) where partition = name) then return 'exists'; end if;
  if to_regclass(quote_ident(name)) is null then
    -- A concurrent insert that already chose the default partition would fail after the attach.
    execute format('lock table %I in access exclusive mode', parent);
    execute format('create table %I (like %I including all excluding identity)', name, parent);
    -- Claims update whole pages of deliveries: each row needs room for a second version of itself.
    if parent = 'deliveries' then execute format('alter table %I set (fillfactor = 45)', name); end if;
  end if;
  execute format('with strays as (
      delete from %1$I where %2$I = any (array(
        select %2$I from %1$I where %2$I >= %3$L and %2$I < %4$L order by %2$I limit %5$s))
      returning *
    ) insert into %6$I select * from strays', parent || '_other', key, range_from, range_until, most, name);
  get diagnostics moved = row_count;
  if moved >= most then return 'moving'; end if;
  -- With the constraint, attaching does not scan the rows.
  execute format('alter table %I add constraint of_month check (%I >= %L and %I < %L)', name, key, range_from, key, range_until);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, range_from, range_until);
  execute format('alter table %I drop constraint of_month', name);
  return 'created';
end
$$;

-- Drops the first partition that ended by then, and returns its name; null if there is none.
create function drop_month_before(parent text, moment timestamptz) returns text
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  oldest text;
begin
  if not exists (select from months_of(parent) where until <= moment at time zone 'UTC') then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended(parent || ' partitions', 0));
  select partition into oldest from months_of(parent) where until <= moment at time zone 'UTC' order by until limit 1;
  if oldest is not null then execute format('drop table %I', oldest); end if;
  return oldest;
end
$$;

-- Feeds number transactions by PostgreSQL's ids plus an offset (src/store/feed.ts).
create function set_feed_offset(feed_offset bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('create or replace function feed_xid() returns xid8 language sql stable
    as ''select (pg_current_xact_id()::text::bigint + %s)::text::xid8''', feed_offset);
  execute format('create or replace function feed_horizon() returns xid8 language sql stable
    as ''select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + %s)::text::xid8''', feed_offset);
end
$$;

revoke execute on function missing_month, create_month, drop_month_before, set_feed_offset from public;

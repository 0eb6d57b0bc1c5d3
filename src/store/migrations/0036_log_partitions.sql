-- Exchanges the tables of the log for partitioned ones, in an instant: today's tables become their partitions of everything
-- before a month (0032). Where they are empty they are dropped: a new installation has months only.
do $$
declare
  bound name := (select conname from pg_constraint where conrelid = 'events'::regclass and conname ~ '^until_');
  before text := first_ulid(to_date(right(bound, 7), 'YYYY_MM')::timestamp at time zone 'UTC');
  is_new boolean;
  log text[];
  former text;
begin
  lock table events, deliveries, delivery_attempts in access exclusive mode;
  is_new := not exists (select from events) and not exists (select from deliveries) and not exists (select from delivery_attempts);
  foreach log slice 1 in array array[['events', 'id'], ['deliveries', 'id'], ['delivery_attempts', 'delivery_id']] loop
    former := log[1] || '_' || bound;
    execute format('alter table %I rename to %I', log[1], former);
    execute format('create table %I (like %I including all) partition by range (%I)', log[1], former, log[2]);
    execute format('alter table %I drop constraint %I', log[1], bound);
    if log[1] = 'events' then
      perform setval(pg_get_serial_sequence('events', 'position'), nextval(pg_get_serial_sequence(former, 'position')));
      execute format('alter table %I alter column position drop identity', former);
    end if;
    if is_new then
      execute format('drop table %I', former);
    else
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log[1], former, before);
      execute format('alter table %I drop constraint %I', former, bound);
    end if;
    execute format('alter table %I attach partition %I default', log[1], log[1] || '_other');
  end loop;
end
$$;

-- The log of events becomes partitioned by month (0036). Today's tables become the partition of everything before a month,
-- without copying: a check constraint, validated while the server works, shows that nothing in them is later. The month is
-- the one after next, so that no insert meets the constraint before the tables are exchanged.
create table events_other (like events including all excluding identity);
create table deliveries_other (like deliveries including all);
create table delivery_attempts_other (like delivery_attempts including all);

do $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
  bound text := first_ulid(month at time zone 'UTC');
  log text[];
begin
  -- Without statistics PostgreSQL would read the tables to find later rows, while everybody waits for the lock.
  perform set_config('enable_seqscan', 'off', true);
  lock table events, deliveries, delivery_attempts in access exclusive mode;
  foreach log slice 1 in array array[['events', 'id'], ['deliveries', 'id'], ['delivery_attempts', 'delivery_id']] loop
    -- Ids that a wrong clock made.
    execute format('with strays as (delete from %1$I where %2$I >= %3$L returning *) insert into %4$I select * from strays',
      log[1], log[2], bound, log[1] || '_other');
    execute format('alter table %I add constraint %I check (%I < %L) not valid',
      log[1], 'until_' || to_char(month, 'YYYY_MM'), log[2], bound);
  end loop;
end
$$;

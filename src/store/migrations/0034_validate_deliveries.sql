-- Reads the table once, while others read and write it. A migration of its own: if it is interrupted, this table alone is read again.
do $$
declare
  bound name := (select conname from pg_constraint where conrelid = 'deliveries'::regclass and conname ~ '^until_');
begin
  execute format('alter table deliveries validate constraint %I', bound);
end
$$;

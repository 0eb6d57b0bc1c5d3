-- Feeds follow transaction ids (store/feed.ts). Another server begins to count them anew: a store that was restored from a
-- dump would hide what it holds, and give what comes next a place that its readers have passed. So ids are taken from these
-- two, which are given an offset when that has happened; PostgreSQL writes them into the statement, so they cost nothing.
create function feed_xid() returns xid8 language sql stable as 'select pg_current_xact_id()';
create function feed_horizon() returns xid8 language sql stable as 'select pg_snapshot_xmin(pg_current_snapshot())';

alter table events alter column xid set default feed_xid();
alter table publicaciones alter column xid set default feed_xid();
alter table agencias alter column xid set default feed_xid();
create or replace function note_change() returns trigger language plpgsql as $$
begin
  new.xid := feed_xid();
  return new;
end
$$;

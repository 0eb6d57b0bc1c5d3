-- The unsettled deliveries of webhooks that want them in order: the first of each agency may be sent. The others are due at
-- infinity. A table of its own, because an index would be built over all deliveries, of which few are ordered.
create table ordered_deliveries (
  webhook_id int not null,
  agencia_id int not null, -- 0: none
  xid xid8 not null,
  position bigint not null,
  delivery_id text collate "C" not null unique,
  primary key (webhook_id, agencia_id, xid, position)
);

-- The place in the feed is known after the statement that inserts the event. Other deliveries pay for the condition only.
create function enqueue_ordered_delivery() returns trigger language plpgsql as $$
begin
  insert into ordered_deliveries (webhook_id, agencia_id, xid, position, delivery_id)
  select new.webhook_id, coalesce(e.agencia_id, 0), e.xid, e.position, new.id from events e where e.id = left(new.id, 26)
  on conflict (delivery_id) do nothing;
  return null;
end
$$;
create trigger enqueue_ordered after insert on deliveries
  for each row when (new.due_at = 'infinity') execute function enqueue_ordered_delivery();

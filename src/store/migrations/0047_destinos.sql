-- Several webhooks for a topic, each with a number; what exists is the first.
alter table webhooks
  add column destino smallint not null default 1 check (destino between 1 and 5),
  -- The agencies whose events it gets; null: all.
  add column agencias int[],
  -- The events of an agency are sent one at a time, in the order of the feed.
  add column en_orden boolean not null default false,
  add column payload_version smallint not null default 1;
create unique index webhooks_destino on webhooks (app_id, topic, destino);
alter table webhooks drop constraint webhooks_app_id_topic_key;

-- What an app's settings mean for each of its webhooks, stored with the webhook: inserting an event then reads no app. Triggers
-- keep it true, so that it also holds for what a node of the previous version changes.
alter table webhooks
  add column app_allows boolean not null default true,
  add column private_callbacks text[] not null default '{}';

create function copy_app_to_new_webhook() returns trigger language plpgsql as $$
begin
  -- Locked, so that a concurrent change of the app either is seen here or sees this webhook.
  select disabled_at is null and (topics is null or new.topic = any (topics)), private_callbacks
  into new.app_allows, new.private_callbacks from apps where id = new.app_id for share;
  return new;
end
$$;
create trigger copy_app before insert on webhooks for each row execute function copy_app_to_new_webhook();

create function copy_app_to_webhooks() returns trigger language plpgsql as $$
begin
  perform from webhooks where app_id = new.id order by id for no key update; -- all code locks webhooks in this order
  update webhooks
  set app_allows = new.disabled_at is null and (new.topics is null or topic = any (new.topics)),
    private_callbacks = new.private_callbacks
  where app_id = new.id;
  return null;
end
$$;
create trigger copy_to_webhooks after update of disabled_at, topics, private_callbacks on apps
  for each row execute function copy_app_to_webhooks();

update webhooks w
set app_allows = a.disabled_at is null and (a.topics is null or w.topic = any (a.topics)),
  private_callbacks = a.private_callbacks
from apps a where a.id = w.app_id;

-- When the callback first answered 2xx; null: never. Those that exist count as verified: they get the time of this statement.
alter table webhooks add column verified_at timestamptz default now();
alter table webhooks alter column verified_at drop default;

-- When a delivery to the webhook failed last: a failure long after it begins a new period of failures.
alter table webhooks add column last_failed_at timestamptz;

-- When each scheduled task (src/tasks.ts) last succeeded and last failed, on any node.
create table scheduled_tasks (
  name text primary key,
  every_seconds int not null,
  -- A task that never succeeds is late from here on.
  created_at timestamptz not null default now(),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text
);

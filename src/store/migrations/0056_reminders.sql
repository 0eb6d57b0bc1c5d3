-- When a person wants to be reminded of an inquiry, by email. Deleted when the person who asked is erased.
create table consulta_reminders (
  sid text collate "C" not null,
  account_id int not null references accounts,
  agencia_id int not null references agencias,
  due_at timestamptz not null,
  sent_at timestamptz,
  primary key (sid, account_id)
);
create index consulta_reminders_due on consulta_reminders (due_at) where sent_at is null;
create index consulta_reminders_account on consulta_reminders (account_id, due_at);

-- One row for both emails about an inquiry: the one to the dealership in the columns there were, the receipt to the person
-- in these. The previous version goes on inserting a row for each, and sending only what the old columns say.
alter table mails
  add column receipt_id bigint,
  add column receipt_to text,
  add column receipt_estado text,
  add column receipt_attempts int not null default 0,
  add column receipt_due_at timestamptz,
  add column receipt_leased_until timestamptz,
  add column receipt_lease text,
  add column receipt_error text,
  add column receipt_settled_at timestamptz,
  add constraint mails_receipt check (receipt_to is null or
    receipt_id is not null and receipt_due_at is not null
    and receipt_estado in ('pendiente', 'entregada', 'fallida', 'guardada')) not valid;
create unique index mails_receipt_id on mails (receipt_id) where receipt_to is not null;
create index mails_receipt_due on mails (receipt_due_at) where receipt_estado = 'pendiente';
create index mails_receipt_to on mails (receipt_to, created_at) where receipt_to is not null;
create index mails_receipt_unsent on mails (receipt_estado, receipt_id) where receipt_estado in ('fallida', 'guardada');

-- Receipts in rows of their own are from now on rare.
create index mails_rare_kinds on mails (kind, id) where kind <> 'consulta';
drop index mails_rare;

-- The receipts as an outbox table. It is updated, never deleted from: that would delete the dealership's email too.
create view mail_receipts as
  select ctid, receipt_id as id, text 'consulta-recibo' as kind, receipt_to as to_address, sealed, reply_to, invitacion_id,
    receipt_estado as estado, receipt_attempts as attempts, receipt_due_at as due_at,
    receipt_leased_until as leased_until, receipt_lease as lease, receipt_error as last_error, created_at,
    receipt_settled_at as settled_at, sid
  from mails where receipt_to is not null;

-- Every email, with its own id and status. The condition is outside the union, so that both halves can be read in the order
-- of an index.
create view mail_recipients as
  select * from (
    select id, kind, to_address, sealed, sid, estado, attempts, due_at, last_error, created_at, settled_at from mails
    union all
    select receipt_id, text 'consulta-recibo', receipt_to, sealed, sid, receipt_estado, receipt_attempts, receipt_due_at,
      receipt_error, created_at, receipt_settled_at
    from mails
  ) as email
  where to_address is not null;

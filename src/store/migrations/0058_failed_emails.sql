-- Emails and receipts that failed in the last days, which the console counts again and again: few among all that failed.
create index mails_failed_at on mails (settled_at) where estado = 'fallida';
create index mails_receipt_failed_at on mails (receipt_settled_at) where receipt_estado = 'fallida';

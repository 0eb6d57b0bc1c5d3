-- What the console asks about everything at once, by time and by kind, whatever there is of it.
create index consulta_counts_mes on consulta_counts (mes);

-- Letters that failed, and those that are not about inquiries: few among very many.
create index mails_failed on mails (id) where estado = 'fallida';
create index mails_rare on mails (kind, id) where kind not in ('consulta', 'consulta-recibo');

-- The audit log by act, and by day.
create index audit_log_act on audit_log (act, id);
create index audit_log_at on audit_log (at, id);

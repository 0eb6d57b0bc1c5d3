-- What came from a place that few come from, such as the command line, without reading the whole log.
create index audit_log_via on audit_log (via, id);

-- Letters kept because there was no mail server: few or none where there is one.
create index mails_kept on mails (id) where estado = 'guardada';

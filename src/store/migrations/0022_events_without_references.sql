-- Agencies and apps are never deleted, and each check locked a row of both with every event.
alter table events drop constraint events_app_id_fkey, drop constraint events_agencia_id_fkey;

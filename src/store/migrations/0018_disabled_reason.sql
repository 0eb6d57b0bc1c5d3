-- Why staff disabled an app, in words that its people read too.
alter table apps add column disabled_reason text check (length(disabled_reason) <= 500);

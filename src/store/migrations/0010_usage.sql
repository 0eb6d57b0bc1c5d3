-- What all apps did lately, for the staff; without it, every hour there ever was would be read.
create index app_usage_hora on app_usage (hora);

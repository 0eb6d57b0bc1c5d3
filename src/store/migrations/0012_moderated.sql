-- What the marketplace suspended, for whoever looks it over: few among all, and none of them is written here otherwise.
create index publicaciones_moderated on publicaciones (id) where 'mercado' = any (suspensiones);

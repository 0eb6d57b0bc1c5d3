-- For the list of listings that the marketplace suspended: few among all.
create index publicaciones_moderated on publicaciones (id) where 'mercado' = any (suspensiones);

-- The language of a person's emails: es, pt or en. Null: never chosen, Spanish.
alter table accounts add column idioma text;

-- A listing by the id that its app gives it, whatever the agency: staff asked every agency in turn, 1.1 s with 100,000.
create index publicaciones_external_id on publicaciones (lower(external_id));

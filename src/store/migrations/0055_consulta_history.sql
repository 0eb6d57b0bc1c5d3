-- What the agency's people, and apps, did with an inquiry: its notes, states and whom it was given to. A note may name the
-- person who asked: it is deleted when they are erased, and all rows with the inquiry.
create table consulta_history (
  id bigint generated always as identity primary key,
  sid text collate "C" not null,
  at timestamptz not null default now(),
  -- Who did it: somebody of the agency, or an app.
  account_id int references accounts,
  app_id int references apps,
  act text not null check (act in ('nota', 'estado', 'operador')),
  -- The text of the note, the state, or the address of the new operador.
  detail text not null
);
create index consulta_history_sid on consulta_history (sid, id);

-- When the agency first marked it as contacted or sold; before this version only `estado_at` says so.
alter table consultas add column respondida_at timestamptz;

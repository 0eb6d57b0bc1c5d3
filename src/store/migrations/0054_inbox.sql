-- How an agency shares its inquiries among its people. Without a row: by hand, and salespeople see only their own.
create table inbox_settings (
  agencia_id int primary key references agencias,
  -- Who gets a new inquiry that names nobody: the administrator, everybody in turn, or the people of the nearest branch.
  regla text not null default 'ninguna' check (regla in ('ninguna', 'turno', 'sucursal')),
  -- Whether salespeople see the inquiries and listings that nobody was given.
  abierta boolean not null default false,
  -- Within how many minutes the agency wants to answer.
  objetivo_minutos int not null default 120 check (objetivo_minutos between 5 and 10080)
);

-- Whether a person takes part in the rule (null: salespeople do, the administrator does not), and at which branch.
alter table operadores add column recibe boolean, add column sucursal_id int references sucursales on delete set null;

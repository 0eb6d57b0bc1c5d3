-- What a member of the staff may do: everything, or only read. Who signs in by the marketplace's own provider (OIDC) gets
-- the role from their groups, each time.
alter table staff add column rol text not null default 'personal' check (rol in ('personal', 'lectura'));
alter table staff add column via_oidc boolean not null default false;

create table oidc_identities (
  issuer text not null,
  subject text not null,
  account_id int not null references accounts,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index oidc_identities_account_id on oidc_identities (account_id);

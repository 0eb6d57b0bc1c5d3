-- How many listings an agency shows, by exposure: how much of its package is used. Counted by the database with whatever
-- writes them, since counting 10,000 of them anew cost 11 ms of every publication.
create table usos (
  agencia_id int primary key references agencias,
  alta int not null default 0,
  media int not null default 0,
  baja int not null default 0
);

insert into usos (agencia_id, alta, media, baja)
select agencia_id, count(*) filter (where exposicion = 'Alta'), count(*) filter (where exposicion = 'Media'),
       count(*) filter (where exposicion = 'Baja')
from publicaciones where estado = 'Activa' group by agencia_id;

create function count_uses() returns trigger language plpgsql as $$
begin
  -- What changes nothing writes nothing, and so waits for nobody; in one order, so that two at once cannot block each other.
  if tg_op = 'INSERT' then
    insert into usos as u (agencia_id, alta, media, baja)
    select agencia_id, count(*) filter (where exposicion = 'Alta'), count(*) filter (where exposicion = 'Media'),
           count(*) filter (where exposicion = 'Baja')
    from after where estado = 'Activa' group by agencia_id order by agencia_id
    on conflict (agencia_id) do update
      set alta = u.alta + excluded.alta, media = u.media + excluded.media, baja = u.baja + excluded.baja;
  else
    insert into usos as u (agencia_id, alta, media, baja)
    select agencia_id, coalesce(sum(one) filter (where exposicion = 'Alta'), 0),
           coalesce(sum(one) filter (where exposicion = 'Media'), 0),
           coalesce(sum(one) filter (where exposicion = 'Baja'), 0)
    from (select agencia_id, exposicion, 1 as one from after where estado = 'Activa'
          union all
          select agencia_id, exposicion, -1 from before where estado = 'Activa') moved
    group by agencia_id
    having coalesce(sum(one) filter (where exposicion = 'Alta'), 0) <> 0
        or coalesce(sum(one) filter (where exposicion = 'Media'), 0) <> 0
        or coalesce(sum(one) filter (where exposicion = 'Baja'), 0) <> 0
    order by agencia_id
    on conflict (agencia_id) do update
      set alta = u.alta + excluded.alta, media = u.media + excluded.media, baja = u.baja + excluded.baja;
  end if;
  return null;
end
$$;
create trigger count_uses_made after insert on publicaciones
  referencing new table as after for each statement execute function count_uses();
create trigger count_uses_moved after update on publicaciones
  referencing old table as before new table as after for each statement execute function count_uses();

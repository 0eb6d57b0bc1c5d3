-- What was published between the count of 0008 and its triggers was not counted: both are now of one moment.
lock table publicaciones in share row exclusive mode;
insert into usos as u (agencia_id, alta, media, baja)
select agencia_id, count(*) filter (where exposicion = 'Alta' and estado = 'Activa'),
       count(*) filter (where exposicion = 'Media' and estado = 'Activa'),
       count(*) filter (where exposicion = 'Baja' and estado = 'Activa')
from publicaciones group by agencia_id order by agencia_id
on conflict (agencia_id) do update set alta = excluded.alta, media = excluded.media, baja = excluded.baja
  where (u.alta, u.media, u.baja) is distinct from (excluded.alta, excluded.media, excluded.baja);

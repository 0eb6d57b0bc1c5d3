import sql from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

export interface Visit {
  aviso: number
  /** Of TIME_ZONE. */
  dia: string
  cantidad: number
}

/** Counts visits of listings of a mode; gives those of which there is no such listing. */
export async function countVisits(db: Db, modo: Modo, visits: Visit[]): Promise<number[]> {
  const counted = await db.query<{ id: number }>(sql`
    insert into visitas (publicacion_id, dia, cantidad)
    select p.id, v.dia, sum(v.cantidad)
    from json_to_recordset(${JSON.stringify(visits)}) as v (aviso int, dia date, cantidad bigint)
    join publicaciones p on p.id = v.aviso and p.modo = ${modo}
    group by p.id, v.dia
    order by p.id, v.dia -- two at once then wait for one another in one order
    on conflict (publicacion_id, dia) do update set cantidad = visitas.cantidad + excluded.cantidad
    returning publicacion_id as id`)
  const known = new Set(counted.map(({ id }) => id))
  return [...new Set(visits.map(({ aviso }) => aviso))].filter((aviso) => !known.has(aviso))
}

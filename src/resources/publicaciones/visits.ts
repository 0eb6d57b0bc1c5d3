import sql from 'sql-template-tag'
import { FRESH, type Once, sameBody, type Used, usedForAnother } from '../../http/idempotency.ts'
import type { Sitio } from '../../sitios/sitio.ts'
import type { Db } from '../../store/db.ts'

export interface PageContext {
  aviso: number
  /** Of TIME_ZONE. */
  dia: string
  cantidad: number
}

/** Who counts them, and by what the same visits sent twice are recognised. */
export interface Counting {
  sitio: Pick<Sitio, 'id' | 'modo'>
  once: Once | undefined
}

/** Keys of inquiries have no space in them, so these are never one of those. */
const keyOf = ({ key }: Once): string => `visitas ${key}`

/** Counts visits of listings of a mode; gives those of which there is no such listing. Under a key they are counted once. */
export async function countVisits(db: Db, { sitio, once }: Counting, visits: PageContext[]): Promise<number[]> {
  const claimed = once
    ? sql`insert into idempotency_keys (sitio_id, key, digest, sid)
          values (${sitio.id}, ${keyOf(once)}, ${once.digest}, '')
          on conflict (sitio_id, key) do update
            set digest = excluded.digest, created_at = now() where not (${FRESH(sql`idempotency_keys`)})
          returning true`
    : sql`select true`
  const [told] = await db.query<{ known: number[]; claimed: boolean }>(sql`
    with claimed as (${claimed}),
    known as materialized (
      select p.id, v.dia, sum(v.cantidad) as cantidad
      from json_to_recordset(${JSON.stringify(visits)}) as v (aviso int, dia date, cantidad bigint)
      join publicaciones p on p.id = v.aviso and p.modo = ${sitio.modo}
      group by p.id, v.dia
    ), counted as (
      insert into visitas (publicacion_id, dia, cantidad)
      select id, dia, cantidad from known where exists (select from claimed)
      order by id, dia -- two at once then wait for one another in one order
      on conflict (publicacion_id, dia) do update set cantidad = visitas.cantidad + excluded.cantidad
    )
    select array(select distinct id from known) as known, exists (select from claimed) as claimed`)
  if (once && !told?.claimed) await refuseOther(db, sitio, once)
  const known = new Set(told?.known)
  return [...new Set(visits.map(({ aviso }) => aviso))].filter((aviso) => !known.has(aviso))
}

async function refuseOther(db: Db, sitio: Counting['sitio'], once: Once): Promise<void> {
  const [used] = await db.query<Used>(sql`
    select sid, digest from idempotency_keys where sitio_id = ${sitio.id} and key = ${keyOf(once)}`)
  if (used && !sameBody(once, used)) throw usedForAnother('otras visitas')
}

import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** The package of an agency. Days are in the marketplace's time zone, both included. */
export interface Paquete {
  nombre: string
  desde: string
  hasta: string
  alta: number
  media: number
  baja: number
  consultasDeCatalogo: boolean
}

export type PaqueteEstado = 'vigente' | 'vencido' | 'sin-contratar'

/** How prominently a listing is shown, from the best to the least. */
export const EXPOSICIONES = ['Alta', 'Media', 'Baja'] as const

export interface PaqueteToday extends Omit<Paquete, 'nombre' | 'desde' | 'hasta'> {
  /** Null if there never was one. */
  nombre: string | null
  desde: string | null
  hasta: string | null
  /** `sin-contratar` also before its first day. */
  estado: PaqueteEstado
  /** How many listings are shown. */
  usadas: Record<(typeof EXPOSICIONES)[number], number>
}

export async function setPaquete(db: Db, agenciaId: number, given: Paquete): Promise<void> {
  const { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo } = given
  await db.query(sql`
    insert into paquetes (agencia_id, nombre, desde, hasta, alta, media, baja, consultas_de_catalogo)
    values (${agenciaId}, ${nombre}, ${desde}, ${hasta}, ${alta}, ${media}, ${baja}, ${consultasDeCatalogo})
    on conflict (agencia_id) do update
      set nombre = excluded.nombre, desde = excluded.desde, hasta = excluded.hasta, alta = excluded.alta,
          media = excluded.media, baja = excluded.baja, consultas_de_catalogo = excluded.consultas_de_catalogo,
          updated_at = now()`)
}

/**
 * Locks what an agency has contracted, also where that is nothing yet: every change of a contract takes this lock, a form before it
 * compares. It comes before all other locks of packages.
 */
export async function lockContract(tx: Db, agenciaId: number, timeZone: string): Promise<PaqueteToday> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('contrato ' || ${agenciaId}::int, 0))`)
  return findPaquete(tx, agenciaId, timeZone)
}

export const today = (timeZone: string): Sql => sql`(now() at time zone ${timeZone})::date`

/** Of the package `p`, if there is one. */
export const estadoOf = (timeZone: string): Sql => sql`
  case when ${today(timeZone)} > p.hasta then 'vencido' when ${today(timeZone)} >= p.desde then 'vigente'
       else 'sin-contratar' end`

/** The packages as of today in the marketplace's time zone, by agency, and how much of each is used. */
export async function findPaquetes(
  db: Db,
  ids: readonly number[],
  timeZone: string,
): Promise<Map<number, PaqueteToday>> {
  const rows = await db.query<PaqueteToday & { id: number }>(sql`
    select g.id, p.nombre, p.desde::text, p.hasta::text, coalesce(p.alta, 0) as alta, coalesce(p.media, 0) as media,
           coalesce(p.baja, 0) as baja, coalesce(p.consultas_de_catalogo, false) as "consultasDeCatalogo",
           ${estadoOf(timeZone)} as estado,
           json_build_object('Alta', coalesce(u.alta, 0), 'Media', coalesce(u.media, 0), 'Baja', coalesce(u.baja, 0)) as usadas
    from unnest(${ids}::int[]) as g (id)
    left join paquetes p on p.agencia_id = g.id
    left join usos u on u.agencia_id = g.id`)
  return new Map(rows.map(({ id, ...found }) => [id, found]))
}

export async function findPaquete(db: Db, agenciaId: number, timeZone: string): Promise<PaqueteToday> {
  const found = (await findPaquetes(db, [agenciaId], timeZone)).get(agenciaId)
  if (!found) throw new Error('The package was not read.')
  return found
}

/** Locks packages until the transaction ends, so that none is ever overfull. Always in one order, to avoid deadlocks. */
export const lockPaquetes = (tx: Db, ids: readonly number[]): Promise<unknown> =>
  tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('paquete ' || id, 0))
    from (select id from unnest(${ids}::int[]) as given (id) order by id) as ordered`)

export async function lockPaquete(tx: Db, agenciaId: number, timeZone: string): Promise<PaqueteToday> {
  await lockPaquetes(tx, [agenciaId])
  return findPaquete(tx, agenciaId, timeZone)
}

import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** The package of an agency. Days are in the marketplace's time zone, both included. */
export interface Package {
  nombre: string
  desde: string
  hasta: string
  alta: number
  media: number
  baja: number
  consultasDeCatalogo: boolean
}

export type PackageEstado = 'vigente' | 'vencido' | 'sin-contratar'

/** How many listings are shown by exposure. */
type Uses = Record<'Alta' | 'Media' | 'Baja', number>

export interface PackageToday extends Omit<Package, 'nombre' | 'desde' | 'hasta'> {
  /** Null if there never was one. */
  nombre: string | null
  desde: string | null
  hasta: string | null
  /** `sin-contratar` also before its first day. */
  estado: PackageEstado
  usadas: Uses
}

export async function setPackage(db: Db, agenciaId: number, given: Package): Promise<void> {
  const { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo } = given
  await db.query(sql`
    insert into paquetes (agencia_id, nombre, desde, hasta, alta, media, baja, consultas_de_catalogo)
    values (${agenciaId}, ${nombre}, ${desde}, ${hasta}, ${alta}, ${media}, ${baja}, ${consultasDeCatalogo})
    on conflict (agencia_id) do update
      set nombre = excluded.nombre, desde = excluded.desde, hasta = excluded.hasta, alta = excluded.alta,
          media = excluded.media, baja = excluded.baja, consultas_de_catalogo = excluded.consultas_de_catalogo,
          updated_at = now()`)
}

/** The package as of today in the marketplace's time zone, and how much of it is used. */
export async function findPackage(db: Db, agenciaId: number, timeZone: string): Promise<PackageToday> {
  const [found] = await db.query<PackageToday>(sql`
    select p.nombre, p.desde::text, p.hasta::text, coalesce(p.alta, 0) as alta, coalesce(p.media, 0) as media,
           coalesce(p.baja, 0) as baja, coalesce(p.consultas_de_catalogo, false) as "consultasDeCatalogo",
           case when (now() at time zone ${timeZone})::date > p.hasta then 'vencido'
                when (now() at time zone ${timeZone})::date >= p.desde then 'vigente'
                else 'sin-contratar' end as estado,
           json_build_object('Alta', coalesce(u.alta, 0), 'Media', coalesce(u.media, 0), 'Baja', coalesce(u.baja, 0)) as usadas
    from (select ${agenciaId}::int as id) g
    left join paquetes p on p.agencia_id = g.id
    left join usos u on u.agencia_id = g.id`)
  if (!found) throw new Error('The package was not read.')
  return found
}

/** The same, locked until the transaction ends, so that it is never overfull. */
export async function lockPackage(tx: Db, agenciaId: number, timeZone: string): Promise<PackageToday> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`paquete ${agenciaId}`}, 0))`)
  return findPackage(tx, agenciaId, timeZone)
}

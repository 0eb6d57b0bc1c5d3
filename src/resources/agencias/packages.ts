import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** What an agency has contracted; days are those of the marketplace's time zone, both included. */
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

export interface PackageToday extends Package {
  /** `sin-contratar` before its first day. */
  estado: PackageEstado
}

/** Sets what an agency has contracted, in place of what it had. */
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

/** The package as it stands today, which is a day in the marketplace's zone. */
export async function findPackage(db: Db, agenciaId: number, timeZone: string): Promise<PackageToday | undefined> {
  const [found] = await db.query<PackageToday>(sql`
    select nombre, desde::text, hasta::text, alta, media, baja, consultas_de_catalogo as "consultasDeCatalogo",
           case when (now() at time zone ${timeZone})::date > hasta then 'vencido'
                when (now() at time zone ${timeZone})::date < desde then 'sin-contratar'
                else 'vigente' end as estado
    from paquetes where agencia_id = ${agenciaId}`)
  return found
}

import sql from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { type FeedPosition, isSettled } from '../../store/feed.ts'
import type { AgenciaData } from './agencia.ts'

/** An agency as the marketplace's own site follows it. */
export interface FollowedAgencia extends AgenciaData {
  id: number
  adminMail: string
  /** Addresses that it had and that still answer. */
  anteriores: string[]
  creada: Date
  modificada: Date
}

export interface ChangedAgencias {
  rows: FollowedAgencia[]
  /** After the last of them; where it was asked from when there is none. */
  end: FeedPosition
}

/** The agencies of a mode that changed after a place, as they are now, in the order of their last changes. */
export async function readAgencias(db: Db, modo: Modo, after: FeedPosition, limit: number): Promise<ChangedAgencias> {
  const rows = await db.query<FollowedAgencia & { xid: string }>(sql`
    select g.id, g.admin_mail as "adminMail", g.nombre, g.razon_social as "razonSocial", g.id_fiscal as "idFiscal",
           g.telefono, g.whatsapp, g.sitio_web as "sitioWeb", g.region_id as "regionId", g.region,
           g.ciudad_id as "ciudadId", g.ciudad, g.direccion, g.codigo_postal as "codigoPostal",
           array(select a.admin_mail from agencia_aliases a
                 where a.agencia_id = g.id and a.expires_at > now() order by a.expires_at) as anteriores,
           g.created_at as creada, g.updated_at as modificada, g.xid::text as xid
    from agencias g
    where g.modo = ${modo} and (g.xid, g.id) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isSettled(sql`g.xid`)}
    order by g.xid, g.id limit ${limit}`)
  const last = rows.at(-1)
  return { rows, end: last ? { xid: last.xid, position: String(last.id) } : after }
}

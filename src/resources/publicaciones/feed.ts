import sql from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { type FeedPosition, isSettled } from '../../store/feed.ts'
import type { Aviso } from './moderate.ts'
import { PUBLICACION } from './store.ts'

export interface ChangedAvisos {
  rows: Aviso[]
  /** After the last of them; where it was asked from when there is none. */
  end: FeedPosition
}

/** The listings of a mode that changed after a place, as they are now, in the order of their last changes. */
export async function readAvisos(db: Db, modo: Modo, after: FeedPosition, limit: number): Promise<ChangedAvisos> {
  const rows = await db.query<Aviso & { xid: string }>(sql`
    select ${PUBLICACION}, g.admin_mail as "adminMail", g.nombre as agencia, p.xid::text as xid
    from publicaciones p join agencias g on g.id = p.agencia_id
    where p.modo = ${modo} and (p.xid, p.id) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isSettled(sql`p.xid`)}
    order by p.xid, p.id limit ${limit}`)
  const last = rows.at(-1)
  return { rows, end: last ? { xid: last.xid, position: String(last.id) } : after }
}

import sql, { empty } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Change } from './changes.ts'

/** A change of an agency's data, by an app or by a person; by neither where the marketplace made it. */
export interface HistoryEntry {
  id: string
  at: Date
  changes: Change[]
  app: string | null
  person: { nombre: string; apellido: string; email: string } | null
}

/** What was changed of an agency, newest first; `before` is the id of an entry, to go on from there. */
export const historyOf = (db: Db, agenciaId: number, limit: number, before?: string): Promise<HistoryEntry[]> =>
  db.query<HistoryEntry>(sql`
    select h.id::text, h.at, h.changes, a.nombre as app,
           case when c.id is not null
                then json_build_object('nombre', c.nombre, 'apellido', c.apellido, 'email', c.email) end as person
    from agencia_history h
    left join apps a on a.id = h.app_id
    left join accounts c on c.id = h.account_id
    where h.agencia_id = ${agenciaId} ${before === undefined ? empty : sql`and h.id < ${before}::bigint`}
    order by h.id desc limit ${limit}`)

import sql, { empty } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

/** A listing by the name that a partner gave it, with whose it is. */
export interface Named {
  id: number
  adminMail: string
  app: string
}

/** Every living listing with that ExternalId, whoever published it: for whoever runs the house. */
export const findByExternalId = (db: Db, modo: Modo, externalId: string, adminMail?: string): Promise<Named[]> =>
  db.query<Named>(sql`
    select p.id, g.admin_mail as "adminMail", a.nombre as app
    from publicaciones p join agencias g on g.id = p.agencia_id join apps a on a.id = p.app_id
    where p.modo = ${modo} and lower(p.external_id) = ${externalId.toLowerCase()} and p.estado <> 'Archivada'
      ${adminMail === undefined ? empty : sql`and g.admin_mail = ${adminMail.toLowerCase()}`}
    order by p.id`)

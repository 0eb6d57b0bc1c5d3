import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { unseen } from '../../store/unseen.ts'
import { agenciaFor } from '../agencias/store.ts'
import type { Shown } from './consulta.ts'
import { type Chosen, type Page, pageOf, pageParts, rowsOf, type Within, within } from './store.ts'

// What apps ask for most is asked of the database once, the agency with its inquiries: to ask for that first took as long
// as the rest of one inquiry, and a quarter of a page.

/** The agency as the same statement found it. */
interface Asked {
  adminMail: string
}

/** What of it an app is shown. */
const SHOWN = sql`
  c.sid, c.tipo_anuncio as "tipoAnuncio", c.origen_lead as "origenLead", c.auto, c.interesado, c.operador, c.estado,
  c.repite`

/** The agency in sight of the app, for the other parts of a statement. */
const agenciaPart = (app: App, adminMail: string): Sql => sql`agencia as materialized (${agenciaFor(app, adminMail)})`

const inSightOf = ({ id }: App): Within => ({
  agenciaId: sql`(select id from agencia)`,
  sight: {
    appId: id,
    catalogo: sql`(select consultas_de_catalogo from agencia)`,
    otros: sql`(select consultas_de_otros from agencia)`,
  },
})

/** A page as an app asks for it, with its agency; nothing where that does not exist for the app. */
export async function listConsultasFor(
  db: Db,
  app: App,
  adminMail: string,
  chosen: Chosen,
): Promise<(Asked & Page<Shown>) | undefined> {
  const rows = await db.query<Shown & Asked & { total: number }>(
    sql`
    with ${agenciaPart(app, adminMail)}, ${pageParts(inSightOf(app), chosen)}
    select agencia.admin_mail as "adminMail", (select n from total) as total, c.*
    from agencia left join (${rowsOf(SHOWN, chosen)}) c on true order by c.sid desc`,
    'keep-plan',
  )
  return rows[0] && { adminMail: rows[0].adminMail, ...pageOf(rows) }
}

/** The inquiry of that sid as the app is shown it, with its agency; `consulta` is missing where it is not in sight. */
export async function findConsultaFor(
  db: Db,
  app: App,
  adminMail: string,
  sid: string,
): Promise<(Asked & { consulta: Shown | undefined }) | undefined> {
  const { agenciaId, sight } = inSightOf(app)
  const [row] = await db.query<Shown & Asked>(
    sql`
    with ${agenciaPart(app, adminMail)}
    select agencia.admin_mail as "adminMail", c.*
    from agencia left join (
      select ${SHOWN} from consultas c
      where c.sid = ${unseen(sid)} and c.agencia_id = ${agenciaId} and ${within(sight, sql`c.fuente`)}
    ) c on true`,
    'keep-plan',
  )
  return row && { adminMail: row.adminMail, consulta: row.sid === null ? undefined : row }
}

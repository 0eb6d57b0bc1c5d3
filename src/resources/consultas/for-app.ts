import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { prepared, type Slots } from '../../store/prepared.ts'
import { unseen } from '../../store/unseen.ts'
import { type Asking, agenciaFor, askingFor } from '../agencias/store.ts'
import type { Shown } from './consulta.ts'
import {
  type Chosen,
  type Page,
  type PageValues,
  pageOf,
  pageParts,
  rowsOf,
  type Shape,
  shapeOf,
  valuesOf,
  type Within,
} from './page.ts'
import { within } from './sight.ts'

// What apps ask for most is asked of the database once, the agency with its inquiries: to ask for that first took as long
// as the rest of one inquiry, and a quarter of a page.

/** The agency as the same statement found it. */
interface OfAgencia {
  adminMail: string
}

/** What of it an app is shown. */
const SHOWN = sql`
  c.sid, c.tipo_anuncio as "tipoAnuncio", c.origen_lead as "origenLead", c.auto, c.interesado, c.operador, c.estado,
  c.repite`

/** The agency in sight of the app, for the other parts of a statement. */
const agenciaPart = (asking: Slots<Asking>): Sql => sql`agencia as materialized (${agenciaFor(asking)})`

const inSightOf = ({ appId }: Slots<Asking>): Within => ({
  agenciaId: sql`(select id from agencia)`,
  sight: {
    appId,
    catalogo: sql`(select consultas_de_catalogo from agencia)`,
    otros: sql`(select consultas_de_otros from agencia)`,
  },
})

const pageIn = (shape: Shape) =>
  prepared<Asking & PageValues>(
    (slots) => sql`
    with ${agenciaPart(slots)}, ${pageParts(inSightOf(slots), shape, slots)}
    select agencia.admin_mail as "adminMail", (select n from total) as total, c.*
    from agencia left join (${rowsOf(SHOWN, slots)}) c on true order by c.sid desc`,
  )

const OF_ALL = pageIn({ byOperator: false, byListing: false })
const OF_OPERATOR = pageIn({ byOperator: true, byListing: false })
const OF_LISTING = pageIn({ byOperator: false, byListing: true })
const OF_BOTH = pageIn({ byOperator: true, byListing: true })

function wordingOf({ byOperator, byListing }: Shape) {
  if (byListing) return byOperator ? OF_BOTH : OF_LISTING
  return byOperator ? OF_OPERATOR : OF_ALL
}

/** A page as an app asks for it, with its agency; nothing where that does not exist for the app. */
export async function listConsultasFor(
  db: Db,
  app: App,
  adminMail: string,
  chosen: Chosen,
): Promise<(OfAgencia & Page<Shown>) | undefined> {
  const values = Object.assign(valuesOf(chosen), askingFor(app, adminMail)) // a second spread costs V8 12 µs
  const statement = wordingOf(shapeOf(chosen))(values)
  const rows = await db.query<Shown & OfAgencia & { total: number }>(statement, 'keep-plan')
  return rows[0] && { adminMail: rows[0].adminMail, ...pageOf(rows) }
}

const ONE = prepared<Asking & { sid: string }>((slots) => {
  const { agenciaId, sight } = inSightOf(slots)
  return sql`
    with ${agenciaPart(slots)}
    select agencia.admin_mail as "adminMail", c.*
    from agencia left join (
      select ${SHOWN} from consultas c
      where c.sid = ${unseen(slots.sid)} and c.agencia_id = ${agenciaId} and ${within(sight, sql`c.fuente`)}
    ) c on true`
})

/** The inquiry of that sid as the app is shown it, with its agency; `consulta` is missing where it is not in sight. */
export async function findConsultaFor(
  db: Db,
  app: App,
  adminMail: string,
  sid: string,
): Promise<(OfAgencia & { consulta: Shown | undefined }) | undefined> {
  const [row] = await db.query<Shown & OfAgencia>(ONE({ sid, ...askingFor(app, adminMail) }), 'keep-plan')
  return row && { adminMail: row.adminMail, consulta: row.sid === null ? undefined : row }
}

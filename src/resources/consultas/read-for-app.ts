import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { type Period, readPeriod } from '../../http/dates.ts'
import { fault, invalid } from '../../http/problems.ts'
import { memoize } from '../../memoize.ts'
import type { Db } from '../../store/db.ts'
import { opaqueText, prepared, type Slots } from '../../store/prepared.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { type AgenciaKey, agenciaFor, agenciaKey, orNotFound, requireAgencia } from '../agencias/read.ts'
import { CONSULTA_SELECT, type Consulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import {
  type ConsultasFilter,
  type FilterShape,
  type Page,
  type PageValues,
  pageExpressions,
  pageOf,
  rowsOfPage,
  shapeOf,
  valuesOf,
} from './read.ts'
import type { ConsultasQuery } from './schema.ts'
import { visibleTo } from './scope.ts'

const NOT_A_COLLABORATOR = { operador: [fault('no-colabora', 'No colabora en la agencia.')] }

/** The agency's current mail, from the same statement. */
interface OfAgencia {
  adminMail: string
}

/** A page of an agency's inquiries as the app requests it; all faults of the query at once. */
export async function listFor(
  { store, clock, config }: ConsultasDeps,
  app: App,
  adminMail: string,
  query: ConsultasQuery,
): Promise<OfAgencia & Page & { period: Period }> {
  const period = readPeriod(query, clock(), config.timeZone)
  const hasNoFault = !('errors' in period) && query.operador === undefined
  const operador = hasNoFault ? 'all' : operadorOf(await requireAgencia(store, app, adminMail), query.operador)
  if ('errors' in period || operador === 'nobody')
    throw invalid({ ...('errors' in period && period.errors), ...(operador === 'nobody' && NOT_A_COLLABORATOR) })

  const page = await selectPage(store, app, adminMail, {
    operador: operador === 'all' ? undefined : operador.email,
    externalKey: query.externalid?.toLowerCase(),
    period,
    page: query.pagina ?? 1,
  })
  return { period, ...orNotFound(page) }
}

/** What a collaborator sees (docs/decisions.md): the administrator all inquiries, another those assigned to them. */
function operadorOf({ operadores }: AgenciaOfApp, email: string | undefined): 'all' | 'nobody' | { email: string } {
  if (email === undefined) return 'all'
  const operador = operadores.find((each) => each.email === email.toLowerCase())
  if (!operador) return 'nobody'
  return operador.rol === 'administrador' ? 'all' : { email: operador.email }
}

// One statement finds the agency and its inquiries: apps call these two most.

const agenciaExpression = (asking: Slots<AgenciaKey>): Sql => sql`agencia as materialized (${agenciaFor(asking)})`

const scopeIn = ({ appId }: Slots<AgenciaKey>) => ({
  agenciaId: sql`(select id from agencia)`,
  app: {
    appId,
    catalogo: sql`(select consultas_de_catalogo from agencia)`,
    otros: sql`(select consultas_de_otros from agencia)`,
  },
})

/** Each combination of filters is a statement of its own. */
const pageStatement = memoize(
  (shape: FilterShape) =>
    prepared<AgenciaKey & PageValues>(
      (slots) => sql`
      with ${agenciaExpression(slots)}, ${pageExpressions(scopeIn(slots), shape, slots)}
      select agencia.admin_mail as "adminMail", (select n from total) as total, c.*
      from agencia left join (${rowsOfPage(slots)}) c on true order by c.sid desc`,
    ),
  ({ byOperador, byListing }) => `${byOperador} ${byListing}`,
)

async function selectPage(
  db: Db,
  app: App,
  adminMail: string,
  filter: ConsultasFilter,
): Promise<(OfAgencia & Page) | undefined> {
  const statement = pageStatement(shapeOf(filter))({ ...valuesOf(filter), ...agenciaKey(app, adminMail) })
  const rows = await db.query<Consulta & OfAgencia & { total: number }>(statement, 'keep-plan')
  return rows[0] && { adminMail: rows[0].adminMail, ...pageOf(rows) }
}

const ONE = prepared<AgenciaKey & { sid: string }>((slots) => {
  const { agenciaId, app } = scopeIn(slots)
  return sql`
    with ${agenciaExpression(slots)}
    select agencia.admin_mail as "adminMail", c.*
    from agencia left join (
      select ${CONSULTA_SELECT} from consultas c
      where c.sid = ${opaqueText(slots.sid)} and c.agencia_id = ${agenciaId} and ${visibleTo(app, sql`c.fuente`)}
    ) c on true`
})

/** The inquiry with that sid and its agency; `consulta` is missing if the app does not see it. */
export async function findConsultaFor(
  db: Db,
  app: App,
  adminMail: string,
  sid: string,
): Promise<(OfAgencia & { consulta: Consulta | undefined }) | undefined> {
  const [row] = await db.query<Consulta & OfAgencia>(ONE({ sid, ...agenciaKey(app, adminMail) }), 'keep-plan')
  return row && { adminMail: row.adminMail, consulta: row.sid === null ? undefined : row }
}

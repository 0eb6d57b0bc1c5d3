import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { type Period, readPeriod } from '../../http/dates.ts'
import { fault, invalid } from '../../http/problems.ts'
import { memoize } from '../../memoize.ts'
import type { Db, Store } from '../../store/db.ts'
import { opaqueText, prepared, type Slots } from '../../store/prepared.ts'
import { findFrom } from '../../store/replicas.ts'
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
import { operadoresSeenBy, visibleTo } from './scope.ts'

const NOT_A_COLLABORATOR = { operador: [fault('no-colabora', 'No trabaja en la agencia.')] }

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
  // 404 for an unknown agency comes before any 400. Where none is possible, the statement of the page finds it.
  const needsAgencia = 'errors' in period || query.operador !== undefined
  const operadores = needsAgencia
    ? await operadoresOf(store, await requireAgencia(store, app, adminMail), query.operador)
    : undefined
  if ('errors' in period || operadores === 'nobody')
    throw invalid({ ...('errors' in period && period.errors), ...(operadores === 'nobody' && NOT_A_COLLABORATOR) })

  const page = await selectPage(store, app, adminMail, {
    operadores,
    externalKey: query.externalid?.toLowerCase(),
    period,
    page: query.pagina ?? 1,
  })
  return { period, ...orNotFound(page) }
}

/** Whose inquiries a collaborator sees (docs/decisions/reading-inquiries.md); undefined: everybody's. */
async function operadoresOf(db: Db, agencia: AgenciaOfApp, email: string | undefined) {
  if (email === undefined) return undefined
  const operador = agencia.operadores.find((each) => each.email === email.toLowerCase())
  return operador ? operadoresSeenBy(db, agencia, operador.email) : 'nobody'
}

// One statement finds the agency and its inquiries: apps call these two most. A replica may not know yet what the agency
// allows, so a statement for a replica is given what the primary found.

interface FoundAgencia {
  agenciaId: number
  adminMail: string
  catalogo: boolean
  otros: boolean
}

const FIND_AGENCIA = prepared<AgenciaKey>(
  (slots) => sql`
    select id as "agenciaId", admin_mail as "adminMail", consultas_de_catalogo as catalogo, consultas_de_otros as otros
    from (${agenciaFor(slots)}) agencia`,
)

const givenAgencia = (found: Slots<FoundAgencia>): Sql => sql`
  select ${found.agenciaId}::int as id, ${found.adminMail}::text as admin_mail,
    ${found.catalogo}::boolean as consultas_de_catalogo, ${found.otros}::boolean as consultas_de_otros`

/** Where a statement gets the agency from: its own tables on the primary, its parameters on a replica. */
type Source = 'tables' | 'parameters'
type Key = AgenciaKey & Partial<FoundAgencia>

const agenciaExpression = (slots: Slots<Key>, source: Source): Sql =>
  sql`agencia as materialized (${source === 'tables' ? agenciaFor(slots) : givenAgencia(slots)})`

const scopeIn = ({ appId }: Slots<AgenciaKey>) => ({
  agenciaId: sql`(select id from agencia)`,
  app: {
    appId,
    catalogo: sql`(select consultas_de_catalogo from agencia)`,
    otros: sql`(select consultas_de_otros from agencia)`,
  },
})

/** Reads on a replica or, where it finds nothing, on the primary. */
function readFor<T>(
  store: Store,
  app: App,
  adminMail: string,
  read: (db: Db, source: Source, key: Key) => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = agenciaKey(app, adminMail)
  return findFrom(store, `app:${app.id}`, async (db) => {
    if (db === store) return read(db, 'tables', key)
    const [found] = await store.query<FoundAgencia>(FIND_AGENCIA(key), 'keep-plan')
    return found && read(db, 'parameters', { ...key, ...found })
  })
}

/** Each combination of filters is a statement of its own. */
const pageStatement = memoize(
  ({ shape, source }: { shape: FilterShape; source: Source }) =>
    prepared<Key & PageValues>(
      (slots) => sql`
      with ${agenciaExpression(slots, source)}, ${pageExpressions(scopeIn(slots), shape, slots)}
      select agencia.admin_mail as "adminMail", (select n from total) as total, c.*
      from agencia left join (${rowsOfPage(slots)}) c on true order by c.sid desc`,
    ),
  ({ shape: { byOperador, byPublicacion }, source }) => `${byOperador} ${byPublicacion} ${source}`,
)

const selectPage = (
  store: Store,
  app: App,
  adminMail: string,
  filter: ConsultasFilter,
): Promise<(OfAgencia & Page) | undefined> =>
  readFor(store, app, adminMail, async (db, source, key) => {
    const statement = pageStatement({ shape: shapeOf(filter), source })({ ...valuesOf(filter), ...key })
    const rows = await db.query<Consulta & OfAgencia & { total: number }>(statement, 'keep-plan')
    return rows[0] && { adminMail: rows[0].adminMail, ...pageOf(rows) }
  })

const oneStatement = (source: Source) =>
  prepared<Key & { sid: string }>((slots) => {
    const { agenciaId, app } = scopeIn(slots)
    return sql`
    with ${agenciaExpression(slots, source)}
    select agencia.admin_mail as "adminMail", c.*
    from agencia left join (
      select ${CONSULTA_SELECT} from consultas c
      where c.sid = ${opaqueText(slots.sid)} and c.agencia_id = ${agenciaId} and ${visibleTo(app, sql`c.fuente`)}
    ) c on true`
  })
const ONE = { tables: oneStatement('tables'), parameters: oneStatement('parameters') }

/** The inquiry with that sid and its agency; `consulta` is missing if the app does not see it. */
export const findConsultaFor = (
  store: Store,
  app: App,
  adminMail: string,
  sid: string,
): Promise<(OfAgencia & { consulta: Consulta | undefined }) | undefined> =>
  readFor(store, app, adminMail, async (db, source, key) => {
    const [row] = await db.query<Consulta & OfAgencia>(ONE[source]({ sid, ...key }), 'keep-plan')
    const consulta = row?.sid === null ? undefined : row
    if (!consulta && source === 'parameters') return undefined // it may not have arrived at the replica
    return row && { adminMail: row.adminMail, consulta }
  })

import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { type Period, readPeriod } from '../../http/dates.ts'
import { fault, invalid } from '../../http/problems.ts'
import type { Db, Store } from '../../store/db.ts'
import { opaqueText } from '../../store/prepared.ts'
import { findFrom } from '../../store/replicas.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { agenciaFor, agenciaKey, orNotFound, requireAgencia } from '../agencias/read.ts'
import { CONSULTA_SELECT, type Consulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { type ConsultasFilter, type Page, pageExpressions, pageOf, rowsOfPage } from './read.ts'
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

/** What the statement reads of the agency: from its own tables on the primary, as parameters on a replica. */
const givenAgencia = ({ agenciaId, adminMail, catalogo, otros }: FoundAgencia): Sql => sql`
  select ${agenciaId}::int as id, ${adminMail}::text as admin_mail, ${catalogo}::boolean as consultas_de_catalogo,
    ${otros}::boolean as consultas_de_otros`

/** The scope of the app in a statement whose expression `agencia` is the agency. */
const scopeIn = ({ id }: App) => ({
  agenciaId: sql`(select id from agencia)`,
  app: {
    appId: id,
    catalogo: sql`(select consultas_de_catalogo from agencia)`,
    otros: sql`(select consultas_de_otros from agencia)`,
  },
})

/** Reads on a replica or, where it finds nothing, on the primary. `agencia` is a query for the agency. */
function readFor<T>(
  store: Store,
  app: App,
  adminMail: string,
  read: (db: Db, agencia: Sql) => Promise<T | undefined>,
): Promise<T | undefined> {
  const agencia = agenciaFor(agenciaKey(app, adminMail))
  return findFrom(store, `app:${app.id}`, async (db) => {
    if (db === store) return read(db, agencia)
    const [found] = await store.query<FoundAgencia>(
      sql`
      select id as "agenciaId", admin_mail as "adminMail", consultas_de_catalogo as catalogo, consultas_de_otros as otros
      from (${agencia}) agencia`,
      'keep-plan',
    )
    return found && read(db, givenAgencia(found))
  })
}

const selectPage = (
  store: Store,
  app: App,
  adminMail: string,
  filter: ConsultasFilter,
): Promise<(OfAgencia & Page) | undefined> =>
  readFor(store, app, adminMail, async (db, agencia) => {
    const rows = await db.query<Consulta & OfAgencia & { total: number }>(
      sql`
      with agencia as materialized (${agencia}), ${pageExpressions(scopeIn(app), filter)}
      select agencia.admin_mail as "adminMail", (select n from total) as total, c.*
      from agencia left join (${rowsOfPage(filter.period)}) c on true order by c.sid desc`,
      'keep-plan',
    )
    return rows[0] && { adminMail: rows[0].adminMail, ...pageOf(rows) }
  })

/** The inquiry with that sid and its agency; `consulta` is missing if the app does not see it. */
export const findConsultaFor = (
  store: Store,
  app: App,
  adminMail: string,
  sid: string,
): Promise<(OfAgencia & { consulta: Consulta | undefined }) | undefined> =>
  readFor(store, app, adminMail, async (db, agencia) => {
    const { agenciaId, app: scope } = scopeIn(app)
    const [row] = await db.query<Consulta & OfAgencia>(
      sql`
      with agencia as materialized (${agencia})
      select agencia.admin_mail as "adminMail", c.*
      from agencia left join (
        select ${CONSULTA_SELECT} from consultas c
        where c.sid = ${opaqueText(sid)} and c.agencia_id = ${agenciaId} and ${visibleTo(scope, sql`c.fuente`)}
      ) c on true`,
      'keep-plan',
    )
    const consulta = row?.sid === null ? undefined : row
    if (!consulta && db !== store) return undefined // it may not have arrived at the replica
    return row && { adminMail: row.adminMail, consulta }
  })

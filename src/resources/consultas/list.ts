import type { App } from '../../apps/app.ts'
import { invalid, notFound } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { findAgencia } from '../agencias/store.ts'
import type { Shown } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { listConsultasFor } from './for-app.ts'
import type { Page } from './page.ts'
import { type Period, readPeriod } from './period.ts'
import type { ConsultasQuery } from './schema.ts'

const NO_SUCH_AGENCIA = 'No existe esa agencia para la app.'
const NOT_A_COLLABORATOR = { operador: ['No colabora en la agencia.'] }

/** A page of inquiries, and the mail that the agency has now. */
export interface Listed extends Page<Shown> {
  adminMail: string
  period: Period
}

/** A page of an agency's inquiries as the app asked for it; what makes no sense today is refused, all of it at once. */
export async function listFor(
  { store, clock, config }: ConsultasDeps,
  app: App,
  adminMail: string,
  query: ConsultasQuery,
): Promise<Listed> {
  const period = readPeriod(query, clock(), config.timeZone)
  const ordinary = !('errors' in period) && query.operador === undefined
  const operador = ordinary ? 'all' : operadorOf(await agenciaOf(store, app, adminMail), query.operador)
  if ('errors' in period || operador === 'nobody')
    throw invalid({ ...('errors' in period && period.errors), ...(operador === 'nobody' && NOT_A_COLLABORATOR) })

  const page = await listConsultasFor(store, app, adminMail, {
    operador: operador === 'all' ? undefined : operador.email,
    externalKey: query.externalid?.toLowerCase(),
    period,
    page: query.pagina ?? 1,
  })
  return { period, ...orMissing(page) }
}

/** The agency, if it exists for the app that asks. */
export const agenciaOf = async (db: Db, app: App, adminMail: string): Promise<AgenciaOfApp> =>
  orMissing(await findAgencia(db, app, adminMail))

/** What was found of the agency, or 404. */
export function orMissing<T>(found: T | undefined): T {
  if (!found) throw notFound(NO_SUCH_AGENCIA)
  return found
}

/** What a collaborator sees (decisions, 9): the administrator all, another what he is responsible for. */
function operadorOf({ operadores }: AgenciaOfApp, asked: string | undefined): 'all' | 'nobody' | { email: string } {
  if (asked === undefined) return 'all'
  const operador = operadores.find(({ email }) => email === asked.toLowerCase())
  if (!operador) return 'nobody'
  return operador.rol === 'administrador' ? 'all' : { email: operador.email }
}

import type { App } from '../../apps/app.ts'
import { invalid } from '../../http/problems.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { ConsultasNeeds } from './needs.ts'
import { type Period, readPeriod } from './period.ts'
import type { ConsultasQuery } from './schema.ts'
import { sightOf } from './sight.ts'
import { listConsultas, type Page } from './store.ts'

/** A page of an agency's inquiries as the app asked for it; what makes no sense today is refused, all of it at once. */
export async function listFor(
  { store, clock, config }: ConsultasNeeds,
  app: App,
  agencia: AgenciaOfApp,
  query: ConsultasQuery,
): Promise<{ period: Period; page: Page }> {
  const period = readPeriod(query, clock(), config.timeZone)
  const operador = operadorOf(agencia, query.operador)
  if ('errors' in period || operador === 'nobody')
    throw invalid({ ...('errors' in period && period.errors), ...(operador === 'nobody' && NOT_A_COLLABORATOR) })

  const page = await listConsultas(store, {
    agenciaId: agencia.id,
    sight: sightOf(app, agencia.permisos),
    operador: operador === 'all' ? undefined : operador.email,
    externalKey: query.externalid?.toLowerCase(),
    period,
    page: query.pagina ?? 1,
  })
  return { period, page }
}

const NOT_A_COLLABORATOR = { operador: ['No colabora en la agencia.'] }

/** What a collaborator sees (decisions, 9): the administrator all, another what he is responsible for. */
function operadorOf({ operadores }: AgenciaOfApp, asked: string | undefined): 'all' | 'nobody' | { email: string } {
  if (asked === undefined) return 'all'
  const operador = operadores.find(({ email }) => email === asked.toLowerCase())
  if (!operador) return 'nobody'
  return operador.rol === 'administrador' ? 'all' : { email: operador.email }
}

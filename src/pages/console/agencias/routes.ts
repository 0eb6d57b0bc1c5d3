import type { FastifyInstance } from 'fastify'
import { findApp } from '../../../apps/store.ts'
import { listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import { type Asking, choiceAsked, numberedTurnAsked, textAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import { MODO_NAMES } from '../modo.tsx'
import { visitBy } from '../visit.tsx'
import { type ById, openAgencias } from './access.ts'
import { agenciaAppsRoutes } from './apps-routes.tsx'
import { invitacionesRoutes } from './invitations-routes.ts'
import { agenciaCsv, agenciasPage, type Looked } from './list-page.tsx'
import { agenciaPage } from './one-page.tsx'
import { packageRoutes } from './package-routes.ts'
import { AGENCIAS, PAQUETES } from './parts.tsx'
import { agenciaPeopleRoutes } from './people-routes.tsx'

/** /consola/agencias: the dealerships, whatever app brought them. */
export function agenciasRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people
  const agencias = openAgencias(people)

  app.get<Asking>(AGENCIAS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const paquetes = PAQUETES.map(([name]) => name)
    const looked: Looked = {
      q: textAsked(query, 'q'),
      modo: choiceAsked(query, 'modo', MODO_NAMES),
      paquete: choiceAsked(query, 'paquete', paquetes),
      app: textAsked(query, 'app'),
    }
    const ofApp = looked.app ? await findApp(store, looked.app) : undefined
    const { q, modo, paquete } = looked
    const wanted = { q, modo, paquete, appId: looked.app ? (ofApp?.id ?? 0) : undefined }
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : numberedTurnAsked(query)
    const found = await listAgenciasForStaff(store, wanted, config.timeZone, turn)
    // Without the words: whoever looks for a person would write them into the log as well.
    await visit.note('agencias.listar', '', { modo, paquete, porTexto: q !== undefined, agencias: found.rows.length })
    if (csv) return sendCsv(reply, 'agencias', agenciaCsv(visit), found.rows)
    return page(reply, agenciasPage({ visit, looked, ofApp, found }))
  })

  app.get<ById>(`${AGENCIAS}/:id`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const agencia = await agencias.find(request.params.id)
    await visit.note('agencia.leer', agencia.adminMail)
    return page(reply, agenciaPage({ visit, ...(await agencias.view(agencia)) }))
  })

  packageRoutes(app, people)
  agenciaAppsRoutes(app, people)
  agenciaPeopleRoutes(app, people)
  invitacionesRoutes(app, people)
}

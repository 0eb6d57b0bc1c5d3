import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../http/problems.ts'
import { gatherLogged, listLogged } from '../../../webhooks/app-log.ts'
import { findEvent } from '../../../webhooks/event.ts'
import { type Asking, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import type { ByApp } from '../access.ts'
import { addressed, filterOf, lookedFor } from '../entregas/looked.ts'
import { pageAsked, waysFrom } from '../entregas/ways.ts'
import { visitOf } from '../visit.tsx'
import { eventColumns, eventsPage, SECTION } from './list-page.tsx'
import { eventPage } from './one-page.tsx'

const PATH = `/portal/:appKey${SECTION}`

/** /portal/{appKey}/eventos, …/{id}: what was announced to the app. */
export function eventsRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people
  const { timeZone } = config

  app.get<ByApp & Asking>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const looked = { ...lookedFor(request.query, timeZone), estado: undefined }
    const filter = await filterOf(store, visit.app, looked, timeZone)
    if (wantsCsv(request.query)) {
      const rows = await gatherLogged(MOST_CSV_ROWS, (part) => listLogged(store, visit.app, filter, part, 'events'))
      return sendCsv(reply, 'eventos', eventColumns(visit.at, visit), rows)
    }
    const asked = pageAsked(request.query)
    const found = await listLogged(store, visit.app, filter, asked, 'events')
    const ways = waysFrom(visit.at + SECTION, addressed(looked), asked, found)
    return page(reply, eventsPage({ visit, looked, found, ...ways }))
  })

  app.get<{ Params: ByApp['Params'] & { id: string } }>(`${PATH}/:id`, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const event = await findEvent(store, visit.app, request.params.id)
    if (!event) throw notFound('No existe ese evento para la app.')
    await visit.note('evento.leer', event.id)
    return page(allowScript(reply), eventPage({ visit, event }))
  })
}

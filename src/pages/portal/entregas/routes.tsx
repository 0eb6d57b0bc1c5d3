import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../../http/dates.ts'
import { notFound, Problem } from '../../../http/problems.ts'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import { gatherLogged, listLogged } from '../../../webhooks/app-log.ts'
import { type AppEvent, findEvent } from '../../../webhooks/event.ts'
import { requestOf } from '../../../webhooks/request.ts'
import { findWebhook, isAvailable, isOn, listWebhooks } from '../../../webhooks/subscriptions.ts'
import { type Asking, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION } from '../../form.ts'
import { asksForPart, sendPart, versionOf } from '../../live.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import type { ByApp } from '../access.ts'
import { type PortalVisit, visitOf } from '../visit.tsx'
import { LogPart, type LogProps, logPage, SECTION } from './list-page.tsx'
import { addressed, filterOf, lookedFor } from './looked.ts'
import { AttemptsPart, deliveryPage } from './one-page.tsx'
import { deliveryColumns, logVersion } from './rows.tsx'
import { pageAsked, waysFrom } from './ways.ts'

export type ByEvent = { Params: ByApp['Params'] & { id: string } }

const PATH = `/portal/:appKey${SECTION}`

/** /portal/{appKey}/entregas, …/{id}, …/{id}/reenviar: what was sent to the app's webhooks. */
export function deliveriesRoutes(app: FastifyInstance, people: People): void {
  const { store, seal, config } = people
  const { timeZone, publicUrl } = config

  app.get<ByApp & Asking>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const looked = lookedFor(request.query, timeZone)
    const filter = await filterOf(store, visit.app, looked, timeZone)
    if (wantsCsv(request.query)) {
      const rows = await gatherLogged(MOST_CSV_ROWS, (part) => listLogged(store, visit.app, filter, part, 'deliveries'))
      return sendCsv(reply, 'entregas', deliveryColumns(visit.at, visit), rows)
    }
    const asked = pageAsked(request.query)
    const found = await listLogged(store, visit.app, filter, asked, 'deliveries')
    const configured = found.rows.length > 0 || (await listWebhooks(store, seal, visit.app)).length > 0
    const ways = waysFrom(visit.at + SECTION, addressed(looked), asked, found)
    const live = asked.before === undefined && asked.after === undefined
    const props: LogProps = { visit, looked, found, ...ways, live, paused: request.query.vivo === 'no', configured }
    const version = logVersion(found.rows, ways, dayOf(visit.now, timeZone))
    if (asksForPart(request))
      return sendPart(reply, <LogPart {...props} version={version} />, request.query.visto, version)
    return page(allowScript(reply), logPage({ ...props, version }))
  })

  /** The event that an address names; 404 where it was not told to this app. */
  async function eventAt(visit: PortalVisit, id: string): Promise<AppEvent> {
    const event = await findEvent(store, visit.app, id)
    if (!event) throw notFound('No existe esa entrega para la app.')
    return event
  }

  async function mayResend({ app: own }: PortalVisit, { topic }: AppEvent): Promise<boolean> {
    const webhook = isAvailable(own, topic) && !own.disabled ? await findWebhook(store, seal, own, topic) : undefined
    return webhook !== undefined && isOn(webhook)
  }

  app.get<ByEvent & Asking>(`${PATH}/:id`, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const event = await eventAt(visit, request.params.id)
    const { delivery } = event
    const version = versionOf([delivery, delivery && delivery.dueAt <= visit.now])
    const { visto } = request.query
    const asPart = asksForPart(request)
    if (!asPart || visto !== version) await visit.note('entrega.leer', event.id) // unless nothing is shown
    if (asPart) return sendPart(reply, <AttemptsPart {...{ visit, event, version }} />, visto, version)
    const made = await requestOf(store, seal, visit.app, event, { now: visit.now, publicUrl })
    const props = { visit, event, request: made, mayResend: await mayResend(visit, event), version }
    return page(allowScript(reply), deliveryPage(props))
  })

  app.post<ByEvent>(`${PATH}/:id/reenviar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const event = await eventAt(visit, request.params.id)
    const { id, topic } = event
    if (!(await mayResend(visit, event))) throw new Problem('conflicto', IS_OFF)
    await resendMatching(people, visit.app, topic, { evento: id })
    await visit.note('entrega.reenviar', id)
    return done(reply, 'entrega-reenviada', `${visit.at}${SECTION}/${id}`)
  })
}

const IS_OFF = 'No se puede enviar: el topic no tiene un webhook activo. Configúrelo o reanúdelo en Webhooks.'

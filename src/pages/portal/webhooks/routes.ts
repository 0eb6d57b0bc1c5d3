import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../http/problems.ts'
import { configure } from '../../../resources/appnotificaciones/configure.ts'
import { sendTest } from '../../../resources/appnotificaciones/prueba.ts'
import { checkedUpsert } from '../../../resources/appnotificaciones/written.ts'
import { listLogged } from '../../../webhooks/app-log.ts'
import { standingOf } from '../../../webhooks/standing.ts'
import { findWebhook, isAvailable, isOn, listWebhooks } from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People, seeOther } from '../../people.ts'
import { allowScript } from '../../security.ts'
import type { ByApp } from '../access.ts'
import { type PortalVisit, visitOf } from '../visit.tsx'
import { refusalOf } from './faults.ts'
import { bodyOf, EMPTY_FORM, formFrom, secretOf, WEBHOOK_FORM } from './form.ts'
import { SECTION, webhooksPage } from './list-page.tsx'
import { madePage } from './made-page.tsx'
import { newWebhookPage } from './new-page.tsx'
import { webhookPage } from './one-page.tsx'

export type ByTopic = { Params: ByApp['Params'] & { topic: string } }

const PATH = `/portal/:appKey${SECTION}`
const RECENT = 5
export const NO_SUCH_TOPIC = 'La app no puede usar ese topic, o no existe.'

/** /portal/{appKey}/webhooks, …/{topic}, …/{topic}/prueba: where the app is told what happens. */
export function webhooksRoutes(app: FastifyInstance, people: People): void {
  const { store, seal } = people

  app.get<ByApp>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    return page(reply, webhooksPage({ visit, webhooks: await listWebhooks(store, seal, visit.app) }))
  })

  /** Topics that the app may use and has no webhook for, that one aside. */
  async function othersThan(visit: PortalVisit, topic: string): Promise<Topic[]> {
    const taken = new Set((await listWebhooks(store, seal, visit.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(visit.app, each) && !taken.has(each))
  }

  app.get<ByTopic>(`${PATH}/:topic`, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { topic } = request.params
    const webhook = await findWebhook(store, seal, visit.app, topic)
    const available = isAvailable(visit.app, topic)
    if (webhook) {
      const { rows: recent } = await listLogged(store, visit.app, { topic }, { limit: RECENT }, 'deliveries')
      const standing = await standingOf(store, webhook.id)
      return page(reply, webhookPage({ visit, webhook, available, standing, recent }))
    }
    if (!available) throw notFound(NO_SUCH_TOPIC)
    const others = await othersThan(visit, topic)
    return page(reply, newWebhookPage({ visit, topic: topic as Topic, form: EMPTY_FORM, others, also: [] }))
  })

  app.post<ByTopic>(`${PATH}/:topic`, WEBHOOK_FORM, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { topic } = request.params
    if (!isAvailable(visit.app, topic)) throw notFound(NO_SUCH_TOPIC)
    if (await findWebhook(store, seal, visit.app, topic)) return seeOther(reply, `${visit.at}${SECTION}/${topic}`)
    const [written, form] = [formOf(request), formFrom(formOf(request))]
    const others = await othersThan(visit, topic)
    const ticked = new Set(written.getAll('tambien'))
    const also = others.filter((other) => ticked.has(other))
    try {
      const body = checkedUpsert({ ...bodyOf(form, true), ...secretOf(form) })
      const { made } = await configure(people, visit.app, topic, body)
      for (const other of also) await configure(people, visit.app, other, { ...body, ...(made && { Secret: made }) })
      const topics = [topic, ...also]
      await visit.note('webhook.configurar', visit.app.appKey, { topics })
      return page(allowScript(reply), madePage({ visit, topics, secret: made }), 201)
    } catch (error) {
      const { errors, status } = refusalOf(error)
      return page(reply, newWebhookPage({ visit, topic, form, others, also, errors }), status)
    }
  })

  app.post<ByTopic>(`${PATH}/:topic/prueba`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { topic } = request.params
    const webhook = await findWebhook(store, seal, visit.app, topic)
    if (visit.app.disabled || (webhook && !isOn(webhook))) return seeOther(reply, `${visit.at}${SECTION}/${topic}`) // the page says why
    const id = await sendTest(people, visit.app, topic, undefined)
    await visit.note('webhook.prueba', visit.app.appKey, { topic, evento: id })
    return done(reply, 'prueba-enviada', `${visit.at}/entregas/${id}`)
  })
}

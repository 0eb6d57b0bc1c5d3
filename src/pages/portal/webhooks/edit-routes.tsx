import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../http/problems.ts'
import { edit, seenWebhook } from '../../../resources/appnotificaciones/edit.ts'
import { webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import { newSecret } from '../../../resources/appnotificaciones/settings.ts'
import { checkedUpsert } from '../../../resources/appnotificaciones/written.ts'
import { findWebhook, removeWebhook, type Webhook } from '../../../webhooks/subscriptions.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import { confirmPage } from '../confirm.tsx'
import { type PortalVisit, visitOf } from '../visit.tsx'
import { editPage, secretPage } from './edit-page.tsx'
import { refusalOf } from './faults.ts'
import { bodyOf, bodyOfWebhook, EMPTY_FORM, formFrom, formOfWebhook, secretOf, WEBHOOK_FORM } from './form.ts'
import { SECTION } from './list-page.tsx'
import { madePage } from './made-page.tsx'
import { type ByTopic, NO_SUCH_TOPIC } from './routes.ts'

const PATH = `/portal/:appKey${SECTION}/:topic`

/** …/{topic}/editar, …/secret, …/suspender, …/reanudar, …/eliminar: what the API does with PUT and DELETE. */
export function editWebhookRoutes(app: FastifyInstance, people: People): void {
  const { store, seal } = people

  /** Who asks, and the webhook; 404 where there is none, or the topic was withdrawn. */
  async function at(request: FastifyRequest<ByTopic>, reply: FastifyReply) {
    const visit = await visitOf(people, request, reply)
    if (!visit) return undefined
    const webhook = await seenWebhook(people, visit.app, request.params.topic)
    return { visit, webhook, topic: webhook.topic, here: `${visit.at}${SECTION}/${webhook.topic}` }
  }

  app.get<ByTopic>(`${PATH}/editar`, HIDDEN, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    const { visit, webhook, topic } = found
    return page(reply, editPage({ visit, topic, form: formOfWebhook(webhook), version: webhookEtag(webhook) }))
  })

  app.post<ByTopic>(`${PATH}/editar`, WEBHOOK_FORM, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    const { visit, webhook, topic, here } = found
    const form = formFrom(formOf(request))
    try {
      const body = checkedUpsert(bodyOf(form, webhook.activo))
      await edit(people, visit.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = refusalOf(error)
      const shown = status === 412 ? formOfWebhook(webhook) : form
      return page(reply, editPage({ visit, topic, form: shown, version: webhookEtag(webhook), errors }), status)
    }
    await visit.note('webhook.editar', visit.app.appKey, { topic })
    return done(reply, 'webhook-guardado', here)
  })

  app.get<ByTopic>(`${PATH}/secret`, HIDDEN, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    const { visit, webhook, topic } = found
    const signed = webhook.secretHint !== null
    return page(reply, secretPage({ visit, topic, form: EMPTY_FORM, version: webhookEtag(webhook), signed }))
  })

  app.post<ByTopic>(`${PATH}/secret`, WEBHOOK_FORM, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    const { visit, webhook, topic, here } = found
    const form = formFrom(formOf(request))
    const signed = webhook.secretHint !== null
    const made = form.firma === 'nueva' ? newSecret() : undefined
    try {
      const secret = made ? { Secret: made } : secretOf(form)
      const body = checkedUpsert({ ...bodyOfWebhook(webhook), ...secret })
      await edit(people, visit.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = refusalOf(error)
      return page(reply, secretPage({ visit, topic, form, version: webhookEtag(webhook), signed, errors }), status)
    }
    await visit.note('webhook.secret', visit.app.appKey, { topic, firma: form.firma })
    if (made) return page(allowScript(reply), madePage({ visit, topics: [topic], secret: made, replaces: signed }), 201)
    return done(reply, form.firma === 'sin' ? 'secret-quitado' : 'webhook-guardado', here)
  })

  /** Switched off or on, and nothing else of it changed, whoever edits it at the same moment. */
  async function switchTo(activo: boolean, visit: PortalVisit, webhook: Webhook): Promise<void> {
    const body = checkedUpsert(bodyOfWebhook(webhook, { activo }))
    await edit(people, visit.app, webhook.topic, body, webhookEtag(webhook))
    await visit.note(activo ? 'webhook.reanudar' : 'webhook.suspender', visit.app.appKey, { topic: webhook.topic })
  }

  app.post<ByTopic>(`${PATH}/suspender`, CONFIRMATION, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    await switchTo(false, found.visit, found.webhook)
    return done(reply, 'webhook-suspendido', found.here)
  })

  app.post<ByTopic>(`${PATH}/reanudar`, CONFIRMATION, async (request, reply) => {
    const found = await at(request, reply)
    if (!found) return reply
    await switchTo(true, found.visit, found.webhook)
    return done(reply, 'webhook-reanudado', found.here)
  })

  /** Also one whose topic was withdrawn can be removed. */
  async function removable(visit: PortalVisit, topic: string): Promise<Webhook> {
    const webhook = await findWebhook(store, seal, visit.app, topic)
    if (!webhook) throw notFound(NO_SUCH_TOPIC)
    return webhook
  }

  app.get<ByTopic>(`${PATH}/eliminar`, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { topic, callback } = await removable(visit, request.params.topic)
    const here = `${visit.at}${SECTION}/${topic}`
    return page(
      reply,
      confirmPage({
        visit,
        section: SECTION,
        above: { href: here, label: topic },
        title: `¿Eliminar el webhook de ${topic}?`,
        action: `${here}/eliminar`,
        button: 'Sí, eliminar',
        children: (
          <ul>
            <li>
              Nada más se envía a <code>{callback}</code>, y lo que espera se descarta.
            </li>
            <li>Su Secret y sus encabezados se olvidan.</li>
            <li>Los eventos se siguen guardando: puede leerlos, o enviarlos cuando configure otro.</li>
            <li>Para dejar de recibir por un tiempo, alcanza con suspenderlo.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ByTopic>(`${PATH}/eliminar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { topic } = await removable(visit, request.params.topic)
    await store.transaction((tx) => removeWebhook(tx, visit.app, topic))
    await visit.note('webhook.eliminar', visit.app.appKey, { topic })
    return done(reply, 'webhook-eliminado', visit.at + SECTION)
  })
}

import type { App } from '../../apps/app.ts'
import { invalid, notFound } from '../../http/problems.ts'
import { publishEvent } from '../../webhooks/events.ts'
import { endPause, findWebhook, isAvailable, isOn } from '../../webhooks/subscriptions.ts'
import { ulid } from '../../webhooks/ulid.ts'
import type { NotificacionesDeps } from './deps.ts'
import { NOT_THERE } from './edit.ts'
import { sampleOf } from './samples.ts'

export const IS_OFF = 'El webhook no está activo: actívelo con PUT.'

/** Sends a topic with sample data, over the same way as the true ones; gives the event's id. */
export async function sendTest(
  { store, seal, clock, config }: NotificacionesDeps,
  app: App,
  topic: string,
  traceparent: string | undefined,
): Promise<string> {
  if (!isAvailable(app, topic)) throw notFound(NOT_THERE)
  return store.transaction(async (tx) => {
    const webhook = await findWebhook(tx, seal, app, topic)
    if (!webhook) throw notFound(NOT_THERE)
    if (!isOn(webhook)) throw invalid({ _: [IS_OFF] })
    await endPause(tx, webhook.id)
    const [moment, { timeZone }] = [clock(), config]
    const { agencia, body } = sampleOf(topic, ulid(moment.getTime()), timeZone)
    const about = { appId: app.id, topic, agencia, moment, timeZone, traceparent }
    return publishEvent(tx, { ...about, body: { ...body, Prueba: true } })
  })
}

import { createSecretKey, randomBytes } from 'node:crypto'
import type { App } from '../../apps/app.ts'
import type { Config } from '../../config.ts'
import { invalid } from '../../http/problems.ts'
import { buildEvent } from '../../webhooks/events.ts'
import { attemptHeaders, fixedHeaders, userAgentOf } from '../../webhooks/headers.ts'
import { type Call, openSender, type SenderOptions } from '../../webhooks/send/send.ts'
import { isOn, type Webhook } from '../../webhooks/subscriptions.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { ulid } from '../../webhooks/ulid.ts'
import { type Check, keepCheck } from './checks.ts'
import type { NotificacionesDeps } from './deps.ts'
import { visibleWebhook } from './edit.ts'
import { IS_OFF } from './prueba.ts'
import { sampleOf } from './samples.ts'

export interface ForgeDeps extends NotificacionesDeps {
  config: NotificacionesDeps['config'] & Pick<Config, 'publicUrl'>
  /** Where a test has its own certificate or shorter times. */
  sending?: Pick<SenderOptions, 'ca' | 'times'>
}

/** What a receiver says to somebody it does not believe; 404 or 500 may have any reason. */
const REFUSALS = new Set([400, 401, 403, 422])
const UNSIGNED = 'El webhook no tiene Secret: sin él, el receptor no puede comprobar quién envía.'

/**
 * Sends a test that anybody could have made: everything is right but the signatures, which a key makes that nobody has.
 * It is no event: it is neither in the feed nor tried again, and says nothing of the webhook's health.
 */
export async function sendForged(deps: ForgeDeps, app: App, topic: string): Promise<Omit<Check, 'at'>> {
  const { store, clock, config } = deps
  const webhook = await visibleWebhook(deps, app, topic)
  if (app.disabled || !isOn(webhook)) throw invalid({ _: [IS_OFF] })
  if (webhook.secretHint === null) throw invalid({ _: [UNSIGNED] })

  const moment = clock()
  const { agencia, body } = sampleOf(topic as Topic, ulid(moment.getTime()), config.timeZone)
  const about = { appId: app.id, topic: topic as Topic, agencia, moment, timeZone: config.timeZone }
  const { id, payload } = buildEvent({ ...about, body: { ...body, Prueba: true } })
  const call = await post(deps, app, webhook, id, payload)
  const check = {
    topic,
    status: call.status,
    refused: REFUSALS.has(call.status ?? 0),
    detail: call.status === null ? call.error : null,
  }
  await keepCheck(store, app, check)
  return check
}

/** By the hand that makes every delivery, through the same guard. */
async function post(
  { clock, config, sending }: ForgeDeps,
  app: App,
  { topic, callback, headers: custom }: Webhook,
  id: string,
  body: string,
): Promise<Call> {
  const keys = [createSecretKey(randomBytes(32))]
  const own = custom.flatMap((header) => (header ? [header.Name, header.Value] : []))
  const headers = fixedHeaders(topic, userAgentOf(config.publicUrl), own)
  const attempt = { id, number: 1, traceparent: null }
  const { origin, pathname, search } = new URL(callback)
  const sender = openSender({ config, clock, ...sending })
  try {
    const target = { key: origin, origin, granted: app.privateCallbacks, path: pathname + search, headers }
    return await sender.send(
      target,
      attemptHeaders(attempt, { topic, keys }, body, clock()),
      body,
      new AbortController().signal,
    )
  } finally {
    sender.close()
  }
}

import type { App } from '../../../apps/app.ts'
import type { Hecho } from '../../../apps/tally.ts'
import { firstsOf } from '../../../apps/usage-store.ts'
import { type Reach, reachOf } from '../../../resources/agencias/reach.ts'
import { type Check, lastCheck } from '../../../resources/appnotificaciones/checks.ts'
import { isAvailable, isOn, listWebhooks, type Webhook } from '../../../webhooks/subscriptions.ts'
import type { PageDeps } from '../../signed-in.ts'

/** What an app really did until now. */
export interface Progress {
  firsts: ReadonlyMap<Hecho, Date>
  reach: Reach
  webhooks: readonly Webhook[]
  check: Check | undefined
}

export async function progressOf({ store, seal }: Pick<PageDeps, 'store' | 'seal'>, app: App): Promise<Progress> {
  const [firsts, reach, webhooks, check] = await Promise.all([
    firstsOf(store, app.id),
    reachOf(store, app),
    listWebhooks(store, seal, app),
    lastCheck(store, app),
  ])
  return { firsts, reach, webhooks, check }
}

/** What most apps are there for; one that may not use it has something else to hear of. */
const FIRST_TOPIC = 'consulta.recibida'

/** The topic that the way to production is walked with. */
export const topicOf = (app: App): string =>
  isAvailable(app, FIRST_TOPIC) ? FIRST_TOPIC : (app.topics?.[0] ?? FIRST_TOPIC)

/** A webhook that is on and signs: what a wrong signature can be tried on. The main topic's first. */
export function signedWebhook(app: App, webhooks: readonly Webhook[]): Webhook | undefined {
  const signed = webhooks.filter(
    (webhook) => isOn(webhook) && webhook.secretHint !== null && isAvailable(app, webhook.topic),
  )
  return signed.find(({ topic }) => topic === topicOf(app)) ?? signed[0]
}

import type { App } from '../../../apps/app.ts'
import { limitConcurrency } from '../../../http/limit-concurrency.ts'
import { fault, invalid } from '../../../http/problems.ts'
import { message, t } from '../../../i18n/messages.tsx'
import { isConflict } from '../../../store/circuit-breaker.ts'
import { type Resent, resendAll } from '../../../webhooks/resend.ts'
import { findWebhook, isEnabled, isVerified, listWebhooks } from '../../../webhooks/store.ts'
import { countResendable, resendable, type TopicFilter } from '../../../webhooks/topic-log.ts'
import type { NotificacionesDeps } from '../settings.ts'
import { offFault } from '../test-events.ts'
import { unverifiedFault } from '../verification.ts'

const MAX_TRIES = 3

/** Resends of many events in this process: each may hold a connection until its time limit. */
const limited = limitConcurrency({
  most: 2,
  mostOfKey: 1,
  refusal: message('problema.inProgress'),
})

/** Sends the matching deliveries again and counts them; 400 if the webhook cannot receive. */
export async function resendMatching(
  { store, seal }: NotificacionesDeps,
  app: App,
  topic: string,
  filter: TopicFilter,
): Promise<Resent> {
  const work = () =>
    store.transaction(async (tx) => {
      const webhooks = await listWebhooks(tx, seal, app)
      const webhook = webhooks.find((each) => each.topic === topic && each.destino === filter.destino)
      if (!webhook) throw invalid({ _: [fault('sin-webhook', t('problema.fault.noWebhook'))] })
      if (!isEnabled(webhook)) throw invalid({ _: [offFault()] })
      const isOne = filter.evento !== undefined
      if (!isOne && !isVerified(app, webhook, webhooks)) throw invalid({ _: [unverifiedFault()] })
      return resendAll(tx, webhook, resendable(filter))
    })
  for (let tries = 1; ; tries++) {
    try {
      return await (filter.evento === undefined ? limited(app.id, work) : work())
    } catch (error) {
      // Workers settle the same rows in batches, so PostgreSQL may end one of two transactions.
      if (tries === MAX_TRIES || !isConflict(error)) throw error
    }
  }
}

/** How many a resend would send. */
export async function countMatching(
  { store, seal }: NotificacionesDeps,
  app: App,
  topic: string,
  filter: TopicFilter,
): Promise<number> {
  const webhook = await findWebhook(store, seal, { app, topic, destino: filter.destino })
  return countResendable(store, app, topic, filter, webhook)
}

import type { App } from '../../../apps/app.ts'
import { fault, invalid } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { type Resent, resendAll } from '../../../webhooks/resend.ts'
import { findWebhook, isEnabled, isVerified, listWebhooks } from '../../../webhooks/store.ts'
import { countResendable, resendable, type TopicFilter } from '../../../webhooks/topic-log.ts'
import type { NotificacionesDeps } from '../settings.ts'
import { offFault } from '../test-events.ts'
import { unverifiedFault } from '../verification.ts'

const MAX_TRIES = 3

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
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES || !isDeadlock(error)) throw error
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

/** Workers settle the same rows in batches, so PostgreSQL may end one of two transactions. */
const isDeadlock = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '40P01'

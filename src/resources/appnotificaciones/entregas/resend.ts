import type { App } from '../../../apps/app.ts'
import { invalid } from '../../../http/problems.ts'
import { resendable, type TopicFilter } from '../../../webhooks/delivery-log.ts'
import { type Resent, resendAll } from '../../../webhooks/resend.ts'
import { findWebhook, isOn } from '../../../webhooks/subscriptions.ts'
import type { NotificacionesDeps } from '../deps.ts'
import { IS_OFF } from '../prueba.ts'

const TRIES = 3

/** Sends again what a filter means, and says how many that were; 400 where nothing can be sent. */
export async function resendMatching(
  { store, seal }: NotificacionesDeps,
  app: App,
  topic: string,
  filter: TopicFilter,
): Promise<Resent> {
  const work = () =>
    store.transaction(async (tx) => {
      const webhook = await findWebhook(tx, seal, app, topic)
      if (!webhook) throw invalid({ _: ['El topic no tiene un webhook: configúrelo con POST.'] })
      if (!isOn(webhook)) throw invalid({ _: [IS_OFF] })
      return resendAll(tx, webhook, resendable(filter))
    })
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error
    }
  }
}

/** Workers settle the same rows in batches; of two that wait for each other PostgreSQL ends one. */
const isDeadlock = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '40P01'

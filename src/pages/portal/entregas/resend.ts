import type { App } from '../../../apps/app.ts'
import type { NotificacionesDeps } from '../../../resources/appnotificaciones/deps.ts'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import type { AppFilter } from '../../../webhooks/app-log.ts'
import { estimateResendable, type LogFilter } from '../../../webhooks/log.ts'
import { isAvailable, isOn, listWebhooks, type Webhook } from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'

/** The events of one topic that a resend would send. */
export interface Resendable {
  topic: Topic
  /** Counted among the newest only, where there are `more`. */
  count: number
  more: boolean
  webhook: 'on' | 'off' | 'missing'
}

/** A search as filters of the API's resend, which takes one agency at a time and tells events from inquiries. */
function filtersFor({ agencias, formerMail, about, ...rest }: AppFilter): LogFilter[] {
  const { estados, from, until } = rest
  const filter: LogFilter = { from, until, ...(estados && { estados: [...estados] }) }
  if (about !== undefined)
    return [
      { ...filter, evento: about },
      { ...filter, sid: about },
    ]
  if (formerMail !== undefined) return [{ ...filter, agencia: { adminMail: formerMail } }]
  return agencias?.map((id) => ({ ...filter, agencia: { id } })) ?? [filter]
}

/** How many events of each topic a resend would send. */
export async function preview(deps: NotificacionesDeps, app: App, filter: AppFilter): Promise<Resendable[]> {
  const webhooks = new Map((await listWebhooks(deps.store, deps.seal, app)).map((each) => [each.topic, each]))
  const found: Resendable[] = []
  for (const topic of topicsOf(app, filter)) {
    let [count, more] = [0, false]
    for (const each of filtersFor(filter)) {
      const estimate = await estimateResendable(deps.store, app, topic, each)
      count += estimate.count
      more ||= estimate.more
    }
    if (count > 0 || more) found.push({ topic, count, more, webhook: stateOf(webhooks.get(topic)) })
  }
  return found
}

/** Sends the events again, of each topic whose webhook is on. Returns their number. */
export async function resendAll(deps: NotificacionesDeps, app: App, filter: AppFilter): Promise<number> {
  const webhooks = await listWebhooks(deps.store, deps.seal, app)
  const on = new Set(webhooks.filter(isOn).map(({ topic }) => topic))
  let sent = 0
  for (const topic of topicsOf(app, filter).filter((each) => on.has(each)))
    for (const each of filtersFor(filter))
      for (let after: string | undefined; ; ) {
        const { count, last } = await resendMatching(deps, app, topic, { ...each, after })
        sent += count
        if (last === undefined) break
        after = last
      }
  return sent
}

/** An agency that left the app has only the event that says so. */
const topicsOf = (app: App, { topic, formerMail }: AppFilter): Topic[] =>
  TOPICS.filter(
    (each) =>
      isAvailable(app, each) &&
      (topic === undefined || topic === each) &&
      (formerMail === undefined || each === 'agencia.desasociada'),
  )

const stateOf = (webhook: Webhook | undefined): Resendable['webhook'] =>
  webhook === undefined ? 'missing' : isOn(webhook) ? 'on' : 'off'

import type { App } from '../../../apps/app.ts'
import type { NotificacionesDeps } from '../../../resources/appnotificaciones/deps.ts'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import type { AppFilter } from '../../../webhooks/app-log.ts'
import { estimateResendable, type LogFilter } from '../../../webhooks/log.ts'
import { isAvailable, isOn, listWebhooks, type Webhook } from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'

/** What would be sent again of one topic, and whether it can be. */
export interface Chosen {
  topic: Topic
  /** Among the newest; there may be `more`. */
  count: number
  more: boolean
  state: 'on' | 'off' | 'missing'
}

/** What a search means to the acts of the API, which know one agency at a time, and an event from an inquiry. */
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

/** How many of each topic a search would send again; nothing is sent. */
export async function preview(deps: NotificacionesDeps, app: App, filter: AppFilter): Promise<Chosen[]> {
  const webhooks = new Map((await listWebhooks(deps.store, deps.seal, app)).map((each) => [each.topic, each]))
  const chosen: Chosen[] = []
  for (const topic of topicsOf(app, filter)) {
    let [count, more] = [0, false]
    for (const each of filtersFor(filter)) {
      const found = await estimateResendable(deps.store, app, topic, each)
      count += found.count
      more ||= found.more
    }
    if (count > 0 || more) chosen.push({ topic, count, more, state: stateOf(webhooks.get(topic)) })
  }
  return chosen
}

/** Sends it again, topic by topic, as far as each has a webhook that is on; says how many that were. */
export async function resendChosen(deps: NotificacionesDeps, app: App, filter: AppFilter): Promise<number> {
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

/** Of an agency that is no longer the app's, only the end of the association is left. */
const topicsOf = (app: App, { topic, formerMail }: AppFilter): Topic[] =>
  TOPICS.filter(
    (each) =>
      isAvailable(app, each) &&
      (topic === undefined || topic === each) &&
      (formerMail === undefined || each === 'agencia.desasociada'),
  )

const stateOf = (webhook: Webhook | undefined): Chosen['state'] =>
  webhook === undefined ? 'missing' : isOn(webhook) ? 'on' : 'off'

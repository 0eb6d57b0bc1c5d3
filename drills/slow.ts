// npm run drill:slow [-- --pairs 5] [-- --clients 1200]
// One of fifty receivers hangs: how much longer do the others wait than without it? Then clients send one byte a second: are
// they cut off, and are other requests served meanwhile?
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { median } from '../bench/scenario.ts'
import { insertEvents } from '../src/webhooks/events.ts'
import { addWebhook } from '../src/webhooks/store.ts'
import { TOPICS, type Topic } from '../src/webhooks/topics.ts'
import { eventOf } from '../tests/support/deliveries.ts'
import { openReceiver } from '../tests/support/receiver.ts'
import { drill } from './drill.ts'
import { type Cluster, startCluster } from './instances.ts'
import { violationsOf } from './rules.ts'
import { type CutOff, runSlowClients } from './slow/clients.ts'
import { SLOW } from './slow/verdict.ts'
import { aligned } from './table.ts'

const APPS = 5 // each with a webhook for every topic: fifty in all
const EVENTS = 1_000
const EVENTS_PER_SECOND = 200
const PER_TRANSACTION = 10
const HANGING_EVENTS = 200 // more than the slots of the hanging webhook
const SLOTS = 32 // of one webhook, in two workers
const POLL_MS = 20
const TIMEOUT_MS = 60_000 // an event that has not arrived by then is lost
const SETTLE_MS = 20_000 // until calls hang or are released

interface Subscription {
  appId: number
  topic: Topic
}
interface Round {
  p50: number
  p99: number
}

await drill({ pairs: { standard: 5 }, clients: { standard: 1_200 } }, async ({ say, defer, number }) => {
  const pairs = number('pairs')
  const cluster = await startCluster(defer)
  const [receiver, hanging] = await Promise.all([openReceiver(), openReceiver()])
  defer(() => Promise.all([receiver.close(), hanging.close()]))
  const arrived = new Map<string, number>()
  receiver.answer(({ id }) => {
    arrived.set(id, performance.now())
    return 200
  })
  const [slow, ...healthy] = await configure(cluster, { healthy: receiver.url, slow: hanging.url })
  if (!slow) throw new Error('There is no webhook.')

  const sums = { sent: 0, received: 0 }
  let hung = 0
  let stuck = 0

  /** Sends events at a steady rate to the healthy webhooks in turn. */
  const measure = async (): Promise<Round> => {
    arrived.clear()
    receiver.received.length = 0
    const sent = new Map<string, number>()
    const began = performance.now()
    const writing: Promise<void>[] = []
    for (let written = 0; written < EVENTS; written += PER_TRANSACTION) {
      await pause(Math.max(0, began + (written * 1_000) / EVENTS_PER_SECOND - performance.now()))
      const events = Array.from({ length: PER_TRANSACTION }, (_, at) =>
        eventFor(healthy[(written + at) % healthy.length]),
      )
      for (const { id } of events) sent.set(id, performance.now())
      writing.push(cluster.store.transaction((tx) => insertEvents(tx, events)))
    }
    await Promise.all(writing)
    const deadline = performance.now() + TIMEOUT_MS
    const isMissing = (id: string) => !arrived.has(id)
    while ([...sent.keys()].some(isMissing) && performance.now() < deadline) await pause(POLL_MS)
    sums.sent += sent.size
    sums.received += [...sent.keys()].filter((id) => !isMissing(id)).length
    const took = [...sent].flatMap(([id, at]) => (arrived.get(id) ?? deadline) - at).sort((a, b) => a - b)
    const at = (share: number) => took[Math.floor((took.length - 1) * share)] ?? Number.NaN
    return { p50: at(0.5), p99: at(0.99) }
  }

  const withSlow = async (): Promise<Round> => {
    await setActive(cluster, slow, true)
    hanging.answer('hang')
    const events = Array.from({ length: HANGING_EVENTS }, () => eventFor(slow))
    await cluster.store.transaction((tx) => insertEvents(tx, events))
    const allHang = () => hanging.hanging() >= SLOTS
    await settled(allHang)
    const round = await measure()
    if (allHang()) hung++ // for the whole round: a released call does not hang again so soon
    await setActive(cluster, slow, false)
    hanging.release()
    await settled(() => hanging.hanging() === 0)
    stuck += hanging.hanging()
    return round
  }

  await measure() // warm-up
  const rounds: { without: Round; among: Round }[] = []
  for (let pair = 1; pair <= pairs; pair++) {
    const early = pair % 2 === 0 ? await withSlow() : undefined
    const without = await measure()
    const among = early ?? (await withSlow())
    rounds.push({ without, among })
    say(`pair ${pair}/${pairs}  p99 ${without.p99.toFixed(1)} ms without it, ${among.p99.toFixed(1)} ms with it`)
  }

  const ms = (value: number) => value.toFixed(1)
  const ratios = rounds.map(({ without, among }) => among.p99 / without.p99)
  const rows = rounds.map(({ without, among }, at) => [
    `pair ${at + 1}`,
    ...[without.p50, among.p50, without.p99, among.p99].map(ms),
    (ratios[at] ?? Number.NaN).toFixed(2),
  ])
  const head = ['', 'p50 without, ms', 'p50 with', 'p99 without, ms', 'p99 with', 'ratio']
  const middle = (of: (round: (typeof rounds)[number]) => number) => ms(median(rounds.map(of)))
  const last = [
    'median',
    middle((r) => r.without.p50),
    middle((r) => r.among.p50),
    middle((r) => r.without.p99),
    middle((r) => r.among.p99),
    median(ratios).toFixed(2),
  ]
  say(`\n${aligned([head, ...rows, last])}\n`)

  const clients = number('clients')
  say(`${clients} clients send a byte a second, half of them their headers and half their body …`)
  const slowClients = await runSlowClients(cluster.server.url, cluster.app, clients)
  const { connected, headers, bodies, left, p99, requests, wrong } = slowClients
  const seen = { rounds: pairs, hung, stuck, times: median(ratios), ...sums, clients, slowClients }
  return {
    rows: [
      ['webhooks: p99 with a hanging one ÷ without', median(ratios).toFixed(2)],
      ['  rounds in which it hung throughout', `${hung} of ${pairs}`],
      ['  calls not released', stuck],
      ['slow clients', clients],
      ['  of them connected', connected],
      ['  headers: the first / last cut off after, s', formatCutOff(headers)],
      ['  bodies: the first / last cut off after, s', formatCutOff(bodies)],
      ['  never cut off', left],
      ['other requests: sent / not served', `${requests} / ${wrong}`],
      ['  p99, ms', p99.toFixed(0)],
    ],
    failed: [...violationsOf(SLOW, seen), ...cluster.crashes()],
    held: 'Hanging receivers and slow clients delay nobody.',
    sum: {
      requests: requests + clients,
      faults: hung + connected,
      committed: sums.sent,
      received: sums.received,
      lost: sums.sent - sums.received,
      announced: 0,
      serverErrors: wrong,
    },
  }
})

function formatCutOff({ firstS, lastS }: CutOff): string {
  return [firstS, lastS].map((seconds) => seconds?.toFixed(0) ?? 'never').join(' / ')
}

/** Waits until the condition holds or the time is over. The rules check the result. */
async function settled(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + SETTLE_MS
  while (!condition() && performance.now() < deadline) await pause(POLL_MS)
}

function eventFor(subscription: Subscription | undefined) {
  if (!subscription) throw new Error('There is no webhook.')
  return eventOf(subscription.appId, subscription.topic)
}

/** Creates fifty webhooks. The first one calls the hanging receiver and is off. */
async function configure(cluster: Cluster, urls: { healthy: string; slow: string }): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (let made = 0; made < APPS; made++) {
    const app = await cluster.newApp()
    for (const topic of TOPICS) {
      const isSlow = subscriptions.length === 0
      const settings = { description: null, secret: null, headers: [null, null, null] as [null, null, null] }
      const callback = isSlow ? urls.slow : urls.healthy
      await addWebhook(cluster.store, cluster.seal, app, topic, { ...settings, callback, activo: !isSlow })
      subscriptions.push({ appId: app.id, topic })
    }
  }
  return subscriptions
}

/** Deletes the pending deliveries of a webhook and resets its failures. */
async function setActive(cluster: Cluster, { appId, topic }: Subscription, on: boolean): Promise<void> {
  await cluster.store.query(sql`
    update webhooks
    set activo = ${on}, paused_until = null, failures = 0, failing_since = null, disabled_at = null, updated_at = now()
    where app_id = ${appId} and topic = ${topic}`)
  await cluster.store.query(sql`
    delete from deliveries d using webhooks w
    where d.webhook_id = w.id and w.app_id = ${appId} and w.topic = ${topic} and d.lease is null`)
}

// Delivers what is in the outbox, when its parent asks: `worker.js CONFIG`. It claims rows with skip locked, posts them
// concurrently, and stores each outcome with its attempt.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { pino } from 'pino'
import { sealOf } from './auth.js'
import { deliveries, deliveryAttempts, events, webhooks } from './tables.js'

const AT_ONCE = 64 // as many as four webhooks of ours send at the same time
const LEASE_MS = 45_000
const TIMEOUT_MS = 30_000
const RETRY_MS = 60_000

const config = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const db = drizzle(new pg.Pool({ ...config.connection, max: 20, idleTimeoutMillis: 0 }))
const open = sealOf(config.masterKey)
const log = pino({ base: null })
const hmac = (secret, text) => createHmac('sha256', secret).update(text).digest('base64')

const claim = () =>
  db.transaction(async (tx) => {
    const now = new Date()
    const due = await tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.estado, 'pendiente'),
          lte(deliveries.dueAt, now),
          or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now)),
        ),
      )
      .orderBy(asc(deliveries.dueAt))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    if (ids.length === 0) return []
    await tx
      .update(deliveries)
      .set({ leasedUntil: new Date(now.getTime() + LEASE_MS), attempts: sql`${deliveries.attempts} + 1` })
      .where(inArray(deliveries.id, ids))
    return tx
      .select({ delivery: deliveries, event: events, webhook: webhooks })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.id))
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .where(inArray(deliveries.id, ids))
  })

async function post({ event: { id, topic, payload }, delivery, webhook }) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const secret = open(webhook.sealedSecret, 'webhook')
  const response = await fetch(webhook.callback, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'usual',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-attempt': String(delivery.attempts),
      'webhook-signature': `v1,${hmac(secret, `${id}.${timestamp}.${payload}`)}`,
      'notification-hook-id': id,
      'notification-timestamp': timestamp,
      'notification-topic': topic,
      'notification-signature': hmac(secret, `${id}\n${timestamp}\n${topic}`),
    },
    body: payload,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { status: response.status, answer: (await response.text()).slice(0, 4096) }
}

async function deliver(job) {
  const at = new Date()
  const outcome = await post(job).catch((error) => ({ error: error.message }))
  const ms = Date.now() - at.getTime()
  const arrived = outcome.status >= 200 && outcome.status < 300
  await db.transaction(async (tx) => {
    await tx.insert(deliveryAttempts).values({ deliveryId: job.event.id, at, ms, ...outcome })
    const settled = arrived
      ? { estado: 'entregada', settledAt: new Date() }
      : {
          dueAt: new Date(Date.now() + RETRY_MS),
          lastError: outcome.error ?? `El receptor respondió ${outcome.status}.`,
        }
    await tx
      .update(deliveries)
      .set({ ...settled, leasedUntil: null })
      .where(eq(deliveries.id, job.event.id))
  })
  log.info(
    { id: job.event.id, topic: job.event.topic, webhook: job.webhook.id, status: outcome.status, ms },
    'delivery',
  )
}

async function run() {
  for (let jobs = await claim(); jobs.length > 0; jobs = await claim()) await Promise.all(jobs.map(deliver))
}

process.on('message', async (order) => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage()
    return process.send(user + system)
  }
  await run()
  process.send('done')
})
process.on('disconnect', () => process.exit())
process.send('ready')

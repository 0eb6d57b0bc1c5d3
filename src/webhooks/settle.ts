import sql from 'sql-template-tag'
import type { Modo } from '../apps/app.ts'
import { getOrInsert } from '../memoize.ts'
import { type Ended, wasAttempted } from '../outbox/handler.ts'
import type { Claimed } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import { WEBHOOK_VERSION } from './destinations.ts'
import { disableWebhook, type EmailDeps } from './failure-warnings.ts'
import type { SendResult } from './send/send.ts'

/** A row of `deliveries` leased by a worker. Its queue is the webhook's id. */
export interface DeliveryRow extends Claimed {
  id: string
  /** The request body, byte for byte; null if the event no longer exists. */
  payload: string | null
  traceparent: string | null
  /** Attempts outside the schedule, column `carried`: early retries, and those before a resend. */
  extraAttempts: number
  /** At its first attempt: true if it was due later than stored, because it was resent or waited for its turn (ordered.ts). */
  wasPutOff: boolean
  /** When it was claimed: its age, and for how long it was due. */
  ageMs: number
  overdueMs: number
  /** Set once the request has been made. */
  result?: AttemptResult
}

interface AttemptResult {
  sent: SendResult
  startedMs: number
  ms: number
  appId: number
  modo: Modo
  /** The version of the webhook's configuration. */
  version: string
  isProbe: boolean
}

type EndedDelivery = Pick<Ended<DeliveryRow>, 'row' | 'outcome'> & { settlement: { usesAttempt: boolean } }

const GONE = 410
const ASKS_FOR_PAUSE = new Set([429, 503])

/** Also stores what they show about each webhook; 410 disables it. Returns those that get nothing for now. */
export async function settleDeliveries(
  tx: Db,
  deps: EmailDeps,
  ended: EndedDelivery[],
  nowMs: number,
): Promise<{ id: number; state: 'paused' | 'off' }[]> {
  // A request that the stopping worker aborted does not count for the schedule, but it was made.
  const requested = ended.filter(({ row, outcome }) => row.result || wasAttempted(outcome))
  if (requested.length === 0) return []
  await insertAttempts(
    tx,
    requested.map((each) => attemptOf(each, nowMs)),
  )
  const extra = requested.filter(({ settlement }) => !settlement.usesAttempt).map(({ row }) => row.id)
  // Counted apart from the schedule, so that the next attempt has a number of its own.
  if (extra.length > 0)
    await tx.query(sql`update deliveries set carried = carried + 1 where id = any (${extra}::text[])`)
  const attempted = ended.filter(({ outcome }) => wasAttempted(outcome))
  if (attempted.length === 0) return []
  const health = await recordHealth(tx, resultsByWebhook(attempted))
  for (const { id, gone } of health) if (gone) await disableWebhook(tx, deps, id, '410')
  return health
    .filter(({ paused, gone }) => paused || gone)
    .map(({ id, gone }) => ({ id, state: gone ? 'off' : 'paused' }))
}

/** A row of `delivery_attempts`. */
interface NewAttempt extends Pick<SendResult, 'address' | 'status' | 'answer'> {
  deliveryId: string
  /** How long ago it started: PostgreSQL's clock gives the time. */
  agoMs: number
  ms: number
  error: string | null
}

function attemptOf({ row: { id, result }, outcome }: EndedDelivery, nowMs: number): NewAttempt {
  const error = 'reason' in outcome ? outcome.reason : (result?.sent.error ?? null)
  if (!result) return { deliveryId: id, agoMs: 0, ms: 0, address: null, status: null, answer: null, error }
  const { address, status, answer } = result.sent
  return { deliveryId: id, agoMs: nowMs - result.startedMs, ms: result.ms, address, status, answer, error }
}

async function insertAttempts(tx: Db, attempts: NewAttempt[]): Promise<void> {
  const column = (name: keyof NewAttempt) => attempts.map((each) => each[name])
  await tx.query(
    sql`
    insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
    select id, now() - make_interval(secs => ago / 1000), ms, address, status, answer, error
    from unnest(
      ${column('deliveryId')}::text[], ${column('agoMs')}::float8[],
      ${column('ms')}::int[], ${column('address')}::text[], ${column('status')}::int[],
      ${column('answer')}::text[], ${column('error')}::text[]
    ) as attempt (id, ago, ms, address, status, answer, error)`,
    'keep-plan',
  )
}

/** One for each webhook and version. An attempt without a request says nothing about the receiver. */
function resultsByWebhook(attempted: EndedDelivery[]): WebhookResults[] {
  const byKey = new Map<string, WebhookResults>()
  for (const { row, outcome } of attempted) {
    if (!row.result) continue
    const { sent, modo, version, isProbe } = row.result
    const key = `${row.queue} ${version}`
    const results = getOrInsert(byKey, key, () => ({ webhookId: row.queue, modo, version, ...NO_RESULTS }))
    if (isProbe) results.probed = true
    const { probed, gone } = results
    if (outcome.kind === 'delivered') Object.assign(results, { ...NO_RESULTS, probed, gone, delivered: true })
    else {
      results.failures++
      results.error = sent.error
      if (sent.status === GONE) results.gone = true
      if (ASKS_FOR_PAUSE.has(sent.status ?? 0) && sent.retryAfterSeconds)
        results.waitSeconds = Math.max(sent.retryAfterSeconds, results.waitSeconds ?? 0)
    }
  }
  return [...byKey.values()]
}

const NO_RESULTS = { delivered: false, failures: 0, error: null, waitSeconds: null, probed: false, gone: false }

/** What the attempts of a batch show about one webhook, in the order they ended. */
interface WebhookResults {
  webhookId: number
  modo: Modo
  /** The version of its configuration at the time. */
  version: string
  delivered: boolean
  /** Failures after the last delivery, and the error of the last of them. */
  failures: number
  error: string | null
  /** How long the receiver asked us to wait. */
  waitSeconds: number | null
  /** True if one of them probed a paused webhook. */
  probed: boolean
  /** True if one of them was answered with 410. */
  gone: boolean
}

interface Health extends Pick<WebhookResults, 'gone'> {
  id: number
  paused: boolean
}

/**
 * Attempts of one delivery are at most 29 hours apart (SCHEDULE in handler.ts). After a longer gap the webhook was not
 * tried in between, so the time it has been failing starts again.
 */
const MAX_FAILING_GAP_HOURS = 30
/** The breaker opens after so many failures in a row. */
const FAILURE_THRESHOLD = 10
/** A pause is a quarter of the time the webhook has been failing, within these bounds; then one delivery probes it. */
const MIN_PAUSE_SECONDS = 5
const MAX_PAUSE_SECONDS = 300
const MAX_TEST_PAUSE_SECONDS = 5 // in test mode a developer is watching

/**
 * Stores the health of webhooks, opens or closes their breakers, and wakes the queues of those that work again. Returns
 * which are paused or gone. One whose configuration has changed is skipped. A failed probe ends the current pause unless
 * it starts a new one.
 */
async function recordHealth(tx: Db, results: WebhookResults[]): Promise<Health[]> {
  if (await recordOneSuccess(tx, results)) return []
  const sorted = results.toSorted((a, b) => a.webhookId - b.webhookId) // all code locks webhooks in this order
  const rows = await tx.query<Health & { wasPaused: boolean }>(
    sql`
    with seen as (
      select w.id, delivered, probed, gone, result.failures, error, w.paused_until is not null as was_paused,
        case when delivered then 0 else w.failures end + result.failures as in_a_row,
        case when result.failures = 0 then null
          when delivered or w.last_failed_at < now() - make_interval(hours => ${MAX_FAILING_GAP_HOURS}) then now()
          else coalesce(w.failing_since, now()) end as since,
        case when wait is not null then least(wait, ${MAX_PAUSE_SECONDS}) end as wait, -- least() ignores nulls
        longest
      from unnest(
        ${sorted.map(({ webhookId }) => webhookId)}::int[], ${sorted.map(({ version }) => version)}::text[],
        ${sorted.map(({ delivered }) => delivered)}::bool[], ${sorted.map(({ failures }) => failures)}::int[],
        ${sorted.map(({ error }) => error)}::text[], ${sorted.map(({ waitSeconds }) => waitSeconds)}::float8[],
        ${sorted.map(({ probed }) => probed)}::bool[], ${sorted.map(({ gone }) => gone)}::bool[],
        ${sorted.map(({ modo }) => (modo === 'prueba' ? MAX_TEST_PAUSE_SECONDS : MAX_PAUSE_SECONDS))}::float8[]
      ) as result (id, version, delivered, failures, error, wait, probed, gone, longest)
      join webhooks w on w.id = result.id and ${WEBHOOK_VERSION} = result.version
      order by w.id for no key update of w
    ), pausing as (
      select id, greatest(
        now() + make_interval(secs => wait),
        case when in_a_row >= ${FAILURE_THRESHOLD} then now() + least(greatest(
          (now() - since) / 4, make_interval(secs => ${MIN_PAUSE_SECONDS})),
          make_interval(secs => longest)) end) as until
      from seen
    )
    update webhooks w
    set failures = in_a_row, failing_since = since, last_error = error,
      last_failed_at = case when seen.failures > 0 then now() else last_failed_at end,
      paused_until = case when seen.failures > 0 then coalesce(until, case when not probed then paused_until end) end,
      warnings = case when delivered or since = now() then 0 else warnings end,
      last_delivery_at = case when delivered then now() else last_delivery_at end,
      verified_at = case when delivered then coalesce(verified_at, now()) else verified_at end
    from seen join pausing using (id)
    where w.id = seen.id
    returning w.id, w.paused_until is not null as paused, was_paused as "wasPaused", gone`,
    'keep-plan',
  )
  for (const { id, paused, wasPaused } of rows) if (wasPaused && !paused) tx.notify(`deliveries:${id}`)
  return rows
}

/** The usual case, in one scan: a single webhook that works and was not paused. False if it is another case. */
async function recordOneSuccess(tx: Db, results: WebhookResults[]): Promise<boolean> {
  const [only, ...others] = results
  if (!only?.delivered || only.failures > 0 || only.gone || others.length > 0) return false
  const updated = await tx.query(
    sql`
    update webhooks w
    set failures = 0, failing_since = null, last_error = null, warnings = 0, last_delivery_at = now(),
      verified_at = coalesce(verified_at, now())
    where w.id = ${only.webhookId} and ${WEBHOOK_VERSION} = ${only.version} and w.paused_until is null
    returning 1`,
    'keep-plan',
  )
  return updated.length > 0
}

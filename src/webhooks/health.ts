import sql from 'sql-template-tag'
import type { Modo } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import { WEBHOOK_VERSION } from './destinations.ts'

/** What the attempts of a batch show about one webhook, in the order they ended. */
export interface WebhookResults {
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
}

/** The breaker opens after so many failures in a row. */
const FAILURE_THRESHOLD = 10
/** A pause is a quarter of the time the webhook has been failing, within these bounds; then one delivery probes it. */
const MIN_PAUSE_SECONDS = 5
const MAX_PAUSE_SECONDS = 300
const MAX_TEST_PAUSE_SECONDS = 5 // in test mode a developer is watching

/**
 * Stores the health of webhooks, opens or closes their breakers, and wakes the queues of those that work again. Returns
 * which are paused. One whose configuration has changed is skipped. A failed probe ends the current pause unless it
 * starts a new one.
 */
export async function recordHealth(tx: Db, results: WebhookResults[]): Promise<{ id: number; paused: boolean }[]> {
  const sorted = results.toSorted((a, b) => a.webhookId - b.webhookId) // all code locks webhooks in this order
  const rows = await tx.query<{ id: number; paused: boolean; wasPaused: boolean }>(
    sql`
    with seen as (
      select w.id, delivered, probed, result.failures, error, w.paused_until is not null as was_paused,
        case when delivered then 0 else w.failures end + result.failures as in_a_row,
        case when result.failures = 0 then null when delivered then now() else coalesce(w.failing_since, now()) end as since,
        case when wait is not null then least(wait, ${MAX_PAUSE_SECONDS}) end as wait, -- least() ignores nulls
        longest
      from unnest(
        ${sorted.map(({ webhookId }) => webhookId)}::int[], ${sorted.map(({ version }) => version)}::text[],
        ${sorted.map(({ delivered }) => delivered)}::bool[], ${sorted.map(({ failures }) => failures)}::int[],
        ${sorted.map(({ error }) => error)}::text[], ${sorted.map(({ waitSeconds }) => waitSeconds)}::float8[],
        ${sorted.map(({ probed }) => probed)}::bool[],
        ${sorted.map(({ modo }) => (modo === 'prueba' ? MAX_TEST_PAUSE_SECONDS : MAX_PAUSE_SECONDS))}::float8[]
      ) as result (id, version, delivered, failures, error, wait, probed, longest)
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
      paused_until = case when seen.failures > 0 then coalesce(until, case when not probed then paused_until end) end,
      warnings = case when delivered then 0 else warnings end,
      last_delivery_at = case when delivered then now() else last_delivery_at end
    from seen join pausing using (id)
    where w.id = seen.id
    returning w.id, w.paused_until is not null as paused, was_paused as "wasPaused"`,
    'keep-plan',
  )
  for (const { id, paused, wasPaused } of rows) if (wasPaused && !paused) tx.notify(`deliveries:${id}`)
  return rows
}

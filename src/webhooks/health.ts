import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/** What one webhook showed in a batch of attempts, in the order they ended. */
export interface Shown {
  webhookId: number
  /** The configuration it was shown under. */
  version: string
  delivered: boolean
  /** How many failed after the last that was delivered, and how the last of them did. */
  failures: number
  error: string | null
  /** How long the receiver asked to be left alone. */
  waitSeconds: number | null
  /** Whether one of them tried the door of a webhook that was paused. */
  probed: boolean
}

/** After so many failures in a row the breaker opens; each hand of a lane may fail once before anybody knows. */
const BREAKS_AT = 10
/** A pause is a quarter of the time it has been failing, within these bounds; then one delivery tries the door. */
const SHORTEST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 300
const LONGEST_TEST_PAUSE_SECONDS = 5 // whoever mends a receiver in test mode is there to see it

/**
 * Writes down how webhooks do, and opens or closes their breakers; says which are paused now. One whose configuration
 * changed meanwhile is passed by. A probe that failed ends the pause it was let through by, unless it is reason for
 * another: the time that a probe has to itself is nobody's pause. The lanes of those that work again are rung for.
 */
export async function recordHealth(tx: Db, shown: Shown[]): Promise<{ id: number; paused: boolean }[]> {
  const told = shown.toSorted((a, b) => a.webhookId - b.webhookId) // whoever locks several does so in this order
  const rows = await tx.query<{ id: number; paused: boolean; wasPaused: boolean }>(
    sql`
    with told as (
      select w.id, delivered, probed, told.failures, error, w.paused_until is not null as was_paused,
        case when delivered then 0 else w.failures end + told.failures as in_a_row,
        case when told.failures = 0 then null when delivered then now() else coalesce(w.failing_since, now()) end as since,
        case when wait is not null then least(wait, ${LONGEST_PAUSE_SECONDS}) end as wait, -- least() takes no notice of nulls
        case when a.modo = 'prueba' then ${LONGEST_TEST_PAUSE_SECONDS}::float8 else ${LONGEST_PAUSE_SECONDS} end as longest
      from unnest(
        ${told.map(({ webhookId }) => webhookId)}::int[], ${told.map(({ version }) => version)}::text[],
        ${told.map(({ delivered }) => delivered)}::bool[], ${told.map(({ failures }) => failures)}::int[],
        ${told.map(({ error }) => error)}::text[], ${told.map(({ waitSeconds }) => waitSeconds)}::float8[],
        ${told.map(({ probed }) => probed)}::bool[]
      ) as told (id, version, delivered, failures, error, wait, probed)
      join webhooks w on w.id = told.id and w.updated_at::text = told.version
      join apps a on a.id = w.app_id
      order by w.id for no key update of w
    ), pausing as (
      select id, greatest(
        now() + make_interval(secs => wait),
        case when in_a_row >= ${BREAKS_AT} then now() + least(greatest(
          (now() - since) / 4, make_interval(secs => ${SHORTEST_PAUSE_SECONDS})),
          make_interval(secs => longest)) end) as until
      from told
    )
    update webhooks w
    set failures = in_a_row, failing_since = since, last_error = error,
      paused_until = case when told.failures > 0 then coalesce(until, case when not probed then paused_until end) end,
      warnings = case when delivered then 0 else warnings end,
      last_delivery_at = case when delivered then now() else last_delivery_at end
    from told join pausing using (id)
    where w.id = told.id
    returning w.id, w.paused_until is not null as paused, was_paused as "wasPaused"`,
    'keep-plan',
  )
  for (const { id, paused, wasPaused } of rows) if (wasPaused && !paused) tx.notify(`deliveries:${id}`)
  return rows
}

import sql from 'sql-template-tag'
import { post } from '../mail/letter.ts'
import { webhookFailingLetter } from '../mail/letters/webhook.ts'
import type { Db, Store } from '../store/db.ts'
import { AILING, type AilingRow, ailing, disableWebhook, type LetterDeps } from './disable.ts'
import { IS_SENT } from './subscriptions.ts'

/** After so many hours of only failing its app's contact is warned, each time once (decisions, 8). */
const WARNED_AFTER_HOURS = [6, 24, 72]
const DISABLED_AFTER_HOURS = 5 * 24
const BATCH = 50

interface Failing extends AilingRow {
  hours: number
  waiting: number
}

/**
 * Climbs the ladder for webhooks that only fail: letters, and in the end disabling. Only one for which something waits:
 * whoever is owed nothing needs no warning, and has not been tried since. Several workers share the work.
 */
export async function warnFailing(store: Store, deps: LetterDeps): Promise<void> {
  let found = BATCH
  while (found === BATCH)
    found = await store.transaction(async (tx) => {
      const failing = await lockFailing(tx)
      for (const webhook of failing) await climb(tx, deps, webhook)
      return failing.length
    })
}

const lockFailing = (tx: Db) =>
  tx.query<Failing>(sql`
    select ${AILING}, extract(epoch from now() - w.failing_since)::float8 / 3600 as hours,
      (select count(*) from deliveries d where d.webhook_id = w.id and d.estado = 'pendiente') as waiting
    from webhooks w join apps a on a.id = w.app_id
    where ${IS_SENT}
      and w.failing_since <= now() - make_interval(
        hours => (${[...WARNED_AFTER_HOURS, DISABLED_AFTER_HOURS]}::int[])[w.warnings + 1])
      and exists (select from deliveries d where d.webhook_id = w.id and d.estado = 'pendiente')
    order by w.id limit ${BATCH} for no key update of w skip locked`)

async function climb(tx: Db, deps: LetterDeps, webhook: Failing): Promise<void> {
  const { id, hours, waiting, contacto } = webhook
  if (hours >= DISABLED_AFTER_HOURS) return disableWebhook(tx, deps, id, 'fallas')
  const passed = WARNED_AFTER_HOURS.filter((rung) => hours >= rung)
  await tx.query(sql`update webhooks set warnings = ${passed.length} where id = ${id}`)
  if (!contacto) return
  const letter = { ...ailing(deps, webhook, contacto), horas: passed.at(-1) ?? 0, enEspera: waiting }
  await post(tx, deps.seal, webhookFailingLetter(letter))
}

import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import { post } from '../mail/email.ts'
import { type Ailing, webhookDisabledLetter, webhookFailingLetter } from '../mail/emails/webhooks.ts'
import type { Db, Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { discardPending, IS_SENT } from './subscriptions.ts'

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

/** What letters about webhooks are written with. */
export interface LetterDeps {
  seal: Seal
  config: Pick<Config, 'publicUrl' | 'supportUrl' | 'supportMail'>
}

/** A webhook and its app's contact, as such a letter needs them. */
export interface AilingRow {
  id: number
  topic: string
  callback: string
  lastError: string | null
  app: string
  contacto: string | null
}

export const AILING = sql`
  w.id, w.topic, w.callback, w.last_error as "lastError", a.nombre as app, a.contacto`

/** Sends nothing there any more, and tells the app's contact; what waits can be sent again once it is enabled. */
export async function disableWebhook(tx: Db, deps: LetterDeps, id: number, por: 'fallas' | '410'): Promise<void> {
  const [row] = await tx.query<AilingRow>(sql`
    update webhooks w set disabled_at = now(), disabled_by = ${por}, paused_until = null
    from apps a
    where w.id = ${id} and w.disabled_at is null and a.id = w.app_id
    returning ${AILING}`)
  if (!row) return
  await discardPending(tx, id)
  if (row.contacto) await post(tx, deps.seal, webhookDisabledLetter({ ...ailing(deps, row, row.contacto), por }))
}

/** What every letter about it says. */
export function ailing({ config }: LetterDeps, row: AilingRow, to: string): Ailing {
  const { origin, pathname } = new URL(row.callback)
  return {
    to,
    app: row.app,
    topic: row.topic,
    callback: origin + pathname,
    ultimoError: row.lastError,
    docsUrl: `${config.publicUrl}/docs`,
    support: { url: config.supportUrl, mail: config.supportMail },
  }
}

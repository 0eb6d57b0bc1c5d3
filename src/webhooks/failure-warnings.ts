import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import { type WebhookProblem, webhookDisabledEmail, webhookFailingEmail } from '../mail/compose.ts'
import { enqueueEmailTo } from '../mail/email.ts'
import type { Db, Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { ALERTED_MEMBERS, alertDisabled, type NamedWebhook, webhookText, webhookUrl } from './alerts.ts'
import { FIRST_DESTINO, webhookSubpath } from './delivery-ids.ts'
import { translateError } from './send/explain.ts'
import { discardPending, IS_ENABLED } from './store.ts'

export interface EmailDeps {
  seal: Seal
  config: Pick<Config, 'publicUrl' | 'brand'>
}

/** A webhook and its app's contact. */
interface WebhookContact extends NamedWebhook {
  id: number
  callback: string
  lastError: string | null
  contacto: string | null
  /** Members of the team who want these emails. */
  members: string[]
}

const CONTACT_COLUMNS = sql`
  w.id, w.topic, w.destino, w.description, w.callback, w.last_error as "lastError", a.nombre as app, w.app_id as "appId",
  a.app_key as "appKey", a.contacto, ${ALERTED_MEMBERS} as members`

/**
 * Hours of failure after which the app's contact and the members who ask for it are warned, once for each
 * (docs/decisions/deliveries.md).
 */
const WARNED_AFTER_HOURS = [6, 24, 72]
const DISABLED_AFTER_HOURS = 5 * 24
const BATCH = 50

interface FailingRow extends WebhookContact {
  hours: number
  waiting: number
}

/**
 * Skips webhooks without pending deliveries that have failed: they have not been tried since, or a first attempt is under
 * way. Several workers share the work.
 */
export async function warnFailing(store: Store, deps: EmailDeps): Promise<void> {
  let found = BATCH
  while (found === BATCH)
    found = await store.transaction(async (tx) => {
      const failing = await lockFailing(tx)
      for (const webhook of failing) await warnOrDisable(tx, deps, webhook)
      return failing.length
    })
}

const lockFailing = (tx: Db) =>
  tx.query<FailingRow>(sql`
    select ${CONTACT_COLUMNS}, extract(epoch from now() - w.failing_since)::float8 / 3600 as hours,
      (select count(*) from deliveries d where d.webhook_id = w.id and d.estado = 'pendiente') as waiting
    from webhooks w join apps a on a.id = w.app_id
    where ${IS_ENABLED}
      and w.failing_since <= now() - make_interval(
        hours => (${[...WARNED_AFTER_HOURS, DISABLED_AFTER_HOURS]}::int[])[w.warnings + 1])
      and exists (
        select from deliveries d where d.webhook_id = w.id and d.estado = 'pendiente' and d.last_error is not null)
    order by w.id limit ${BATCH} for no key update of w skip locked`)

async function warnOrDisable(tx: Db, deps: EmailDeps, webhook: FailingRow): Promise<void> {
  const { id, hours, waiting } = webhook
  if (hours >= DISABLED_AFTER_HOURS) return disableWebhook(tx, deps, id, 'fallas')
  const passed = WARNED_AFTER_HOURS.filter((limit) => hours >= limit)
  await tx.query(sql`update webhooks set warnings = ${passed.length} where id = ${id}`)
  const horas = passed.at(-1) ?? 0
  for (const to of recipientsOf(webhook))
    await enqueueEmailTo(tx, deps.seal, to, () =>
      webhookFailingEmail({ ...problemOf(deps, webhook, to), horas, enEspera: waiting }),
    )
}

const recipientsOf = ({ contacto, members }: WebhookContact): Set<string> =>
  new Set([contacto?.toLowerCase() ?? [], members].flat())

/**
 * Stops sending to a webhook and notifies its app's contact and the members who ask for it. What is discarded can be resent
 * once it is enabled again.
 */
export async function disableWebhook(tx: Db, deps: EmailDeps, id: number, por: 'fallas' | '410'): Promise<void> {
  const [row] = await tx.query<WebhookContact>(sql`
    update webhooks w set disabled_at = now(), disabled_by = ${por}, paused_until = null
    from apps a
    where w.id = ${id} and w.disabled_at is null and a.id = w.app_id
    returning ${CONTACT_COLUMNS}`)
  if (!row) return
  await discardPending(tx, id)
  await alertDisabled(tx, row, deps.config.publicUrl)
  for (const to of recipientsOf(row))
    await enqueueEmailTo(tx, deps.seal, to, () => webhookDisabledEmail({ ...problemOf(deps, row, to), por }))
}

function problemOf({ config }: EmailDeps, row: WebhookContact, to: string): WebhookProblem {
  const { origin, pathname } = new URL(row.callback)
  return {
    to,
    app: row.app,
    ...apiPathsOf(row),
    webhook: webhookText(row),
    callback: origin + pathname,
    ultimoError: row.lastError && translateError(row.lastError),
    url: webhookUrl(row, config.publicUrl),
    docsUrl: `${config.publicUrl}/docs`,
    brand: config.brand.current(),
  }
}

const API = '/v3/appnotificaciones'

/** The API's paths of a webhook that was disabled: its own, and that which resends what was not delivered. */
export const apiPathsOf = ({ topic, destino }: Pick<WebhookContact, 'topic' | 'destino'>) => ({
  ruta: `${API}/${webhookSubpath({ topic, destino })}`,
  reenvio: `${API}/${topic}/entregas/reenviar?estado=fallida,descartada${destino === FIRST_DESTINO ? '' : `&destino=${destino}`}`,
})

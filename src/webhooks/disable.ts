import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import { post } from '../mail/letter.ts'
import { type Ailing, webhookDisabledLetter } from '../mail/letters/webhook.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { discardPending } from './subscriptions.ts'

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

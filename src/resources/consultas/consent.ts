import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** What a person agrees to who asks through our form. */
export const CONSENT_TEXT =
  'Acepto que la agencia que ofrece este auto y Rodado usen estos datos para responder mi consulta, y para nada más. Puedo pedir cuando quiera que los corrijan o los borren.'

/** It names its text: another text has another version, without anybody having to think of it. */
export const CONSENT_VERSION = hash('sha256', CONSENT_TEXT, 'hex').slice(0, 12)

/** Keeps the text that is shown, so that its version can be looked up as long as an inquiry names it. */
export async function keepConsentText(db: Db): Promise<void> {
  await db.query(sql`
    insert into consent_texts (version, texto) values (${CONSENT_VERSION}, ${CONSENT_TEXT}) on conflict do nothing`)
}

/** Whether that is a version that somebody was shown, by this node or, while a new one is rolled out, by another. */
export async function isConsent(db: Db, version: string): Promise<boolean> {
  const rows = await db.query(sql`select from consent_texts where version = ${version}`)
  return rows.length > 0
}

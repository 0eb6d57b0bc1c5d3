import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** What a person agrees to in our form. */
export const CONSENT_TEXT =
  'Acepto que la agencia que ofrece este auto y Rodado usen estos datos para responder mi consulta, y para nada más. Puedo pedir cuando quiera que los corrijan o los borren.'

/** Derived from the text, so that another text has another version. */
export const CONSENT_VERSION = hash('sha256', CONSENT_TEXT, 'hex').slice(0, 12)

/** Stores the text, so that the version in an inquiry can be looked up. */
export async function storeConsentText(db: Db): Promise<void> {
  await db.query(sql`
    insert into consent_texts (version, texto) values (${CONSENT_VERSION}, ${CONSENT_TEXT}) on conflict do nothing`)
}

/** Whether that version was shown, by this node or by another during a rollout. */
export async function isConsent(db: Db, version: string): Promise<boolean> {
  const rows = await db.query(sql`select from consent_texts where version = ${version}`)
  return rows.length > 0
}

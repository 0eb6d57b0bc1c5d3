import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { inLocale, LOCALES, type Locale } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'

/** What a person agrees to in the form of that marketplace, in the language of the form. The version follows from the text. */
export function consentOf(mercado: string): { version: string; texto: string } {
  const texto = t('aviso.consent', { mercado })
  return { version: hash('sha256', texto, 'hex').slice(0, 12), texto }
}

/** The language of the form in which a person agreed to that version; undefined if its text has changed since. */
export const consentLocale = (mercado: string, version: string): Locale | undefined =>
  LOCALES.find((locale) => inLocale(locale, () => consentOf(mercado)).version === version)

/** Stores the text, so that the version in an inquiry can be looked up. */
export async function storeConsentText(db: Db, { version, texto }: ReturnType<typeof consentOf>): Promise<void> {
  await db.query(sql`
    insert into consent_texts (version, texto) values (${version}, ${texto}) on conflict do nothing`)
}

/** Whether that version was shown, by this node or by another during a rollout. */
export const isConsent = (db: Db, version: string): Promise<boolean> =>
  db.hasRows(sql`select from consent_texts where version = ${version}`)

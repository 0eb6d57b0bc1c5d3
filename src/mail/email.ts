import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { DEFAULT_LOCALE, inLocale, isLocale, type Locale } from '../i18n/locale.ts'
import type { Db } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'

export const EMAIL_KINDS = [
  'invitacion',
  'clave',
  'clave-cambiada',
  'colaborar',
  'equipo',
  'personal',
  'segundo-paso',
  'agencia-modificada',
  'agencia-desasociada',
  'administrador',
  'administrador-reemplazado',
  'consulta',
  'consulta-recibo',
  'consultas-asignadas',
  'recordatorio',
  'webhook-fallando',
  'webhook-deshabilitado',
] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]

export const ONE_TIME_KINDS: readonly EmailKind[] = [
  'invitacion',
  'clave',
  'colaborar',
  'administrador',
  'equipo',
  'personal',
]

export interface Email {
  kind: EmailKind
  to: string
  subject: string
  text: string
  html: string
  /** Without it, replies go to customer service. */
  replyTo?: string
  /** The invitation in it, which becomes `rebotada` if the email is refused for good. */
  invitacionId?: number
  /** List-Unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
  /** Redacted in our copy once the email is sent. */
  oneTimeUrls?: string[]
}

export interface Contents extends Pick<Email, 'subject' | 'text' | 'html' | 'unsubscribeUrl' | 'oneTimeUrls'> {
  /** Chosen before it is sent, so that a repeated email is recognised as the same. */
  messageId: string
}

const PURPOSE = 'mail'

export const SEALED_EMAILS: SealedColumn[] = [
  { table: 'mails', id: 'id', idType: 'bigint', column: 'sealed', purpose: () => PURPOSE },
]

/** The outbox tables of emails. The second is a view of the receipts that are in the rows of the first. */
export const MAIL_TABLES = ['mails', 'mail_receipts'] as const

/** Anybody can type anybody's address into a form, so one address gets only so many receipts. */
export const RECEIPTS_PER_DAY = 5

/** The language of an address: that of its account, else Spanish. */
export async function localeOf(db: Db, to: string): Promise<Locale> {
  const [row] = await db.query<{ idioma: string }>(sql`
    select idioma from accounts where email = ${to.toLowerCase()} and idioma is not null order by modo limit 1`)
  return isLocale(row?.idioma) ? row.idioma : DEFAULT_LOCALE
}

/** Inserts an email into the outbox, in the transaction of what it is about. */
export async function enqueueEmail(tx: Db, seal: Seal, email: Email): Promise<void> {
  const { kind, to, subject, text, html, replyTo, invitacionId, unsubscribeUrl, oneTimeUrls } = email
  const sealed = sealContents(seal, {
    subject,
    text,
    html,
    messageId: randomUUID(),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    ...(oneTimeUrls && { oneTimeUrls }),
  })
  await tx.query(sql`
    insert into mails (kind, to_address, sealed, reply_to, invitacion_id)
    values (${kind}, ${to}, ${sealed}, ${replyTo ?? null}, ${invitacionId ?? null})`)
  tx.notify('mails')
}

/** Inserts an email written in the language of its recipient, whatever that of the request is. */
export const enqueueEmailTo = async (tx: Db, seal: Seal, to: string, write: () => Email): Promise<void> =>
  enqueueEmail(tx, seal, inLocale(await localeOf(tx, to), write))

export const sealContents = (seal: Seal, contents: Contents): Buffer => seal.seal(JSON.stringify(contents), PURPOSE)

export const openContents = (seal: Seal, sealed: Buffer): Contents => JSON.parse(seal.open(sealed, PURPOSE)) as Contents

/** A stored email: sealed, or about an inquiry and written when it is needed. */
export interface SealedEmail {
  kind: string
  to: string
  sealed: Buffer | null
  sid: string | null
}

/** Written from the inquiry's current data, so that erased data is erased here too; undefined if nothing is left. */
export type EmailWriter = (about: { kind: string; to: string; sid: string }) => Promise<Email | undefined>

export type ReadableContents = Contents & { replyTo?: string | undefined }

/** Undefined if the inquiry was erased. */
export async function readContents(
  { kind, to, sealed, sid }: SealedEmail,
  seal: Seal,
  writer: EmailWriter,
): Promise<ReadableContents | undefined> {
  if (sealed) return openContents(seal, sealed)
  const email = sid === null ? undefined : await writer({ kind, to, sid })
  if (!email) return undefined
  const { subject, text, html, replyTo } = email
  return { subject, text, html, messageId: `${kind}.${sid}`, replyTo }
}

/** Makes the one-time links of an email useless. */
export function redact({ oneTimeUrls = [], ...contents }: Contents): Contents {
  const clean = (body: string) =>
    oneTimeUrls.reduce((text, url) => text.replaceAll(url, noToken(url)).replaceAll(escaped(url), noToken(url)), body)
  return { ...contents, text: clean(contents.text), html: clean(contents.html) }
}

const noToken = (url: string) => url.replace(/[^/]*$/, '…')
const escaped = (url: string) => url.replaceAll('&', '&amp;')

/** The `last_error` of an email whose invitation was renewed or ended before it was sent. */
export const WITHDRAWN = 'withdrawn'

/** Withdraws the unsent emails of an invitation whose link is renewed or revoked. One in an attempt is left to its handler. */
export async function withdrawEmails(tx: Db, invitacionId: number): Promise<void> {
  await tx.query(sql`
    update mails set estado = 'fallida', last_error = ${WITHDRAWN}, settled_at = now(), lease = null, leased_until = null
    where invitacion_id = ${invitacionId} and estado = 'pendiente' and (leased_until is null or leased_until <= now())`)
}

/** The domain of invented people (RFC 2606). Emails to it and its subdomains are stored and never sent. */
export const TEST_DOMAIN = 'prueba.example'

export const isTestAddress = (mail: string): boolean => ['@', '.'].some((mark) => mail.endsWith(mark + TEST_DOMAIN))

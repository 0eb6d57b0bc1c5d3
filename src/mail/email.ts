import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'

export type EmailKind =
  | 'invitacion'
  | 'clave'
  | 'clave-cambiada'
  | 'colaborar'
  | 'equipo'
  | 'personal'
  | 'segundo-paso'
  | 'agencia-modificada'
  | 'administrador'
  | 'administrador-reemplazado'
  | 'consulta'
  | 'consulta-recibo'
  | 'webhook-fallando'
  | 'webhook-deshabilitado'

/** Those that may carry a link that is good once. */
export const ONE_TIME_KINDS: readonly EmailKind[] = [
  'invitacion',
  'clave',
  'colaborar',
  'administrador',
  'equipo',
  'personal',
]

/** A mail to one person, as text and as HTML. */
export interface Email {
  kind: EmailKind
  to: string
  subject: string
  text: string
  html: string
  /** Where an answer goes; without it, to customer service. */
  replyTo?: string
  /** The invitation it carries, which is `rebotada` when the letter is refused for good. */
  invitacionId?: number
  /** Where one POST ends mails of this kind (List-Unsubscribe, RFC 8058). */
  unsubscribeUrl?: string
  /** Links that are worth something to whoever finds them: blotted out of our copy once the letter has left. */
  oneTimeUrls?: string[]
}

/** What stands in the envelope's sealed part. */
export interface Contents {
  subject: string
  text: string
  html: string
  /** Given here and not when it is sent, so that a letter sent twice is seen to be the same. */
  messageId: string
  unsubscribeUrl?: string
  oneTimeUrls?: string[]
}

const PURPOSE = 'mail'

/** Puts a letter in the outbox, within the transaction of the fact it tells; it leaves when that commits. */
export async function enqueueEmail(tx: Db, seal: Seal, letter: Email): Promise<void> {
  const { kind, to, subject, text, html, replyTo, invitacionId, unsubscribeUrl, oneTimeUrls } = letter
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

export const sealContents = (seal: Seal, contents: Contents): Buffer => seal.seal(JSON.stringify(contents), PURPOSE)

export const openContents = (seal: Seal, sealed: Buffer): Contents => JSON.parse(seal.open(sealed, PURPOSE)) as Contents

/** What is known of a letter before it is read: it is sealed, or it tells of an inquiry and is written when it is needed. */
export interface UnreadEmail {
  kind: string
  to: string
  sealed: Buffer | null
  sid: string | null
}

/**
 * Writes a letter about an inquiry from what that inquiry is now; undefined where nothing is left to tell. Nothing of it
 * is kept here, so that what is erased there is erased here.
 */
export type EmailWriter = (about: { kind: string; to: string; sid: string }) => Promise<Email | undefined>

/** What stands in a letter, and where its answer goes. */
export type ReadableContents = Contents & { replyTo?: string | undefined }

/** What a letter says; undefined where it has nothing to say any more. */
export async function readContents(
  { kind, to, sealed, sid }: UnreadEmail,
  seal: Seal,
  writer: EmailWriter,
): Promise<ReadableContents | undefined> {
  if (sealed) return openContents(seal, sealed)
  const letter = sid === null ? undefined : await writer({ kind, to, sid })
  if (!letter) return undefined
  const { subject, text, html, replyTo } = letter
  return { subject, text, html, messageId: `${kind}.${sid}`, replyTo }
}

/** The letter with its one-time links made useless; everything else stays, for whoever asks later what was sent. */
export function redact({ oneTimeUrls = [], ...contents }: Contents): Contents {
  const clean = (words: string) =>
    oneTimeUrls.reduce((text, url) => text.replaceAll(url, useless(url)).replaceAll(escaped(url), useless(url)), words)
  return { ...contents, text: clean(contents.text), html: clean(contents.html) }
}

const useless = (url: string) => url.replace(/[^/]*$/, '…')
const escaped = (url: string) => url.replaceAll('&', '&amp;')

/** Holds back an invitation's letters that have not left: its link is about to be renewed or revoked. */
export async function withdrawEmails(tx: Db, invitacionId: number): Promise<void> {
  await tx.query(sql`
    update mails set estado = 'fallida', last_error = 'withdrawn', settled_at = now(), lease = null, leased_until = null
    where invitacion_id = ${invitacionId} and estado = 'pendiente' and (leased_until is null or leased_until <= now())`)
}

/** The domain of people who are made up: nobody's (RFC 2606), so that a letter to it is kept and never sent. */
export const TEST_DOMAIN = 'prueba.example'

export const isTestAddress = (mail: string): boolean => mail.endsWith(`@${TEST_DOMAIN}`)

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'

export type LetterKind =
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
export const ONE_TIME_KINDS: readonly LetterKind[] = [
  'invitacion',
  'clave',
  'colaborar',
  'administrador',
  'equipo',
  'personal',
]

/** A mail to one person, as text and as HTML. */
export interface Letter {
  kind: LetterKind
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
export async function post(tx: Db, seal: Seal, letter: Letter): Promise<void> {
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

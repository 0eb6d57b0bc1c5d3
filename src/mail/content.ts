import type { Brand } from '../brand/brand.ts'
import { t } from '../i18n/messages.tsx'
import type { Email } from './email.ts'

/** A part of an email, rendered as text and as HTML. Whatever a text contains, only `url` becomes a link. */
export type Block =
  | { words: string }
  | { heading: string }
  | { list: string[] }
  /** A call to our API, printed as it is; never text from others. */
  | { call: string }
  | { quote: string; by: string }
  | { changes: ChangeRow[] }
  | { button: string; url: string }
  | { note: string }
  | { link: string; url: string }

/** A changed value; null if there was or is none. */
export interface ChangeRow {
  campo: string
  antes: string | null
  despues: string | null
}

export interface EmailContent extends Omit<Email, 'text' | 'html'> {
  title: string
  /** Shown beside the subject in a list of emails. */
  preview: string
  blocks: Block[]
  /** Notes on why the person gets this email; links to customer service and to unsubscribe follow. */
  footer: string[]
  brand: Brand
}

export interface Recipient {
  to: string
  brand: Brand
}

export function footerBlocks({ footer, brand, unsubscribeUrl }: EmailContent): Block[] {
  const { url, mail } = brand.support
  const address = mail?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
  return [
    ...footer.map((note) => ({ note })),
    ...(url ? [{ link: t('correo.support'), url }] : []),
    ...(address ? [{ link: t('correo.writeToSupport'), url: `mailto:${address}` }] : []),
    ...brand.legal.map(({ texto, url }) => ({ link: texto, url })),
    ...(unsubscribeUrl ? [{ link: t('correo.unsubscribe'), url: unsubscribeUrl }] : []),
  ]
}

/** Zero-width space, which no address contains. It follows the sign, because some programs allow it before a dot. */
const BREAK = '\u200b'

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Control and format characters could forge lines or reverse text. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}]/gu

/**
 * What mail programs turn into links: a scheme, an `@`, a dot (IDNA has three more) before a letter. Prices and
 * abbreviations (S.R.L.) stay as they are.
 */
const LINK_SIGNS =
  /(?<=[\p{L}\p{N}]):(?=[^\s\p{N}])|[@＠]|(?<!\p{N})[.。．｡](?=\S)(?![A-Z](?![\p{L}\p{N}-]))|(?<=\p{N})[.。．｡](?=[^\s\p{N}])/gu
const ADDRESSES = /\d+(?:\.\d+){3,}/g

/** Text from others, on several lines, without anything that a mail program turns into a link. */
export const plainText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replace(UNSAFE, '')
    .replace(LINK_SIGNS, `$&${BREAK}`)
    .replace(ADDRESSES, (address) => address.replaceAll('.', `.${BREAK}`))
    .trim()

/** `plainText` on one line, for names and subjects. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ')

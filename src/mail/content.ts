/** A part of a letter, from which both its forms are made; whatever its words hold, only `url` is ever a link. */
export type Block =
  | { words: string }
  | { heading: string }
  | { list: string[] }
  /** A call to our API as it is typed, character by character: our own words alone. */
  | { call: string }
  | { quote: string; by: string }
  | { changes: Change[] }
  | { button: string; url: string }
  | { note: string }
  | { link: string; url: string }

/** One datum that changed; null where there was, or is, none. */
export interface Change {
  campo: string
  antes: string | null
  despues: string | null
}

export interface EmailContent {
  subject: string
  title: string
  /** What a list of mails shows beside the subject. */
  preview: string
  blocks: Block[]
  /** Why it came, and what can be done about it. */
  footer: Block[]
}

/** What stands for a value that is not there. */
export const EMPTY = '(vacío)'

/** Customer service, as the operator configured it (SUPPORT_URL, SUPPORT_MAIL). */
export interface Support {
  url?: string | undefined
  mail?: string | undefined
}

/** Whom to ask, at the foot of every letter. */
export function supportBlocks({ url, mail }: Support): Block[] {
  const address = mail?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
  return [
    ...(url ? [{ link: 'Atención al cliente', url }] : []),
    ...(address ? [{ link: 'Escribir a atención al cliente', url: `mailto:${address}` }] : []),
  ]
}

/** Invisible, and in no address; after the sign, because some programs allow it before a dot. */
const BREAK = '\u200b'

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Control and format characters, which could forge lines or turn text around. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}]/gu

/** What mail programs look for: a scheme, an `@`, a dot (IDNA has three more) before a letter. Prices stay as they are. */
const LINK_SIGNS = /(?<=[\p{L}\p{N}]):(?=[^\s\p{N}])|[@＠]|(?<!\p{N})[.。．｡](?=\S)|(?<=\p{N})[.。．｡](?=[^\s\p{N}])/gu
const ADDRESSES = /\d+(?:\.\d+){3,}/g

/** Others' words for a letter: what they say, over several lines, without anything that turns into a link. */
export const plainText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replace(UNSAFE, '')
    .replace(LINK_SIGNS, `$&${BREAK}`)
    .replace(ADDRESSES, (address) => address.replaceAll('.', `.${BREAK}`))
    .trim()

/** The same on one line, for names and subjects. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ')

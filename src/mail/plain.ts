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

import { orUndefined } from '../../memoize.ts'

// Windows-1252 has printable characters where Latin-1 has controls: "Ñ" read wrongly is "Ã‘", whose second half is byte 0x91.
const CP1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const CONTINUATION = `\\u0080-\\u00bf${[...CP1252].filter((character) => character > '\xff').join('')}`
const TWICE_ENCODED = new RegExp(`[\\u00c2-\\u00f4][${CONTINUATION}]{1,3}`, 'g')
const SUSPICIOUS = /[Â-ô][^a-zA-Z\s]/
const MAX_ROUNDS = 3 // encoded wrongly once per system it passed through

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Undoes what transport did to a text: percent and HTML escapes, UTF-8 read as Latin-1 (also several times over). */
export function fixEncoding(text: string): string {
  let fixed = text
  if (fixed.includes('%')) fixed = unescapePercent(fixed)
  if (fixed.includes('&')) fixed = unescapeHtml(fixed)
  if (fixed.includes('\\u')) fixed = fixed.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => codePoint(hex, 16))
  for (let round = 0; round < MAX_ROUNDS && SUSPICIOUS.test(fixed); round++) {
    fixed = fixed.replace(TWICE_ENCODED, decode)
  }
  return fixed
}

function decode(sequence: string): string {
  const bytes = Uint8Array.from(sequence, (character) => {
    const special = character > '\xff' ? CP1252.indexOf(character) : -1
    return special >= 0 ? 0x80 + special : character.charCodeAt(0)
  })
  for (let length = bytes.length; length >= 2; length--) {
    try {
      return utf8.decode(bytes.subarray(0, length)) + sequence.slice(length)
    } catch {
      // not a whole character: the sequence is shorter, or it was no mojibake at all
    }
  }
  return sequence
}

const unescapePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => orUndefined(() => decodeURIComponent(escaped)) ?? escaped)

function unescapeHtml(text: string): string {
  return text
    .replace(/&([a-z])(?:acute|grave|tilde|uml|circ|cedil|caron|ring);/gi, '$1')
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, hex) => codePoint(hex, 16))
    .replace(/&#([0-9]{1,6});/g, (_, digits) => codePoint(digits, 10))
    .replace(/&nbsp;/gi, ' ')
    .replace(/&amp;/gi, '&')
}

function codePoint(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ' '
}

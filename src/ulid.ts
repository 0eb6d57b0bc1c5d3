import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ' // Crockford's base 32
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))))
const TIME_DIGITS = 10 // 48 bits of milliseconds
const DIGITS = 26
const RANDOM_BYTES = 10 // 80 bits

/** An id that sorts by time and cannot be guessed (ULID); 26 digits. */
export function ulid(ms: number, random: Buffer = randomBytes(RANDOM_BYTES)): string {
  // In halves of 40 bits, because numbers are exact to 53.
  return digits(ms, TIME_DIGITS) + digits(random.readUIntBE(0, 5), 8) + digits(random.readUIntBE(5, 5), 8)
}

export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)

export const momentOf = (id: string): Date => new Date(bitsOf(id, 0, TIME_DIGITS))

/** The smallest id of a time: a period is a range of ids. */
export const firstUlid = (moment: Date): string => digits(moment.getTime(), TIME_DIGITS).padEnd(DIGITS, '0')

/** The ids of a period: from the first on, and below the second. */
export interface UlidRange {
  fromSid: string
  untilSid: string
}

export const ulidRange = ({ first, last }: { first: Date; last: Date }): UlidRange => ({
  fromSid: firstUlid(first),
  untilSid: firstUlid(new Date(last.getTime() + 1)),
})

/** Its 128 bits in hexadecimal: the first two digits hold 8 bits, each four after them 20. */
export function ulidHex(id: string): string {
  let text = hex(bitsOf(id, 0, 2) & 0xff, 2)
  for (let at = 2; at < DIGITS; at += 4) text += hex(bitsOf(id, at, 4), 5)
  return text
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

function bitsOf(id: string, from: number, count: number): number {
  let bits = 0
  for (let at = from; at < from + count; at++) bits = bits * 32 + (VALUES[id.charCodeAt(at)] ?? 0)
  return bits
}

function digits(value: number, count: number): string {
  let text = ''
  let rest = value
  for (let at = 0; at < count; at++) {
    text = (ALPHABET[rest % 32] as string) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

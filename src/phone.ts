import { getCountryCallingCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Country } from './config.ts'
import { memoize } from './memoize.ts'

/** A telephone as people write it, understood as one of the market's country unless it has a plus. */
function parsePhone(written: string, country: Country): PhoneNumber | undefined {
  const phone = parsePhoneNumberFromString(written, country)
  if (phone?.isValid()) return phone
  const digits = digitsOf(written).replace(/^00/, '')
  // Mexico dropped the 1 of mobiles in 2019; address books and WhatsApp still show it, and the library refuses it.
  return /^521\d{10}$/.test(digits) ? parsePhone(`+52${digits.slice(3)}`, country) : undefined
}

const digitsOf = (written: string): string => written.replace(/\D/g, '')

/** Parsing is a tenth of a request's work, and apps read the same inquiries again and again. */
const parsed = memoize(
  ({ written, country }: { written: string; country: Country }) => parsePhone(written, country)?.number ?? null,
  ({ written, country }) => `${country} ${written}`,
)

/** `341 555-0199` is `+543415550199` in Argentina; null if it is not understood. */
export const toE164 = (written: string | null, country: Country): string | null =>
  written === null ? null : parsed({ written, country })

/** An Argentine mobile has a 9 after the country, which people leave out: no other telephone has the rest of its number. */
const withoutMobilePrefix = (e164: string): string => e164.replace(/^\+549/, '+54')

/** One key for the ways to write a number; its digits if it is not understood. Null if it has none. */
export function phoneKey(written: string, country: Country): string | null {
  const e164 = toE164(written, country)
  return e164 === null ? digitsOf(written) || null : withoutMobilePrefix(e164)
}

/** `phoneKey`, and the digits of the ways to write the number: inquiries of earlier versions are stored with those. */
export function storedPhoneKeys(written: string, country: Country): string[] {
  const digits = digitsOf(written)
  const e164 = toE164(written, country)
  if (e164 === null) return digits ? [digits] : []
  const key = withoutMobilePrefix(e164)
  const prefix = MOBILE_PREFIXES[key.slice(0, 3)]
  const ways = [key, ...(prefix ? [key.slice(0, 3) + prefix + key.slice(3)] : [])].flatMap((way) =>
    waysToWrite(way, country),
  )
  return [...new Set([key, digits, ...ways])]
}

/** What people write between the country and the number of a mobile. */
const MOBILE_PREFIXES: Record<string, string> = { '+54': '9', '+52': '1' }

/** Without the country only in the market's own: elsewhere these digits are another telephone. */
function waysToWrite(e164: string, country: Country): string[] {
  const international = [digitsOf(e164), `00${digitsOf(e164)}`]
  const phone = parsePhoneNumberFromString(e164)
  if (phone?.countryCallingCode !== getCountryCallingCode(country)) return international
  const national = [phone.nationalNumber, digitsOf(phone.formatNational()).replace(/^0/, '')]
  return [...international, ...national.flatMap((way) => [way, `0${way}`])]
}

/** A number with its country, in the groups that people write it in; another text as it is. */
export const inGroups = (number: string): string => parsePhoneNumberFromString(number)?.formatInternational() ?? number

/** How to call and write to a person: the links of their telephone. */
export interface PhoneLinks {
  tel: string
  /** Undefined if the number is not understood: WhatsApp needs it with its country. */
  whatsapp?: string
}

export function phoneLinks(written: string, country: Country): PhoneLinks {
  const phone = parsePhone(written, country)
  if (!phone) return { tel: `tel:${written.replace(/[^\d+]/g, '')}` }
  return { tel: `tel:${phone.number}`, whatsapp: `https://wa.me/${whatsappNumber(phone)}` }
}

/** In Argentina a mobile has a 9 after the country, which few write and WhatsApp requires. */
function whatsappNumber({ countryCallingCode, nationalNumber }: PhoneNumber): string {
  const isShort = countryCallingCode === '54' && !nationalNumber.startsWith('9')
  return `${countryCallingCode}${isShort ? '9' : ''}${nationalNumber}`
}

const WRITTEN = /^\+?[\d\s().-]{8,20}$/
const MIN_DIGITS = 6

/** What an inquiry takes for a telephone, however it is written. */
export const hasTelephoneDigits = (text: string): boolean => digitsOf(text).length >= MIN_DIGITS

/** A telephone as people write it: 8 to 20 characters, most of them digits. */
export const isTelephone = (text: string): boolean =>
  WRITTEN.test(text) && text.length <= 20 && hasTelephoneDigits(text)

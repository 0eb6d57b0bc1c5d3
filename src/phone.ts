import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Country } from './config.ts'
import { memoize } from './memoize.ts'

/** A telephone as people write it, understood as one of the market's country unless it has a plus. */
function parsePhone(written: string, country: Country): PhoneNumber | undefined {
  const phone = parsePhoneNumberFromString(written, country)
  return phone?.isValid() ? phone : undefined
}

/** Parsing is a tenth of a request's work, and apps read the same inquiries again and again. */
const parsed = memoize(
  ({ written, country }: { written: string; country: Country }) => parsePhone(written, country)?.number ?? null,
  ({ written, country }) => `${country} ${written}`,
)

/** `341 555-0199` is `+543415550199` in Argentina; null if it is not understood. */
export const toE164 = (written: string | null, country: Country): string | null =>
  written === null ? null : parsed({ written, country })

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

/** A telephone as people write it: 8 to 20 characters, most of them digits. */
export const isTelephone = (text: string): boolean =>
  WRITTEN.test(text) && text.length <= 20 && text.replace(/\D/g, '').length >= MIN_DIGITS

import { getOrInsert, memoize } from '../memoize.ts'
import { intlLocale } from './locale.ts'

/** A format of numbers in the language of the request; its `Intl` object is created once for each. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): () => Intl.NumberFormat {
  const formats = new Map<string, Intl.NumberFormat>()
  return () => getOrInsert(formats, intlLocale(), () => new Intl.NumberFormat(intlLocale(), options))
}

/** A format of dates in the language of the request. Their time is that of a wall clock, given as UTC: converting zones is what makes `Intl` slow. */
export function dateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return () =>
    getOrInsert(formats, intlLocale(), () => new Intl.DateTimeFormat(intlLocale(), { ...options, timeZone: 'UTC' }))
}

const FIGURES = numberFormat()

/** A number with its thousands set apart; small ones are quicker without Intl. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : FIGURES().format(value)

const UNITS = new Map<string, () => Intl.NumberFormat>()

/** «1 hora», «3 días» */
export const formatUnit = (value: number, unit: 'day' | 'hour' | 'minute' | 'second'): string =>
  getOrInsert(UNITS, unit, () => numberFormat({ style: 'unit', unit, unitDisplay: 'long' }))().format(value)

/** A time in hours; from two days on, in days. */
export const formatHours = (hours: number): string =>
  hours < 48 ? formatUnit(hours, 'hour') : formatUnit(hours / 24, 'day')

/** A time in minutes; from an hour on in whole hours, from two days on in whole days. */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return formatUnit(minutes, 'minute')
  return formatHours(hours < 48 ? hours : hours - (hours % 24))
}

const LISTS = new Map<string, Intl.ListFormat>()

/** «a, b y c»; as a disjunction, «a, b o c». */
export const formatList = (items: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  getOrInsert(LISTS, `${intlLocale()} ${type}`, () => new Intl.ListFormat(intlLocale(), { type })).format(items)

/** Partners may send any three letters as a currency, so that there could be 100,000 formats. */
const MAX_MONEY_FORMATS = 100

const moneyFormat = memoize(
  ({ currency, fractions }: { currency: string; fractions: number }) =>
    new Intl.NumberFormat(intlLocale(), {
      style: 'currency',
      currency,
      minimumFractionDigits: fractions,
      maximumFractionDigits: 2,
    }),
  ({ currency, fractions }) => `${intlLocale()} ${currency} ${fractions}`,
  MAX_MONEY_FORMATS,
)

/** «$ 18.500.000», «US$ 12.000» */
export const formatMoney = ({ Moneda, Importe }: { Moneda: string; Importe: number }): string =>
  moneyFormat({ currency: Moneda, fractions: Number.isInteger(Importe) ? 0 : 2 }).format(Importe)

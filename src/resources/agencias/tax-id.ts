import { type Fault, fault } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'

/** The tax number of a country: what people call it, and whether its check digit is right. */
interface TaxId {
  label: string
  /** One that is valid. */
  example: string
  /** Left out where the rule is not public or has exceptions: then any text is accepted. */
  isValid?(text: string): boolean
}

/** The sum of the digits by their weights, modulo 11. */
const modulo11 = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11

/** The groups of a number that matches its form; undefined for another text. */
const groups = (form: RegExp, text: string): string[] | undefined => form.exec(text)?.slice(1)

/** Checks numbers of a form whose last digit is computed from the weighted sum of the others, modulo 11. */
const checkedBy =
  (form: RegExp, weights: readonly number[], digitOf: (rest: number) => number) =>
  (text: string): boolean => {
    const parts = groups(form, text) ?? []
    const check = parts.pop()
    return check !== undefined && digitOf(modulo11(parts.join(''), weights)) === Number(check)
  }

const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
/** 10 means that the number is not issued. */
const cuitDigit = (rest: number): number => (11 - rest) % 11

/** Argentina: eleven digits, with or without hyphens. */
export const isCuit = checkedBy(/^(\d{2})-?(\d{8})-?(\d)$/, CUIT_WEIGHTS, cuitDigit)

/** The CUIT of that kind with that number, or the next that is issued. */
export function cuitOf(kind: string, number: number): string {
  const digits = String(number).padStart(8, '0')
  const check = cuitDigit(modulo11(kind + digits, CUIT_WEIGHTS))
  return check === 10 ? cuitOf(kind, number + 1) : `${kind}-${digits}-${check}`
}

/** Chile: up to eight digits, with or without points, a hyphen, and a digit or K. */
function isChileanRut(text: string): boolean {
  const [number, check] = groups(/^(\d{1,2}(?:\.?\d{3}){2})-?([\dkK])$/, text) ?? []
  if (!number || !check) return false
  const reversed = number.replaceAll('.', '').split('').reverse()
  const sum = reversed.reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0)
  return '0K987654321'[sum % 11] === check.toUpperCase()
}

const RFC_CHARACTERS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Mexico: four letters of a person or three of a company, six digits of a date, two characters, and a check digit or A. */
function isRfc(text: string): boolean {
  const rfc = text.toUpperCase().replace(/[\s-]/g, '')
  if (!/^[A-ZÑ&]{3,4}\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])[A-Z\d]{2}[\dA]$/.test(rfc)) return false
  const twelve = rfc.slice(0, -1).padStart(12, ' ')
  const sum = [...twelve].reduce((total, char, at) => total + RFC_CHARACTERS.indexOf(char) * (13 - at), 0)
  return '0A987654321'[sum % 11] === rfc.at(-1)
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** Brazil: twelve characters, since July 2026 letters too (Receita Federal, IN 2.229), and two check digits. */
function isCnpj(text: string): boolean {
  const cnpj = text.toUpperCase().replace(/[./-]/g, '')
  if (!/^[A-Z\d]{12}\d{2}$/.test(cnpj) || /^0+$/.test(cnpj)) return false
  const check = (characters: string) => {
    const weights = CNPJ_WEIGHTS.slice(-characters.length)
    const sum = weights.reduce((total, weight, at) => total + weight * (characters.charCodeAt(at) - 48), 0)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const first = check(cnpj.slice(0, 12))
  return cnpj.slice(12) === `${first}${check(cnpj.slice(0, 12) + first)}`
}

/** Uruguay: twelve digits. */
const isUruguayanRut = checkedBy(/^(\d{11})-?(\d)$/, [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], cuitDigit)

const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43]

/** Colombia: up to ten digits and a check digit, which many leave out. Without a hyphen only an eleventh digit is certainly one. */
function isNit(text: string): boolean {
  const nit = text.replace(/[.\s]/g, '')
  const [number, check] = groups(/^(\d{6,10})(?:-(\d))?$/, nit) ?? groups(/^(\d{10})(\d)$/, nit) ?? []
  if (!number || check === undefined) return number !== undefined
  const reversed = [...number].reverse().join('')
  const rest = modulo11(reversed, NIT_WEIGHTS.slice(0, number.length))
  return (rest < 2 ? rest : 11 - rest) === Number(check)
}

/** Peru: eleven digits that begin with the kind of taxpayer. */
const isPeruvianRuc = checkedBy(/^((?:10|15|16|17|20)\d{8})(\d)$/, CUIT_WEIGHTS, (rest) => (11 - rest) % 10)

const TAX_IDS: Readonly<Record<string, TaxId>> = {
  AR: { label: 'CUIT', example: '30-50001091-2', isValid: isCuit },
  BO: { label: 'NIT', example: '1020703023' },
  BR: { label: 'CNPJ', example: '11.222.333/0001-81', isValid: isCnpj },
  CL: { label: 'RUT', example: '76.086.428-5', isValid: isChileanRut },
  CO: { label: 'NIT', example: '800197268-4', isValid: isNit },
  CR: { label: 'Cédula jurídica', example: '3-101-123456' },
  DO: { label: 'RNC', example: '101-00157-7' },
  EC: { label: 'RUC', example: '1790011674001' },
  GT: { label: 'NIT', example: '1234567-8' },
  HN: { label: 'RTN', example: '08019999123456' },
  MX: { label: 'RFC', example: 'SAT970701NN3', isValid: isRfc },
  NI: { label: 'RUC', example: 'J0310000000000' },
  PA: { label: 'RUC', example: '155596713-2-2015' },
  PE: { label: 'RUC', example: '20131312955', isValid: isPeruvianRuc },
  PY: { label: 'RUC', example: '80000519-8' },
  SV: { label: 'NIT', example: '0614-010190-101-1' },
  UY: { label: 'RUT', example: '211003420017', isValid: (text) => isUruguayanRut(text.replaceAll(' ', '')) },
  VE: { label: 'RIF', example: 'J-00002950-4' },
}

export const taxIdOf = (country: string): TaxId | undefined => TAX_IDS[country]

/** True for a number that the country's rule accepts, or where we know none. */
export const isTaxId = (country: string, text: string): boolean => TAX_IDS[country]?.isValid?.(text) ?? true

export function taxIdFault(country: string): Fault {
  const { label = '', example = '' } = TAX_IDS[country] ?? {}
  return fault('formato', t('comun.taxId.fault', { label, example }))
}

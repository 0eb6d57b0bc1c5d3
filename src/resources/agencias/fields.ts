const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/** The eleventh digit, which checks the other ten; 10 means that the number is not issued. */
function checkDigit(ten: string): number {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(ten[at]), 0)
  return (11 - (sum % 11)) % 11
}

/** Whether a text is a valid Argentine CUIT, with or without hyphens. */
export function isCuit(text: string): boolean {
  const [, kind = '', number = '', check = ''] = /^(\d{2})-?(\d{8})-?(\d)$/.exec(text) ?? []
  return kind !== '' && checkDigit(kind + number) === Number(check)
}

/** The CUIT of that kind with that number, or the next that is issued. */
export function cuitOf(kind: string, number: number): string {
  const digits = String(number).padStart(8, '0')
  const check = checkDigit(kind + digits)
  return check === 10 ? cuitOf(kind, number + 1) : `${kind}-${digits}-${check}`
}

const FORM = /^\+?[\d\s().-]{8,20}$/
const MIN_DIGITS = 6

/** A telephone as people write it: 8 to 20 characters, most of them digits. */
export const isTelephone = (text: string): boolean =>
  FORM.test(text) && text.length <= 20 && text.replace(/\D/g, '').length >= MIN_DIGITS

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/** The eleventh digit, which checks the other ten; 10 where there is none, because such numbers are not given. */
function checkDigit(ten: string): number {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(ten[at]), 0)
  return (11 - (sum % 11)) % 11
}

/** Whether an Argentine CUIT is one: eleven digits, with or without hyphens. */
export function isCuit(text: string): boolean {
  const [, kind = '', number = '', check = ''] = /^(\d{2})-?(\d{8})-?(\d)$/.exec(text) ?? []
  return kind !== '' && checkDigit(kind + number) === Number(check)
}

/** The CUIT of that kind with that number, or with the next one that has any. */
export function cuitOf(kind: string, number: number): string {
  const digits = String(number).padStart(8, '0')
  const check = checkDigit(kind + digits)
  return check === 10 ? cuitOf(kind, number + 1) : `${kind}-${digits}-${check}`
}

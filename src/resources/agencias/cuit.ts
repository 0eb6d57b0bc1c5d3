const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/** Whether an Argentine CUIT is one: eleven digits, with or without hyphens, the last of which checks the others. */
export function isCuit(text: string): boolean {
  const digits = /^(\d{2})-?(\d{8})-?(\d)$/.exec(text)?.slice(1).join('')
  if (!digits) return false
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return (11 - (sum % 11)) % 11 === Number(digits[10]) // a remainder that would be 10 has no digit: such numbers are not given
}

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

const FORM = /^\+?[\d\s().-]{8,20}$/
const FEWEST_DIGITS = 6

/** A telephone as people write it: 8 to 20 characters, most of them digits. */
export const isTelephone = (text: string): boolean =>
  FORM.test(text) && text.length <= 20 && text.replace(/\D/g, '').length >= FEWEST_DIGITS

/** What each datum of an agency is called by the people whose it is; partners know it by the names of the interface. */
const WORDS: Record<string, string> = {
  Nombre: 'Nombre',
  RazonSocial: 'Razón social',
  IdFiscal: 'Identificación fiscal',
  Telefono: 'Teléfono',
  WhatsApp: 'WhatsApp',
  SitioWeb: 'Sitio web',
  Region: 'Provincia o región',
  Ciudad: 'Ciudad',
  Direccion: 'Dirección',
  CodigoPostal: 'Código postal',
  AdminMail: 'Correo del administrador',
  Operadores: 'Colaboradores',
  Sucursal: 'Sucursal',
}

/** The name of a changed datum (`Change.campo`) for letters and pages. */
export function formatCampo(campo: string, country: string): string {
  if (campo === 'IdFiscal' && country === 'AR') return 'CUIT'
  const [, person] = /^Operador (.+)$/.exec(campo) ?? []
  return person ? `Cómo se presenta ${person}` : (WORDS[campo] ?? campo)
}

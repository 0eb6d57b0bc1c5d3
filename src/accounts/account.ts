/** A person who signs in. One mail is one account in each mode, so that nothing done in test tells of production. */
export interface Account {
  id: number
  modo: 'produccion' | 'prueba'
  email: string
  nombre: string
  apellido: string
  /** Sessions carry it: raising it ends them all at once. */
  version: number
  /** False until the person has chosen a password: somebody invited them, and they have not come yet. */
  hasPassword: boolean
  /** Whether the person belongs to the marketplace's staff, which sees everything. */
  staff: boolean
  /** Whether the person works on some partner's app. */
  develops: boolean
}

/** How a person is called on pages and in letters. */
export const fullName = ({ nombre, apellido, email }: Pick<Account, 'nombre' | 'apellido' | 'email'>): string =>
  [nombre, apellido].filter(Boolean).join(' ') || email

/** RFC 5321, 4.5.3.1.3, without the brackets. */
export const MAIL_CHARACTERS = 254
const MAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/

/** Whether a letter can be written to it: an address in small letters, as accounts are kept under. */
export const isMailAddress = (text: string, most = MAIL_CHARACTERS): boolean => text.length <= most && MAIL.test(text)

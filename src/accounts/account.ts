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

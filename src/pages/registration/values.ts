import type { Catalogue } from '../../catalogue/load.ts'
import type { Errors } from '../../http/problems.ts'
import type { Invitacion } from '../../resources/agencias/agencia.ts'
import { line, secret } from '../form.ts'
import { withChosen } from '../places/values.ts'

/** The fields that are shown again, in the order of the page. The password never is. */
const SHOWN = ['Nombre', 'Telefono', 'Region', 'Ciudad', 'AdminNombre', 'AdminApellido'] as const

export type FormValues = Record<(typeof SHOWN)[number], string>

/** What the inviting app already said. */
export const prefilled = (invitacion: Invitacion): FormValues => ({
  Nombre: invitacion.nombre ?? '',
  Telefono: invitacion.telefono ?? '',
  Region: invitacion.region ?? '',
  Ciudad: invitacion.ciudad ?? '',
  AdminNombre: invitacion.adminNombre ?? '',
  AdminApellido: invitacion.adminApellido ?? '',
})

/** What was posted; a candidate that was chosen brings its region with it. */
export function posted(form: URLSearchParams, catalogue: Catalogue): FormValues & { Clave: string } {
  const values = Object.fromEntries(SHOWN.map((name) => [name, line(form, name)])) as FormValues
  return { ...withChosen(values, catalogue), Clave: secret(form) }
}

/** Faults in the order of the page, so that the first one is the first that a reader meets. */
export function inOrder(errors: Errors): Errors {
  const order = ['_', ...SHOWN, 'Clave'] as string[]
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b)))
}

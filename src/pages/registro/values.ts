import type { Catalogue } from '../../catalogue/load.ts'
import type { Errors } from '../../http/problems.ts'
import type { Invitacion } from '../../resources/agencias/agencia.ts'
import { faultsInOrder, linesOf, secret } from '../form.ts'
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
  return { ...withChosen(linesOf(form, SHOWN), catalogue), Clave: secret(form) }
}

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, [...SHOWN, 'Clave'])

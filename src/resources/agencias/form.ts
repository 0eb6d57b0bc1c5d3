import type { Account } from '../../accounts/account.ts'
import { passwordFault } from '../../accounts/password.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Errors } from '../../http/problems.ts'
import { askPlace, isFault, type Place } from './place.ts'
import { isTelephone } from './telephone.ts'
import { tidy } from './tidy.ts'

/** The fields of the registration page, as they are posted. */
export interface RegistrationForm {
  Nombre?: string | undefined
  AdminNombre?: string | undefined
  AdminApellido?: string | undefined
  Telefono?: string | undefined
  Region?: string | undefined
  Ciudad?: string | undefined
  Clave?: string | undefined
}

export interface Registration {
  nombre: string
  adminNombre: string
  adminApellido: string
  telefono: string | null
  place: Place
  clave: string
}

const LONGEST = { Nombre: 120, AdminNombre: 50, AdminApellido: 50 } as const // characters, as in AgenciaCreate

/** Reads the form; every fault at once, by field. A person who has signed in chooses no password. */
export function readForm(
  matcher: Matcher,
  form: RegistrationForm,
  adminMail: string,
  account: Account | undefined,
): Registration | { errors: Errors; candidates: unknown[] } {
  const errors: Errors = {}
  const required = (name: keyof typeof LONGEST): string => {
    const value = tidy(form[name])
    if (!value) errors[name] = ['Falta este dato.']
    else if ([...value].length > LONGEST[name]) errors[name] = [`Puede tener hasta ${LONGEST[name]} caracteres.`]
    return value ?? ''
  }
  const nombre = required('Nombre')
  const adminNombre = account?.nombre || required('AdminNombre')
  const adminApellido = account?.apellido || required('AdminApellido')
  const telefono = tidy(form.Telefono)
  if (telefono && !isTelephone(telefono))
    errors.Telefono = ['Escriba el teléfono con su código de área: de 8 a 20 cifras y signos.']
  const clave = form.Clave ?? ''
  const weakness = account ? undefined : passwordFault(clave, adminMail)
  if (weakness) errors.Clave = [weakness]

  const place = askPlace(matcher, form)
  if (isFault(place)) return { errors: { ...errors, ...place.errors }, candidates: place.candidates }
  if (Object.keys(errors).length > 0) return { errors, candidates: [] }
  return { nombre, adminNombre, adminApellido, telefono, place, clave }
}

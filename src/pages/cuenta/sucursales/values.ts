import type { Catalogue } from '../../../catalogue/load.ts'
import type { Errors } from '../../../http/problems.ts'
import { DIAS, type Sucursal, type SucursalUpsert } from '../../../resources/sucursales/sucursal.ts'
import { faultsInOrder, linesOf } from '../../form.ts'
import { withChosen } from '../../places/values.ts'
import { plainNumber } from '../contact.ts'
import { type HoursValues, hoursBody, hoursIn, presentHours } from './hours-values.ts'

/** The fields of the form, in the order of the page: those of `SucursalUpsert`, the hours apart. */
const FIELDS = ['Nombre', 'Telefono', 'WhatsApp', 'Email', 'Region', 'Ciudad', 'Direccion', 'CodigoPostal'] as const

export type BranchValues = Record<(typeof FIELDS)[number], string> & { hours: HoursValues }

/** What is known of a place; of a new one, where the agency is. */
export const present = (place: Partial<Sucursal> & Pick<Sucursal, 'region' | 'ciudad'>): BranchValues => ({
  Nombre: place.nombre ?? '',
  Telefono: place.telefono ?? '',
  WhatsApp: place.whatsapp ?? '',
  Email: place.email ?? '',
  Region: place.region ?? '',
  Ciudad: place.ciudad ?? '',
  Direccion: place.direccion ?? '',
  CodigoPostal: place.codigoPostal ?? '',
  hours: presentHours(place.horarios ?? null),
})

export const posted = (form: URLSearchParams, catalogue: Catalogue): BranchValues =>
  withChosen({ ...linesOf(form, FIELDS), hours: hoursIn(form) }, catalogue)

/** The form as `SucursalUpsert`: blank is null. Half a shift is in `errors`. */
export function bodyOf(values: BranchValues): { body: SucursalUpsert; errors: Errors } {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp) }
  const { horarios, errors } = hoursBody(values.hours)
  const texts = Object.fromEntries(FIELDS.map((name) => [name, given[name] || null]))
  return { body: { ...texts, Nombre: given.Nombre, Horarios: horarios }, errors }
}

/** Faults in the order of the page, the hours last; those of one time are its day's. */
export function inOrder(errors: Errors): Errors {
  const ofDays = Object.entries(errors).map(([name, messages]) => {
    const [, day] = /^(Horarios\.\w+)\[/.exec(name) ?? []
    return day ? ([day, ['Ponga horas del día, como 09:00.']] as const) : ([name, messages] as const)
  })
  return faultsInOrder(Object.fromEntries(ofDays), [...FIELDS, ...DIAS.map((dia) => `Horarios.${dia}`)])
}

import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Errors } from '../../http/problems.ts'
import type { Invitacion } from '../../resources/agencias/agencia.ts'
import { line, secret } from '../form.ts'

/** The fields that are shown again, in the order of the page. The password never is. */
const SHOWN = ['Nombre', 'Telefono', 'Region', 'Ciudad', 'AdminNombre', 'AdminApellido'] as const

export type FormValues = Record<(typeof SHOWN)[number], string>

/** A city that may be meant: a reference, as bestmatch gives it. */
export interface Candidate {
  href: string
  title: string
}

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
export function posted(form: URLSearchParams, { ciudades }: Catalogue): FormValues & { Clave: string } {
  const values = Object.fromEntries(SHOWN.map((name) => [name, line(form, name)])) as FormValues
  const chosen = chosenCity(values.Ciudad, ciudades)
  return { ...values, ...(chosen && { Region: chosen.region.nombre }), Clave: secret(form) }
}

/** What was posted as it is shown again: names instead of references, the region as the list spells it. */
export function shownAgain(values: FormValues, { ciudades }: Catalogue, matcher: Matcher): FormValues {
  const region = matcher.region(values.Region)
  return {
    ...values,
    Region: region.kind === 'match' ? region.entry.nombre : '',
    Ciudad: chosenCity(values.Ciudad, ciudades)?.nombre ?? values.Ciudad,
  }
}

function chosenCity(written: string, ciudades: readonly Ciudad[]): Ciudad | undefined {
  const id = Number(/^\/v3\/ciudades\/(\d{1,10})$/.exec(written)?.[1])
  return Number.isNaN(id) ? undefined : ciudades.find((city) => city.id === id)
}

/** What bestmatch tells a program, told to a person. */
export function forPeople(errors: Errors, { Region, Ciudad }: FormValues, candidates: readonly Candidate[]): Errors {
  const near = candidates.length > 0 ? 'Elija una de las de abajo' : 'Revise cómo se escribe'
  return {
    ...errors,
    ...(errors.Ciudad && {
      Ciudad: [`No encontramos «${Ciudad}» en ${Region || 'esa provincia'}. ${near}, o ponga la ciudad más cercana.`],
    }),
    ...(errors.Region && {
      Region: [
        Ciudad && !Region ? 'Elija también la provincia: hay ciudades con el mismo nombre.' : 'Elíjala de la lista.',
      ],
    }),
  }
}

/** Faults in the order of the page, so that the first one is the first that a reader meets. */
export function inOrder(errors: Errors): Errors {
  const order = ['_', ...SHOWN, 'Clave'] as string[]
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b)))
}

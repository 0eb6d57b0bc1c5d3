import type { Errors } from '../../../http/problems.ts'
import { DIAS, type Dia, type Horarios, type Turno } from '../../../resources/sucursales/sucursal.ts'
import { line } from '../../form.ts'

/** The shifts of each day as their fields have them, blank ones included. */
export type HoursValues = Record<Dia, Turno[]>

const FEWEST_SHIFTS = 2 // that the form offers: before and after lunch
const MOST_SHIFTS = 4
const END_OF_DAY = '24:00'
const BLANK: Turno = { Desde: '', Hasta: '' }

export const shiftName = (dia: Dia, shift: number, end: keyof Turno): string => `${dia}.${shift + 1}.${end}`

/** A day's end is midnight, which a field for a time of the day calls the beginning of the next. */
const shown = ({ Desde, Hasta }: Turno): Turno => ({ Desde, Hasta: Hasta === END_OF_DAY ? '00:00' : Hasta })

/** Every day has as many fields as the day with the most. */
export function presentHours(horarios: Horarios | null): HoursValues {
  const most = Math.max(FEWEST_SHIFTS, ...DIAS.map((dia) => horarios?.[dia].length ?? 0))
  return perDay((dia) => Array.from({ length: most }, (_, at) => shown(horarios?.[dia][at] ?? BLANK)))
}

export function hoursIn(form: URLSearchParams): HoursValues {
  const used = (at: number) => DIAS.some((dia) => form.has(shiftName(dia, at, 'Desde')))
  const shifts = Array.from({ length: MOST_SHIFTS }, (_, at) => at).filter((at) => at < FEWEST_SHIFTS || used(at))
  return perDay((dia) =>
    shifts.map((at) => ({
      Desde: line(form, shiftName(dia, at, 'Desde')),
      Hasta: line(form, shiftName(dia, at, 'Hasta')),
    })),
  )
}

/** The opening hours of the form; null where there are none. Half a shift is an error of its day. */
export function hoursBody(values: HoursValues): { horarios: Horarios | null; errors: Errors } {
  const errors: Errors = {}
  const horarios = perDay((dia) => {
    const begun = values[dia].filter(({ Desde, Hasta }) => Desde || Hasta)
    const half = begun.find(({ Desde, Hasta }) => !Desde || !Hasta)
    if (half) errors[`Horarios.${dia}`] = [half.Desde ? 'Falta la hora en que cierra.' : 'Falta la hora en que abre.']
    return half ? [] : begun.map(({ Desde, Hasta }) => ({ Desde, Hasta: Hasta === '00:00' ? END_OF_DAY : Hasta }))
  })
  return { horarios: DIAS.some((dia) => horarios[dia].length > 0) ? horarios : null, errors }
}

const LIKE_MONDAY: readonly Dia[] = ['Martes', 'Miercoles', 'Jueves', 'Viernes']

/** Monday's hours on every working day: most places have the same, and nobody likes to type them five times. */
export const likeMonday = (values: HoursValues): HoursValues =>
  perDay((dia) => (LIKE_MONDAY.includes(dia) ? values.Lunes : values[dia]))

const perDay = (shifts: (dia: Dia) => Turno[]): HoursValues =>
  Object.fromEntries(DIAS.map((dia) => [dia, shifts(dia)])) as HoursValues

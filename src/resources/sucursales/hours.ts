import type { Errors } from '../../http/problems.ts'

export const DIAS = ['Lunes', 'Martes', 'Miercoles', 'Jueves', 'Viernes', 'Sabado', 'Domingo', 'Feriados'] as const
export type Dia = (typeof DIAS)[number]

/** From one time of the day to another, as `HH:MM`; `24:00` is the end of it. */
export interface Turno {
  Desde: string
  Hasta: string
}

/** When a place is open; a day without any is closed. */
export type Horarios = Record<Dia, Turno[]>

/** As written, every day named and each in its order. */
export const tidyHours = (given: Partial<Record<Dia, Turno[] | null>>): Horarios =>
  Object.fromEntries(
    DIAS.map((dia) => [
      dia,
      (given[dia] ?? [])
        .map(({ Desde, Hasta }) => ({ Desde, Hasta }))
        .sort((a, b) => (a.Desde < b.Desde ? -1 : a.Desde > b.Desde ? 1 : 0)),
    ]),
  ) as Horarios

/** What cannot be: closing before opening, or two at once. Times of one form compare as they sort. */
export function hoursFaults(horarios: Horarios): Errors {
  const errors: Errors = {}
  for (const dia of DIAS) {
    const turnos = horarios[dia]
    const backwards = turnos.find(({ Desde, Hasta }) => Desde >= Hasta)
    const overlapping = turnos.find(({ Desde }, at) => at > 0 && Desde < (turnos[at - 1]?.Hasta ?? ''))
    if (backwards) errors[`Horarios.${dia}`] = [backwardsReason(backwards)]
    else if (overlapping)
      errors[`Horarios.${dia}`] = [`El turno de las ${overlapping.Desde} empieza antes de que termine otro.`]
  }
  return errors
}

const backwardsReason = ({ Desde, Hasta }: Turno): string =>
  Desde === Hasta
    ? `Abre y cierra a las ${Desde}: si no cierra en todo el día, envíe de 00:00 a 24:00.`
    : `Cierra a las ${Hasta}, antes de abrir a las ${Desde}.`

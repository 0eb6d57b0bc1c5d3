import { useContext } from 'preact/hooks'
import type { Errors } from '../../../http/problems.ts'
import { formatList } from '../../../i18n/format.ts'
import { t } from '../../../i18n/messages.tsx'
import { DIAS, type Dia, type Horarios, MAX_SHIFTS, type Turno } from '../../../resources/sucursales/sucursal.ts'
import { FieldFault, FormContext, fieldId, type StoredValues } from '../../fields.tsx'
import { textField } from '../../form.ts'

/** The shifts of each day as their fields have them, blank ones included. */
export type HoursValues = Record<Dia, Turno[]>

const MIN_SHIFTS = 2 // that the form offers: before and after lunch
const END_OF_DAY = '24:00'
const BLANK: Turno = { Desde: '', Hasta: '' }

const shiftName = (dia: Dia, shift: number, end: keyof Turno): string => `${dia}.${shift + 1}.${end}`

/** The end of a day is 24:00, which a time field can only show as 00:00. */
const shown = ({ Desde, Hasta }: Turno): Turno => ({ Desde, Hasta: Hasta === END_OF_DAY ? '00:00' : Hasta })

/** Every day has as many fields as the day with the most. */
export function presentHours(horarios: Horarios | null): HoursValues {
  const most = Math.max(MIN_SHIFTS, ...DIAS.map((dia) => horarios?.[dia].length ?? 0))
  return perDay((dia) => Array.from({ length: most }, (_, at) => shown(horarios?.[dia][at] ?? BLANK)))
}

export function hoursIn(form: URLSearchParams): HoursValues {
  const used = (at: number) => DIAS.some((dia) => form.has(shiftName(dia, at, 'Desde')))
  const shifts = Array.from({ length: MAX_SHIFTS }, (_, at) => at).filter((at) => at < MIN_SHIFTS || used(at))
  return perDay((dia) =>
    shifts.map((at) => ({
      Desde: textField(form, shiftName(dia, at, 'Desde')),
      Hasta: textField(form, shiftName(dia, at, 'Hasta')),
    })),
  )
}

/** The opening hours of the form; null where there are none. Half a shift is an error of its day. */
export function hoursBody(values: HoursValues): { horarios: Horarios | null; errors: Errors } {
  const errors: Errors = {}
  const horarios = perDay((dia) => {
    const begun = values[dia].filter(({ Desde, Hasta }) => Desde || Hasta)
    const half = begun.find(({ Desde, Hasta }) => !Desde || !Hasta)
    if (half) errors[hoursName(dia)] = [t(half.Desde ? 'cuenta.hours.noEnd' : 'cuenta.hours.noStart')]
    return half ? [] : begun.map(({ Desde, Hasta }) => ({ Desde, Hasta: Hasta === '00:00' ? END_OF_DAY : Hasta }))
  })
  return { horarios: DIAS.some((dia) => horarios[dia].length > 0) ? horarios : null, errors }
}

const hoursName = (dia: Dia): string => `Horarios.${dia}`

/** The stored hours of each day that differ from the form. */
export function changedHours(typed: Horarios | null, now: Horarios | null): StoredValues {
  const hoursOf = (horarios: Horarios | null, dia: Dia) =>
    horarios ? formatShifts(horarios[dia]) : t('comun.form.empty')
  const changed = DIAS.filter((dia) => hoursOf(typed, dia) !== hoursOf(now, dia))
  return Object.fromEntries(changed.map((dia) => [hoursName(dia), hoursOf(now, dia)]))
}

const LIKE_MONDAY: readonly Dia[] = ['Martes', 'Miercoles', 'Jueves', 'Viernes']

/** Copies Monday's hours to the other working days. */
export const likeMonday = (values: HoursValues): HoursValues =>
  perDay((dia) => (LIKE_MONDAY.includes(dia) ? values.Lunes : values[dia]))

const perDay = (shifts: (dia: Dia) => Turno[]): HoursValues =>
  Object.fromEntries(DIAS.map((dia) => [dia, shifts(dia)])) as HoursValues

export const formatDia = (dia: Dia): string => t(`cuenta.day.${dia}`)

/** A row for each day, a pair of times for each shift. */
export const HoursFields = ({ hours }: { hours: HoursValues }) => (
  <fieldset>
    <legend>{t('cuenta.hours.title')}</legend>
    <p class="hint">{t('cuenta.hours.hint')}</p>
    <div class="hours">
      {DIAS.map((dia) => (
        <Day key={dia} dia={dia} shifts={hours[dia]} />
      ))}
    </div>
  </fieldset>
)

function Day({ dia, shifts }: { dia: Dia; shifts: Turno[] }) {
  const key = hoursName(dia)
  const { errors, now } = useContext(FormContext)
  const [fault, stored] = [errors?.[key], now?.[key]]
  const id = fieldId(key)
  const by = fault ? `${id}-error` : stored && `${id}-ayuda`
  return (
    <div class="day">
      <strong aria-hidden="true">{formatDia(dia)}</strong>
      {shifts.map((shift, at) => (
        <span key={shiftName(dia, at, 'Desde')} class="shift">
          {(['Desde', 'Hasta'] as const).map((end) => {
            const name = shiftName(dia, at, end)
            const first = at === 0 && end === 'Desde'
            return (
              <>
                {end === 'Hasta' && <span aria-hidden="true">{t('cuenta.hours.between')}</span>}
                <label class="visually-hidden" for={first ? id : fieldId(name)}>
                  {t(`cuenta.hours.${end}`, { day: formatDia(dia), shift: at + 1 })}
                </label>
                <input
                  type="time"
                  id={first ? id : fieldId(name)}
                  name={name}
                  value={shift[end]}
                  aria-invalid={fault ? 'true' : undefined}
                  aria-describedby={by}
                />
              </>
            )
          })}
        </span>
      ))}
      {stored && (
        <p class="hint" id={`${id}-ayuda`}>
          <strong>{t('comun.form.now', { value: stored })}</strong>
        </p>
      )}
      <FieldFault name={key} />
    </div>
  )
}

/** Opening hours, with equal days together: «Lunes a viernes: 9:00 a 13:00 y 16:00 a 20:00». */
export function OpeningHours({ horarios }: { horarios: Horarios | null }) {
  if (!horarios) return null
  const groups: { first: Dia; last: Dia; hours: string }[] = []
  for (const dia of DIAS) {
    const hours = formatShifts(horarios[dia])
    const group = groups.at(-1)
    if (group && group.hours === hours && dia !== 'Feriados') group.last = dia
    else groups.push({ first: dia, last: dia, hours })
  }
  return (
    <ul class="plain-list">
      {groups.map(({ first, last, hours }) => (
        <li key={first}>
          {first === last
            ? t('cuenta.hours.day', { day: formatDia(first), hours })
            : t('cuenta.hours.days', { first: formatDia(first), last: t(`cuenta.lastDay.${last}`), hours })}
        </li>
      ))}
    </ul>
  )
}

const formatShifts = (shifts: Turno[]): string =>
  formatList(
    shifts.map(({ Desde, Hasta }) => t('cuenta.hours.range', { from: plain(Desde), to: plain(Hasta) })),
    'conjunction',
  ) || t('cuenta.hours.closed')

/** 09:00 as 9:00. */
const plain = (time: string): string => time.replace(/^0(?=\d)/, '')

import type { ComponentChildren } from 'preact'
import type { Period } from '../apps/usage-store.ts'
import { shortDay, shortTime } from './format.tsx'
import { Bars } from './plot.tsx'

export type Step = 'hour' | 'day'

/** How hours or days are called: alone, and below a bar, where there is little room. */
function namesOf(periods: readonly Period[], step: Step, timeZone: string) {
  const days = periods.map(({ desde }) => shortDay(desde, timeZone))
  if (step === 'day') return { labels: days }
  const marks = periods.map(({ desde }) => shortTime(desde, timeZone))
  return { labels: days.map((day, at) => `${day}, ${marks[at]}`), marks }
}

interface PlotsProps {
  periods: readonly Period[]
  step: Step
  timeZone: string
}

/** Requests by outcome, and deliveries. */
export function UsagePlots({ periods, step, timeZone }: PlotsProps) {
  const names = namesOf(periods, step, timeZone)
  const each = (count: (period: Period) => number) => periods.map(count)
  const by = step === 'hour' ? 'por hora' : 'por día'
  return (
    <div class="plots">
      <Bars
        title={`Solicitudes ${by}`}
        {...names}
        series={[
          {
            label: 'respondidas',
            tone: 'accent',
            values: each(
              ({ solicitudes, sin_cambios, errores, limitadas, fallas }) =>
                solicitudes - sin_cambios - errores - limitadas - fallas,
            ),
          },
          { label: 'sin cambios', tone: 'blue', values: each(({ sin_cambios }) => sin_cambios) },
          { label: 'con error', tone: 'amber', values: each(({ errores }) => errores) },
          {
            label: 'sobre el límite o fallidas',
            tone: 'red',
            values: each(({ limitadas, fallas }) => limitadas + fallas),
          },
        ]}
      />
      <Bars
        title={`Entregas ${by}`}
        {...names}
        series={[
          { label: 'entregadas', tone: 'accent', values: each(({ entregadas }) => entregadas) },
          { label: 'intentos fallidos', tone: 'red', values: each(({ intentos_fallidos }) => intentos_fallidos) },
        ]}
      />
    </div>
  )
}

/** The counts of several hours or days together. */
export function sumOf(periods: readonly Period[]): Omit<Period, 'desde'> {
  const sum = {
    solicitudes: 0,
    sin_cambios: 0,
    errores: 0,
    limitadas: 0,
    fallas: 0,
    entregadas: 0,
    intentos_fallidos: 0,
    abandonadas: 0,
  }
  for (const period of periods) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += period[name]
  return sum
}

interface StatProps {
  label: string
  value: ComponentChildren
  /** The page with the details. */
  href?: string | undefined
  /** What it means, or what to do. */
  hint?: ComponentChildren
}

/** One figure with its label. */
export const Stat = ({ label, value, href, hint }: StatProps) => (
  <li class="tile">
    <strong>{value}</strong>
    {href ? <a href={href}>{label}</a> : label}
    {hint && <span class="hint">{hint}</span>}
  </li>
)

export const Stats = ({ children }: { children: ComponentChildren }) => <ul class="tiles">{children}</ul>

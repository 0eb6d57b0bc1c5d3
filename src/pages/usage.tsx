import type { ComponentChildren } from 'preact'
import type { UsageBucket } from '../apps/usage-store.ts'
import { t } from '../i18n/messages.tsx'
import { formatNumber, shortDay, shortTime } from './format.tsx'
import { Bars, type Series } from './plot.tsx'

export type Step = 'hour' | 'day'

/** How hours or days are called: alone, and below a bar, where there is little room. */
function namesOf(periods: readonly UsageBucket[], step: Step, timeZone: string) {
  const days = periods.map(({ desde }) => shortDay(desde, timeZone))
  if (step === 'day') return { labels: days }
  const marks = periods.map(({ desde }) => shortTime(desde, timeZone))
  return { labels: days.map((day, at) => `${day}, ${marks[at]}`), marks }
}

interface PlotsProps {
  periods: readonly UsageBucket[]
  step: Step
  timeZone: string
}

const answered = ({ solicitudes, sin_cambios, errores, limitadas, fallas }: UsageBucket) =>
  solicitudes - sin_cambios - errores - limitadas - fallas

/** Amber is for the app to correct. Red are our failures, and deliveries that were given up. */
export function UsagePlots({ periods, step, timeZone }: PlotsProps) {
  const names = namesOf(periods, step, timeZone)
  const series = (label: string, tone: Series['tone'], count: (period: UsageBucket) => number): Series => ({
    label,
    tone,
    values: periods.map(count),
  })
  return (
    <div class="plots">
      <Bars
        title={t(step === 'hour' ? 'comun.usage.requestsHourly' : 'comun.usage.requestsDaily')}
        {...names}
        series={[
          series(t('comun.usage.answered'), 'accent', answered),
          series(t('comun.usage.unchanged'), 'blue', ({ sin_cambios }) => sin_cambios),
          series(t('comun.usage.refused'), 'amber', ({ errores, limitadas }) => errores + limitadas),
          series(t('comun.usage.failures'), 'red', ({ fallas }) => fallas),
        ]}
      />
      <Bars
        title={t(step === 'hour' ? 'comun.usage.deliveriesHourly' : 'comun.usage.deliveriesDaily')}
        {...names}
        series={[
          series(t('comun.usage.delivered'), 'accent', ({ entregadas }) => entregadas),
          series(t('comun.usage.failed'), 'amber', ({ intentos_fallidos }) => intentos_fallidos),
          series(t('comun.usage.abandoned'), 'red', ({ abandonadas }) => abandonadas),
        ]}
      />
    </div>
  )
}

export const sumOf = (periods: readonly UsageBucket[]) =>
  Object.fromEntries(COUNTS.map((name) => [name, periods.reduce((sum, period) => sum + period[name], 0)])) as Record<
    (typeof COUNTS)[number],
    number
  >

const COUNTS = [
  ...(['solicitudes', 'sin_cambios', 'errores', 'limitadas', 'fallas'] as const),
  ...(['entregadas', 'intentos_fallidos', 'abandonadas'] as const),
]

interface StatProps {
  label: string
  value: string | number
  href?: string | undefined
  /** What it means, or what to do. */
  hint?: ComponentChildren
}

export const Stat = ({ label, value, href, hint }: StatProps) => (
  <li class="tile">
    <strong>{typeof value === 'number' ? formatNumber(value) : value}</strong>
    {href ? <a href={href}>{label}</a> : label}
    {hint && <span class="hint">{hint}</span>}
  </li>
)

export const Stats = ({ children }: { children: ComponentChildren }) => <ul class="tiles">{children}</ul>

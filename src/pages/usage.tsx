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

interface Plot {
  title: string
  series: [label: string, tone: Series['tone'], count: (period: UsageBucket) => number][]
}

interface PlotsProps {
  periods: readonly UsageBucket[]
  step: Step
  timeZone: string
}

function Plots({ plots, periods, step, timeZone }: PlotsProps & { plots: Plot[] }) {
  const names = namesOf(periods, step, timeZone)
  return (
    <div class="plots">
      {plots.map(({ title, series }) => (
        <Bars
          key={title}
          title={title}
          {...names}
          series={series.map(([label, tone, count]) => ({ label, tone, values: periods.map(count) }))}
        />
      ))}
    </div>
  )
}

const answered = ({ solicitudes, sin_cambios, errores, limitadas, fallas }: UsageBucket) =>
  solicitudes - sin_cambios - errores - limitadas - fallas

/** Amber is for the app to correct. Red are our failures, and deliveries that were given up. */
export function UsagePlots(props: PlotsProps) {
  const isHourly = props.step === 'hour'
  const plots: Plot[] = [
    {
      title: isHourly ? t('comun.usage.requestsHourly') : t('comun.usage.requestsDaily'),
      series: [
        [t('comun.usage.answered'), 'accent', answered],
        [t('comun.usage.unchanged'), 'blue', ({ sin_cambios }) => sin_cambios],
        [t('comun.usage.refused'), 'amber', ({ errores, limitadas }) => errores + limitadas],
        [t('comun.usage.failures'), 'red', ({ fallas }) => fallas],
      ],
    },
    {
      title: isHourly ? t('comun.usage.deliveriesHourly') : t('comun.usage.deliveriesDaily'),
      series: [
        [t('comun.usage.delivered'), 'accent', ({ entregadas }) => entregadas],
        [t('comun.usage.failed'), 'amber', ({ intentos_fallidos }) => intentos_fallidos],
        [t('comun.usage.abandoned'), 'red', ({ abandonadas }) => abandonadas],
      ],
    },
  ]
  return <Plots {...props} plots={plots} />
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

import type { Period } from '../../../apps/usage-store.ts'
import { Bars } from '../../plot.tsx'

export type Step = 'hour' | 'day'

/** How an hour or a day is called below its bar. */
function labelOf(step: Step, timeZone: string): (period: Period) => string {
  const form: Intl.DateTimeFormatOptions =
    step === 'hour'
      ? { timeZone, day: 'numeric', month: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { timeZone, day: 'numeric', month: 'short' }
  const format = new Intl.DateTimeFormat('es-AR', form)
  return ({ desde }) => format.format(desde)
}

interface PlotsProps {
  periods: readonly Period[]
  step: Step
  timeZone: string
}

/** What was asked and how it ended, and what was delivered. */
export function UsagePlots({ periods, step, timeZone }: PlotsProps) {
  const labels = periods.map(labelOf(step, timeZone))
  const each = (count: (period: Period) => number) => periods.map(count)
  const by = step === 'hour' ? 'por hora' : 'por día'
  return (
    <div class="plots">
      <Bars
        title={`Solicitudes ${by}`}
        labels={labels}
        series={[
          {
            label: 'con respuesta',
            tone: 'accent',
            values: each(
              ({ solicitudes, sin_cambios, errores, limitadas, fallas }) =>
                solicitudes - sin_cambios - errores - limitadas - fallas,
            ),
          },
          { label: 'sin cambios (304)', tone: 'blue', values: each(({ sin_cambios }) => sin_cambios) },
          { label: 'con error (4xx)', tone: 'amber', values: each(({ errores }) => errores) },
          {
            label: 'sobre el límite o fallidas (429, 5xx)',
            tone: 'red',
            values: each(({ limitadas, fallas }) => limitadas + fallas),
          },
        ]}
      />
      <Bars
        title={`Entregas ${by}`}
        labels={labels}
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

import type { Period } from '../../../apps/usage-store.ts'
import { shortDay } from '../../format.tsx'
import { Bars } from '../../plot.tsx'

export const USAGE_DAYS = 14

/** Requests and deliveries of the app, by day. */
export function UsagePlots({ usage, timeZone }: { usage: Period[]; timeZone: string }) {
  const labels = usage.map(({ desde }) => shortDay(desde, timeZone))
  const of = (count: (period: Period) => number) => usage.map(count)
  return (
    <section aria-label="Uso">
      <div class="plots">
        <Bars
          title={`Solicitudes, ${USAGE_DAYS} días`}
          labels={labels}
          series={[
            { label: 'bien', tone: 'accent', values: of((p) => p.solicitudes - p.errores - p.limitadas - p.fallas) },
            { label: 'con error', tone: 'amber', values: of((p) => p.errores) },
            { label: 'limitadas', tone: 'blue', values: of((p) => p.limitadas) },
            { label: 'fallas nuestras', tone: 'red', values: of((p) => p.fallas) },
          ]}
        />
        <Bars
          title={`Entregas, ${USAGE_DAYS} días`}
          labels={labels}
          series={[
            { label: 'entregadas', tone: 'accent', values: of((p) => p.entregadas) },
            { label: 'intentos fallidos', tone: 'amber', values: of((p) => p.intentos_fallidos) },
            { label: 'abandonadas', tone: 'red', values: of((p) => p.abandonadas) },
          ]}
        />
      </div>
    </section>
  )
}

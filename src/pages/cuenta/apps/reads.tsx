import type { ComponentChildren } from 'preact'
import { addDays, dayOf, startOfDay } from '../../../http/dates.ts'
import type { Asociacion } from '../../../resources/agencias/agencia.ts'
import type { AppUsage, Since } from '../../../resources/agencias/figures.ts'
import { formatDay, formatDayMonth, formatNumber, type TimeContext } from '../../format.tsx'
import { Cards } from '../../parts.tsx'
import type { AgencyContext } from '../context.tsx'

const LATELY_DAYS = 30

export function recentPeriod({ now, timeZone }: TimeContext): Since {
  const day = addDays(dayOf(now, timeZone), -LATELY_DAYS)
  return { day, moment: startOfDay(day, timeZone) }
}

interface AppCardsProps {
  ctx: AgencyContext
  asociaciones: Asociacion[]
  heading: 'h2' | 'h3'
  children: (asociacion: Asociacion) => ComponentChildren
}

export function AppCards({ ctx, asociaciones, heading: Heading, children }: AppCardsProps) {
  if (asociaciones.length === 0)
    return (
      <p class="empty">
        Ninguna app trabaja hoy con la agencia. Para asociar una, use el enlace que le da el sistema con el que trabaja.
      </p>
    )
  return (
    <Cards rows={asociaciones}>
      {(asociacion) => (
        <>
          <Heading>{asociacion.app.nombre}</Heading>
          <p class="hint">Desde el {formatDay(asociacion.desde, ctx.timeZone)}</p>
          {children(asociacion)}
        </>
      )}
    </Cards>
  )
}

export function ReadsSummary({ reads, when }: { reads: AppUsage | undefined; when: TimeContext }) {
  const { datos = 0, consultas = 0, avisadas = 0, llegaron = 0, mas = false, ultima = null } = reads ?? {}
  if (datos + consultas + avisadas === 0) return <p>No leyó nada en los últimos {LATELY_DAYS} días.</p>
  return (
    <>
      <ul class="plain-list">
        {datos > 0 && <li>Leyó los datos de la agencia {times(datos)}.</li>}
        {consultas > 0 && <li>Leyó consultas {times(consultas)}.</li>}
        {avisadas > 0 && (
          <li>
            Le avisamos de {mas && 'más de '}
            {avisadas === 1 ? 'una consulta' : `${formatNumber(avisadas)} consultas`}
            {arrival(avisadas, llegaron, mas)}
          </li>
        )}
      </ul>
      <p class="hint">
        En los últimos {LATELY_DAYS} días{ultima && `; la última lectura, ${nearDay(ultima, when)}`}.
      </p>
    </>
  )
}

function arrival(notified: number, arrived: number, more: boolean): string {
  if (arrived === 0) return '; las lee cuando las pide.'
  if (more)
    return `; de las últimas ${formatNumber(notified)} le llegaron ${arrived === notified ? 'todas' : formatNumber(arrived)}.`
  if (arrived === notified) return notified === 1 ? ', y le llegó.' : ', y le llegaron todas.'
  return `; le ${arrived === 1 ? 'llegó una' : `llegaron ${formatNumber(arrived)}`}.`
}

const times = (count: number): string => (count === 1 ? 'una vez' : `${formatNumber(count)} veces`)

function nearDay(day: string, { now, timeZone }: TimeContext): string {
  const today = dayOf(now, timeZone)
  if (day === today) return 'hoy'
  if (day === addDays(today, -1)) return 'ayer'
  return `el ${formatDayMonth(day)}`
}

import type { ComponentChildren } from 'preact'
import { addDays, dayOf, startOfDay } from '../../../http/dates.ts'
import { t } from '../../../i18n/messages.tsx'
import type { Asociacion } from '../../../resources/agencias/agencia.ts'
import type { AppUsage, Since } from '../../../resources/agencias/figures.ts'
import { formatDay, formatDayMonth, type TimeContext } from '../../format.tsx'
import { Cards } from '../../parts.tsx'
import type { AgencyContext } from '../context.tsx'

/** Today is one of them. */
const LATELY_DAYS = 30

export function recentPeriod({ now, timeZone }: TimeContext): Since {
  const day = addDays(dayOf(now, timeZone), 1 - LATELY_DAYS)
  return { day, moment: startOfDay(day, timeZone) }
}

interface AppCardsProps {
  ctx: AgencyContext
  asociaciones: Asociacion[]
  heading: 'h2' | 'h3'
  children: (asociacion: Asociacion) => ComponentChildren
}

export function AppCards({ ctx, asociaciones, heading: Heading, children }: AppCardsProps) {
  if (asociaciones.length === 0) {
    const decides = ctx.agencia.rol === 'administrador'
    return <p class="empty">{t(decides ? 'cuenta.apps.none' : 'cuenta.apps.noneReader')}</p>
  }
  return (
    <Cards rows={asociaciones}>
      {(asociacion) => (
        <>
          <Heading>{asociacion.app.nombre}</Heading>
          <p class="hint">{t('cuenta.apps.since', { day: formatDay(asociacion.desde, ctx.timeZone) })}</p>
          {children(asociacion)}
        </>
      )}
    </Cards>
  )
}

export function ReadsSummary({ reads, when }: { reads: AppUsage | undefined; when: TimeContext }) {
  const { datos = 0, consultas = 0, avisadas = 0, llegaron = 0, mas = false, ultima = null } = reads ?? {}
  if (datos + consultas + avisadas === 0) return <p>{t('cuenta.reads.none', { days: LATELY_DAYS })}</p>
  const outcome = llegaron === 0 ? 'none' : llegaron === avisadas ? 'all' : 'some'
  const notified = { count: avisadas, arrived: llegaron, outcome }
  return (
    <>
      <ul class="plain-list">
        {datos > 0 && <li>{t('cuenta.reads.data', { count: datos })}</li>}
        {consultas > 0 && <li>{t('cuenta.reads.inquiries', { count: consultas })}</li>}
        {avisadas > 0 && <li>{t(mas ? 'cuenta.reads.notifiedMore' : 'cuenta.reads.notified', notified)}</li>}
      </ul>
      <p class="hint">{formatPeriod(ultima, when)}</p>
    </>
  )
}

/** The period, and the day of the last read if there is one. */
function formatPeriod(last: string | null, { now, timeZone }: TimeContext): string {
  const days = LATELY_DAYS
  const today = dayOf(now, timeZone)
  if (!last) return t('cuenta.reads.period', { days })
  if (last === today) return t('cuenta.reads.lastToday', { days })
  if (last === addDays(today, -1)) return t('cuenta.reads.lastYesterday', { days })
  return t('cuenta.reads.lastOn', { days, day: formatDayMonth(last) })
}

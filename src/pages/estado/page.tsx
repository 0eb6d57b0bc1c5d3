import type { ComponentChildren } from 'preact'
import { DAY_MS, MINUTE_MS } from '../../clock.ts'
import { formatHours, formatMinutes } from '../../i18n/format.ts'
import { t } from '../../i18n/messages.tsx'
import type { Incident } from '../../status/incidents.ts'
import type { DayStatus, Latency, PartStatus, StatusReport } from '../../status/read.ts'
import { GuideAside } from '../docs/guide/page.tsx'
import { DocsLayout } from '../docs/layout.tsx'
import { formatDay, formatDayMonth, formatDuration, formatNumber, Moment, type TimeContext } from '../format.tsx'
import { FactsTable } from '../markdown.tsx'
import { Section } from '../parts.tsx'

const StatusLayout = ({ children }: { children: ComponentChildren }) => (
  <DocsLayout title={t('docs.more.status')} description={t('estado.description')} aside={<GuideAside more="/estado" />}>
    {children}
  </DocsLayout>
)

export function statusPage({ parts, latency, incidents }: StatusReport, when: TimeContext) {
  const open = incidents.filter(({ hasta }) => hasta === null)
  const past = incidents.filter(({ hasta }) => hasta !== null)
  const stopped = parts.filter(({ works }) => !works)
  return (
    <StatusLayout>
      <header class="lead">
        <h1>{t('docs.more.status')}</h1>
        <Summary stopped={stopped} open={open} />
      </header>
      {open.length > 0 && (
        <Section id="en-curso" title={t('estado.open')}>
          <Incidents incidents={open} when={when} />
        </Section>
      )}
      <Section id="disponibilidad" title={t('estado.uptime')}>
        {parts.map((part) => (
          <Uptime key={part.part} part={part} />
        ))}
        <p class="hint">{t('estado.uptime.hint')}</p>
      </Section>
      <Section id="demora" title={t('estado.latency')}>
        <Latencies latency={latency} />
        <p class="hint">{t('estado.latency.hint')}</p>
      </Section>
      <Section id="incidentes" title={t('estado.past')}>
        {past.length > 0 ? <Incidents incidents={past} when={when} /> : <p>{t('estado.past.none')}</p>}
      </Section>
    </StatusLayout>
  )
}

/** While the database cannot be read, this is all that is known. */
export const unknownStatusPage = () => (
  <StatusLayout>
    <header class="lead">
      <h1>{t('docs.more.status')}</h1>
      <p class="service-state service-down" role="status">
        {t('estado.unavailable')}
      </p>
    </header>
  </StatusLayout>
)

function Summary({ stopped, open }: { stopped: PartStatus[]; open: Incident[] }) {
  const state =
    stopped.length > 0 ? 'down' : open.some(({ impacto }) => impacto !== 'mantenimiento') ? 'incident' : 'ok'
  return (
    <p class={`service-state service-${state}`} role="status">
      {stopped.length > 0
        ? t('estado.now.stopped', { parts: stopped.map(({ part }) => t(`estado.part.${part}`)).join(', ') })
        : state === 'incident'
          ? t('estado.now.incident')
          : open.length > 0
            ? t('estado.now.maintenance')
            : t('estado.now.fine')}
    </p>
  )
}

/** A share in percent with two decimals, rounded down: 99.99 % is not 100 %. */
const share = (days: readonly DayStatus[]): string | undefined => {
  const up = days.reduce((sum, day) => sum + day.up, 0)
  const of = days.reduce((sum, day) => sum + day.of, 0)
  return of === 0 ? undefined : t('comun.percent', { percent: formatNumber(Math.floor((up / of) * 10_000) / 100) })
}

const BAR = 6
const GAP = 2
const HEIGHT = 34

const Uptime = ({ part: { part, works, days } }: { part: PartStatus }) => (
  <figure class="uptime">
    <figcaption>
      <strong>{t(`estado.part.${part}`)}</strong>
      <span class={works ? 'badge ok' : 'badge error'}>{works ? t('estado.works') : t('estado.stopped')}</span>
      <span class="uptime-share">{share(days) ?? t('estado.noData')}</span>
    </figcaption>
    {/* There are none before the first heartbeat. */}
    {days.length > 0 && <DayBars part={part} days={days} />}
    <Outages days={days} />
  </figure>
)

const DayBars = ({ part, days }: Pick<PartStatus, 'part' | 'days'>) => (
  <>
    <svg
      viewBox={`0 0 ${days.length * (BAR + GAP) - GAP} ${HEIGHT}`}
      role="img"
      aria-label={t('estado.uptime.label', {
        part: t(`estado.part.${part}`),
        share: share(days) ?? t('estado.noData'),
        days: days.length,
      })}
      preserveAspectRatio="none"
    >
      {days.map((day, at) => (
        <rect key={day.dia} class={toneOf(day)} x={at * (BAR + GAP)} y="0" width={BAR} height={HEIGHT} rx="1.5">
          <title>{`${formatDayMonth(day.dia)}: ${describe(day)}`}</title>
        </rect>
      ))}
    </svg>
    <p class="uptime-ends" aria-hidden="true">
      <span>{t('estado.daysAgo', { days: days.length })}</span>
      <span>{t('estado.today')}</span>
    </p>
  </>
)

const toneOf = ({ up, of }: DayStatus): string => {
  if (of === 0) return 'unknown'
  if (up === of) return 'whole'
  return up / of >= 0.99 ? 'partly' : 'down'
}

const describe = (day: DayStatus): string => {
  if (day.of === 0) return t('estado.noData')
  return day.up === day.of
    ? t('estado.day.whole')
    : t('estado.day.partly', { share: share([day]), minutes: day.of - day.up })
}

/** The outages in words, for those who do not see the bars. */
function Outages({ days }: { days: readonly DayStatus[] }) {
  const down = days.filter(({ up, of }) => up < of).reverse()
  if (down.length === 0) return null
  return (
    <details>
      <summary>{t('estado.outages', { count: down.length })}</summary>
      <ul>
        {down.map((day) => (
          <li key={day.dia}>
            {formatDayMonth(day.dia)}: {describe(day)}
          </li>
        ))}
      </ul>
    </details>
  )
}

function within(ms: number | undefined): string {
  if (ms === undefined) return '–'
  if (ms > DAY_MS) return t('estado.slower', { time: formatHours(24) })
  return t('estado.within', { time: ms < MINUTE_MS ? formatDuration(ms) : formatMinutes(ms / MINUTE_MS) })
}

const Latencies = ({ latency }: { latency: Latency[] }) => (
  <FactsTable
    caption={t('estado.latency')}
    heads={[
      t('estado.head.period'),
      t('estado.head.notifications'),
      t('estado.head.p50'),
      t('estado.head.p95'),
      t('estado.head.p99'),
    ]}
    rows={latency.map(({ hours, deliveries, p50, p95, p99 }) => [
      formatHours(hours),
      formatNumber(deliveries),
      within(p50),
      within(p95),
      within(p99),
    ])}
  />
)

const Incidents = ({ incidents, when }: { incidents: Incident[]; when: TimeContext }) => (
  <ol class="incidents">
    {incidents.map(({ id, titulo, impacto, desde, hasta, updates }) => (
      <li key={id} id={`incidente-${id}`} class="card">
        <h3>{titulo}</h3>
        <p class="hint">
          {t(`estado.impact.${impacto}`)} · {formatDay(desde, when.timeZone)} ·{' '}
          {hasta ? t('estado.incident.resuelto') : t('estado.open')}
        </p>
        <ol>
          {updates.map(({ estado, texto, at }) => (
            <li key={at.toISOString()}>
              <p>
                <strong>{t(`estado.incident.${estado}`)}</strong> <Moment at={at} when={when} />
              </p>
              <p class="incident-text">{texto}</p>
            </li>
          ))}
        </ol>
      </li>
    ))}
  </ol>
)

import type { ComponentChildren } from 'preact'
import type { Part } from '../../status/heartbeat.ts'
import type { Incident } from '../../status/incidents.ts'
import type { DayStatus, Latency, PartStatus, Status } from '../../status/read.ts'
import { GuideAside } from '../docs/guide/page.tsx'
import { DEFAULT_LANGUAGE } from '../docs/languages.ts'
import { DocsLayout } from '../docs/layout.tsx'
import { formatDay, formatDayMonth, formatDuration, formatNumber, Moment, type TimeContext } from '../format.tsx'
import { textLocale } from '../locales.ts'
import { Facts } from '../markdown.tsx'
import { Section } from '../parts.tsx'
import { ESTADO_LABELS, IMPACTO_LABELS } from './labels.ts'

const PART_TITLES: Record<Part, string> = { api: 'API y páginas', entregas: 'Notificaciones (webhooks)' }

const TITLE = 'Estado del servicio'

const StatusLayout = ({ children }: { children: ComponentChildren }) => (
  <DocsLayout
    title={TITLE}
    description="Disponibilidad, demora de las notificaciones e incidentes."
    aside={<GuideAside reader={{ language: DEFAULT_LANGUAGE, locale: textLocale() }} more="/estado" />}
  >
    {children}
  </DocsLayout>
)

export function statusPage({ parts, latency, incidents }: Status, when: TimeContext) {
  const open = incidents.filter(({ hasta }) => hasta === null)
  const past = incidents.filter(({ hasta }) => hasta !== null)
  const stopped = parts.filter(({ works }) => !works)
  return (
    <StatusLayout>
      <header class="lead">
        <h1>{TITLE}</h1>
        <Summary stopped={stopped} open={open} />
      </header>
      {open.length > 0 && (
        <Section id="en-curso" title="En curso">
          <Incidents incidents={open} when={when} />
        </Section>
      )}
      <Section id="disponibilidad" title="Disponibilidad en 90 días">
        {parts.map((part) => (
          <Uptime key={part.part} part={part} />
        ))}
        <p class="hint">
          Cada barra es un día. Un minuto cuenta como disponible si en él al menos un servidor estaba en marcha y podía
          escribir en la base de datos; los minutos sin registro cuentan como caídos.
        </p>
      </Section>
      <Section id="demora" title="Demora de las notificaciones">
        <Latencies latency={latency} />
        <p class="hint">
          Desde que ocurre un hecho hasta que su receptor responde 2xx al primer intento. No cuenta lo que se entrega
          con reintentos, que depende del receptor.
        </p>
      </Section>
      <Section id="incidentes" title="Incidentes anteriores">
        {past.length > 0 ? (
          <Incidents incidents={past} when={when} />
        ) : (
          <p>No hubo incidentes en los últimos 90 días.</p>
        )}
      </Section>
    </StatusLayout>
  )
}

/** While the database cannot be read, this is all that is known. */
export const unknownStatusPage = () => (
  <StatusLayout>
    <header class="lead">
      <h1>{TITLE}</h1>
      <p class="service-state service-down" role="status">
        El servicio no está disponible en este momento. Lo que se envíe ahora recibe un 503: repítalo en unos minutos.
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
        ? `Sin señales recientes: ${stopped.map(({ part }) => PART_TITLES[part]).join(', ')}.`
        : state === 'incident'
          ? 'Hay un incidente en curso.'
          : open.length > 0
            ? 'Hay un mantenimiento en curso.'
            : 'Todo funciona.'}
    </p>
  )
}

/** A share in percent with two decimals, rounded down: 99,99 % is not 100 %. */
const share = (days: readonly DayStatus[]): string | undefined => {
  const [up, of] = [days.reduce((sum, day) => sum + day.up, 0), days.reduce((sum, day) => sum + day.of, 0)]
  return of === 0 ? undefined : `${formatNumber(Math.floor((up / of) * 10_000) / 100)} %`
}

const [BAR, GAP, HEIGHT] = [6, 2, 34]

const Uptime = ({ part: { part, works, days } }: { part: PartStatus }) => (
  <figure class="uptime">
    <figcaption>
      <strong>{PART_TITLES[part]}</strong>
      <span class={works ? 'badge ok' : 'badge error'}>{works ? 'funciona' : 'sin señales'}</span>
      <span class="uptime-share">{share(days) ?? 'sin datos'}</span>
    </figcaption>
    <svg
      viewBox={`0 0 ${days.length * (BAR + GAP) - GAP} ${HEIGHT}`}
      role="img"
      aria-label={`${PART_TITLES[part]}: ${share(days) ?? 'sin datos'} en ${days.length} días`}
      preserveAspectRatio="none"
    >
      {days.map((day, at) => (
        <rect key={day.dia} class={toneOf(day)} x={at * (BAR + GAP)} y="0" width={BAR} height={HEIGHT} rx="1.5">
          <title>{`${formatDayMonth(day.dia)}: ${describe(day)}`}</title>
        </rect>
      ))}
    </svg>
    <p class="uptime-ends" aria-hidden="true">
      <span>hace {days.length} días</span>
      <span>hoy</span>
    </p>
    <Outages days={days} />
  </figure>
)

const toneOf = ({ up, of }: DayStatus): string => {
  if (of === 0) return 'unknown'
  if (up === of) return 'whole'
  return up / of >= 0.99 ? 'partly' : 'down'
}

const describe = (day: DayStatus): string => {
  if (day.of === 0) return 'sin datos'
  return day.up === day.of ? 'sin caídas' : `${share([day])}, ${formatNumber(day.of - day.up)} min caído`
}

/** The same in words, for those who do not see the bars. */
function Outages({ days }: { days: readonly DayStatus[] }) {
  const down = days.filter(({ up, of }) => up < of).reverse()
  if (down.length === 0) return null
  return (
    <details>
      <summary>{down.length === 1 ? '1 día con caídas' : `${down.length} días con caídas`}</summary>
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

const within = (ms: number | undefined): string => (ms === undefined ? '–' : `menos de ${formatDuration(ms)}`)

const Latencies = ({ latency }: { latency: Latency[] }) => (
  <Facts
    caption="Demora de las notificaciones"
    heads={['Período', 'Notificaciones', 'La mitad', '95 de cada 100', '99 de cada 100']}
    rows={latency.map(({ hours, deliveries, p50, p95, p99 }) => [
      hours === 24 ? '24 horas' : `${hours / 24} días`,
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
          {IMPACTO_LABELS[impacto]} · {formatDay(desde, when.timeZone)} · {hasta ? 'Resuelto' : 'En curso'}
        </p>
        <ol>
          {updates.map(({ estado, texto, at }) => (
            <li key={at.toISOString()}>
              <p>
                <strong>{ESTADO_LABELS[estado]}</strong> <Moment at={at} when={when} />
              </p>
              <p class="incident-text">{texto}</p>
            </li>
          ))}
        </ol>
      </li>
    ))}
  </ol>
)

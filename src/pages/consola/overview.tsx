import { usageOf } from '../../apps/usage-store.ts'
import { addDays, dayOf } from '../../http/dates.ts'
import { countFailedEmails } from '../../mail/mail-log.ts'
import { agenciaFigures } from '../../resources/agencias/figures.ts'
import { dailyConsultasByModo } from '../../resources/consultas/counts.ts'
import { type TaskStatus, taskStatuses } from '../../tasks.ts'
import { type FailingWebhook, failingWebhooks, MAX_COUNTED, pendingDeliveries } from '../../webhooks/status-queries.ts'
import { formatNumber, Moment, shortDay } from '../format.tsx'
import type { ListDeps } from '../list.tsx'
import { contentHash, isPartial, livePart, page, sendPart } from '../page.ts'
import type { WithQuery } from '../params.ts'
import { Bars } from '../plot.tsx'
import { allowScript } from '../security.ts'
import type { PageDeps } from '../signed-in.ts'
import { type Column, Table } from '../table.tsx'
import { Stat, Stats, sumOf, UsagePlots } from '../usage.tsx'
import { type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const MINUTE_MS = 60_000

/** /consola: figures of the market, and what needs attention. */
export function consoleOverviewRoutes(app: ConsolePages, deps: PageDeps): void {
  app.get<WithQuery>('', async (request, reply) => {
    const { ctx } = request
    const asPart = isPartial(request)
    const figures = await figuresOf({ ...deps, store: await ctx.reader() }, asPart ? WEEK : DAYS)
    // Waiting times are shown in minutes.
    const minute = Math.floor(ctx.now.getTime() / MINUTE_MS)
    const version = contentHash([{ ...figures, days: figures.days.slice(-WEEK) }, minute])
    const overview = <Overview {...{ ctx, figures, version }} />
    if (asPart) return sendPart(reply, overview, request.query.visto, version)
    return page(
      allowScript(reply),
      <ConsolePage ctx={ctx} title="Resumen" section={OVERVIEW} script>
        {overview}
        {/* Past days do not change: they are only loaded with the page. */}
        <Bars
          title="Consultas por día"
          labels={figures.days.map(({ dia }) => shortDay(new Date(`${dia}T00:00:00Z`), 'UTC'))}
          series={[{ label: 'consultas', tone: 'accent', values: figures.days.map(({ consultas }) => consultas) }]}
        />
      </ConsolePage>,
    )
  })
}

/** As many days of inquiries as the page draws, and as the part compares that refreshes itself. */
const DAYS = 30
const WEEK = 8
const HOURS = 24
const FAILED_DAYS = 7

/** How the market does, at a glance. Of production; what is delivered is of all apps. */
async function figuresOf({ store, config, clock }: ListDeps, count: number) {
  const { timeZone } = config
  const hasta = dayOf(clock(), timeZone)
  const [agencias, days, hours, waiting, failing, failedEmails, tasks] = await Promise.all([
    agenciaFigures(store, 'produccion'),
    dailyConsultasByModo(store, 'produccion', { desde: addDays(hasta, 1 - count), hasta }),
    usageOf(store, { step: 'hour', count: HOURS, timeZone }),
    pendingDeliveries(store),
    failingWebhooks(store),
    countFailedEmails(store, FAILED_DAYS),
    taskStatuses(store),
  ])
  const hasMailServer = config.smtpUrl !== undefined
  const stopped = tasks.filter(({ state }) => state !== 'ok')
  return { ...agencias, days, hours, waiting, failing, failedEmails, hasMailServer, stopped }
}

const OVERVIEW = '/consola'
const EVERY_SECONDS = 20

interface FiguresProps {
  ctx: ConsoleContext
  figures: Awaited<ReturnType<typeof figuresOf>>
}

/** The part that refreshes itself. */
const Overview = ({ version, ctx, figures }: FiguresProps & { version: string }) => (
  <div id="resumen" {...livePart(`${OVERVIEW}?visto=${version}`, EVERY_SECONDS)}>
    <Attention ctx={ctx} figures={figures} />
    <h2 class="visually-hidden">El mercado, en cifras</h2>
    <FigureTiles ctx={ctx} figures={figures} />
    <UsagePlots periods={figures.hours} step="hour" timeZone={ctx.timeZone} />
  </div>
)

function FigureTiles({ ctx, figures: { agencias, nuevas, invitadas, days, hours, waiting } }: FiguresProps) {
  const today = days.at(-1)?.consultas ?? 0
  const before = days.slice(-WEEK, -1)
  const mean = before.reduce((sum, { consultas }) => sum + consultas, 0) / Math.max(1, before.length)
  const { entregadas, intentos_fallidos, abandonadas } = sumOf(hours)
  return (
    <Stats>
      <Stat
        label="Agencias"
        value={agencias}
        href="/consola/agencias"
        hint={`${formatNumber(nuevas)} nuevas en 30 días, ${formatNumber(invitadas)} invitadas`}
      />
      <Stat
        label="Consultas hoy"
        value={today}
        href="/consola/consultas"
        hint={`${formatNumber(Math.round(mean))} por día en la última semana`}
      />
      <Stat
        label="Entregas en 24 horas"
        value={entregadas}
        href="/consola/entregas"
        hint={`${formatNumber(intentos_fallidos)} intentos fallidos, ${formatNumber(abandonadas)} abandonadas`}
      />
      <Stat
        label="Sin entregar"
        value={waiting.count >= MAX_COUNTED ? `más de ${formatNumber(MAX_COUNTED)}` : waiting.count}
        href="/consola/entregas?estado=pendiente"
        hint={waiting.oldest ? `la más antigua espera hace ${ago(waiting.oldest, ctx.now)}` : 'nada espera'}
      />
    </Stats>
  )
}

const UNITS = [
  ['día', 86_400],
  ['hora', 3_600],
  ['minuto', 60],
  ['segundo', 1],
] as const

/** How long ago, in the largest unit that says something. */
export function ago(then: Date, now: Date): string {
  const seconds = Math.max(1, Math.floor((now.getTime() - then.getTime()) / 1000))
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function Attention({ ctx, figures: { failing, failedEmails, hasMailServer, stopped } }: FiguresProps) {
  const quiet = failing.length === 0 && failedEmails === 0 && hasMailServer && stopped.length === 0
  return (
    <section aria-label="Lo que necesita atención">
      <h2>Lo que necesita atención</h2>
      {quiet && <p class="all-well">Nada: los webhooks reciben y los correos salen.</p>}
      {!hasMailServer && (
        <p>
          <span class="badge attention">correo</span> No hay servidor de correo (<code>SMTP_URL</code>): los correos no
          salen, se guardan y <a href="/consola/correos">se leen aquí</a>.
        </p>
      )}
      {failedEmails > 0 && (
        <p>
          <span class="badge error">correo</span>{' '}
          <a href="/consola/correos?estado=fallida">
            {failedEmails === 1 ? '1 correo no llegó' : `${formatNumber(failedEmails)} correos no llegaron`}
          </a>{' '}
          en los últimos {FAILED_DAYS} días.
        </p>
      )}
      {stopped.length > 0 && (
        <Table
          caption="Tareas programadas que fallan o no se hicieron a tiempo"
          columns={taskColumns(ctx)}
          rows={stopped}
          empty={<p>Ninguna.</p>}
        />
      )}
      {failing.length > 0 && (
        <Table
          caption="Webhooks que fallan o se deshabilitaron"
          columns={columns(ctx)}
          rows={failing}
          empty={<p>Ninguno.</p>}
        />
      )}
    </section>
  )
}

/** What each scheduled task of main.ts is for. */
const TASK_LABELS: Record<string, string> = {
  signatures: 'Borrar firmas usadas',
  'idempotency-keys': 'Borrar claves de idempotencia',
  'ended-sessions': 'Borrar sesiones cerradas',
  'failing-webhooks': 'Avisar de webhooks que fallan',
  packages: 'Aplicar paquetes vencidos',
  'old-events': 'Borrar eventos y entregas viejos',
  bounces: 'Leer correos rebotados',
  sandbox: 'Responder en el mercado de prueba',
  inquiries: 'Borrar consultas viejas',
  'old-rows': 'Borrar registros viejos',
}

const taskColumns = (ctx: ConsoleContext): Column<TaskStatus>[] => [
  {
    head: 'Tarea',
    cell: ({ name }) => (
      <div>
        {TASK_LABELS[name] ?? name}
        <div class="hint">
          <code>{name}</code>
        </div>
      </div>
    ),
  },
  {
    head: 'Estado',
    cell: ({ state }) =>
      state === 'failing' ? <span class="badge error">falla</span> : <span class="badge attention">atrasada</span>,
  },
  { head: 'Última vez', cell: ({ lastSuccess }) => lastSuccess && <Moment at={lastSuccess} when={ctx} /> },
  { head: 'Último error', cell: ({ error }) => <span class="hint">{error ?? '–'}</span> },
]

const columns = (ctx: ConsoleContext): Column<FailingWebhook>[] => [
  {
    head: 'Webhook',
    cell: ({ app, topic }) => (
      <div>
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        <div class="hint">
          <code>{topic}</code>
          {app.modo === 'prueba' && ' · prueba'}
        </div>
      </div>
    ),
  },
  {
    head: 'Estado',
    cell: ({ disabledAt }) =>
      disabledAt ? <span class="badge error">deshabilitado</span> : <span class="badge attention">fallando</span>,
  },
  {
    head: 'Desde',
    cell: ({ since, disabledAt }) => {
      const at = disabledAt ?? since
      return at && <Moment at={at} when={ctx} />
    },
  },
  { head: 'Último error', cell: ({ lastError }) => <span class="hint">{lastError ?? '–'}</span> },
  {
    head: 'Entregas',
    cell: ({ app, topic }) => (
      <a href={`/consola/entregas?app=${app.appKey}&topic=${topic}`}>
        Ver
        <span class="visually-hidden">
          {' '}
          las entregas de {topic} a {app.nombre}
        </span>
      </a>
    ),
  },
]

import { usageOf } from '../../apps/usage-store.ts'
import { MINUTE_MS } from '../../clock.ts'
import { addDays, dayOf } from '../../http/dates.ts'
import { withQuery } from '../../http/links.ts'
import { formatUnit } from '../../i18n/format.ts'
import { rich, t, textOrElse } from '../../i18n/messages.tsx'
import { countFailedEmails } from '../../mail/mail-log.ts'
import { agenciaFigures } from '../../resources/agencias/figures.ts'
import { dailyConsultasByModo } from '../../resources/consultas/counts.ts'
import { type TaskStatus, taskStatuses } from '../../tasks.ts'
import { translateError } from '../../webhooks/send/explain.ts'
import { type FailingWebhook, failingWebhooks, MAX_COUNTED, pendingDeliveries } from '../../webhooks/status-queries.ts'
import { logFilters, nameAfterTopic } from '../entregas/destino.ts'
import { shortDay } from '../format.tsx'
import type { ListDeps } from '../list-definition.ts'
import { contentHash, isPartial, livePart, page, sendPart } from '../page.ts'
import type { WithQuery } from '../params.ts'
import { Bars } from '../plot.tsx'
import type { PageDeps } from '../signed-in.ts'
import { badgeColumn, type Column, momentColumn, Table } from '../table.tsx'
import { Stat, Stats, sumOf, UsagePlots } from '../usage.tsx'
import { type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

/** /consola: figures of the market, and what needs attention. */
export function consoleOverviewRoutes(app: ConsolePages, deps: PageDeps): void {
  app.get<WithQuery>('', async (request, reply) => {
    const { ctx } = request
    const asPart = isPartial(request)
    const figures = await figuresOf({ ...deps, store: await ctx.reader() }, asPart ? WEEK : DAYS)
    // Waiting times are shown in minutes.
    const minute = Math.floor(ctx.now.getTime() / MINUTE_MS)
    const version = contentHash([{ ...figures, days: figures.days.slice(-WEEK) }, minute])
    const overview = <Overview ctx={ctx} figures={figures} version={version} />
    if (asPart) return sendPart(reply, overview, request.query.visto, version)
    return page(
      reply,
      <ConsolePage ctx={ctx} title={t('consola.overview.title')} script>
        {overview}
        {/* Past days do not change: they are only loaded with the page. */}
        <Bars
          title={t('consola.overview.perDay')}
          labels={figures.days.map(({ dia }) => shortDay(new Date(`${dia}T00:00:00Z`), 'UTC'))}
          series={[
            {
              label: t('consola.overview.inquiries'),
              tone: 'accent',
              values: figures.days.map(({ consultas }) => consultas),
            },
          ]}
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
    <h2 class="visually-hidden">{t('consola.overview.figures')}</h2>
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
        label={t('consola.overview.agencies')}
        value={agencias}
        href="/consola/agencias"
        hint={t('consola.overview.agencies.hint', { nuevas, invitadas })}
      />
      <Stat
        label={t('consola.overview.today')}
        value={today}
        href="/consola/consultas"
        hint={t('consola.overview.today.hint', { mean: Math.round(mean) })}
      />
      <Stat
        label={t('consola.overview.delivered')}
        value={entregadas}
        href="/consola/entregas"
        hint={t('consola.overview.delivered.hint', { failed: intentos_fallidos, abandoned: abandonadas })}
      />
      <Stat
        label={t('consola.overview.waiting')}
        value={
          waiting.count >= MAX_COUNTED ? t('consola.overview.waiting.more', { count: MAX_COUNTED }) : waiting.count
        }
        href="/consola/entregas?estado=pendiente"
        hint={
          waiting.oldest
            ? t('consola.overview.waiting.oldest', { time: ago(waiting.oldest, ctx.now) })
            : t('consola.overview.waiting.none')
        }
      />
    </Stats>
  )
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago, in the largest unit that says something. */
export function ago(then: Date, now: Date): string {
  const seconds = Math.max(1, Math.floor((now.getTime() - then.getTime()) / 1000))
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3]
  return formatUnit(Math.floor(seconds / size), unit)
}

function Attention({ ctx, figures: { failing, failedEmails, hasMailServer, stopped } }: FiguresProps) {
  const quiet = failing.length === 0 && failedEmails === 0 && hasMailServer && stopped.length === 0
  return (
    <section aria-label={t('consola.overview.attention')}>
      <h2>{t('consola.overview.attention')}</h2>
      {quiet && <p class="all-well">{t('consola.overview.allWell')}</p>}
      {!hasMailServer && (
        <p>
          <span class="badge attention">{t('consola.overview.emailBadge')}</span>{' '}
          {rich('consola.overview.noMailServer', { link: (text) => <a href="/consola/correos">{text}</a> })}
        </p>
      )}
      {failedEmails > 0 && (
        <p>
          <span class="badge error">{t('consola.overview.emailBadge')}</span>{' '}
          {rich('consola.overview.failedEmails', {
            count: failedEmails,
            days: FAILED_DAYS,
            link: (text) => <a href="/consola/correos?estado=fallida">{text}</a>,
          })}
        </p>
      )}
      {stopped.length > 0 && (
        <Table
          caption={t('consola.overview.tasks')}
          columns={taskColumns(ctx)}
          rows={stopped}
          empty={<p>{t('consola.overview.tasks.none')}</p>}
        />
      )}
      {failing.length > 0 && (
        <Table
          caption={t('consola.overview.webhooks')}
          columns={columns(ctx)}
          rows={failing}
          empty={<p>{t('consola.overview.webhooks.none')}</p>}
        />
      )}
    </section>
  )
}

const taskColumns = (ctx: ConsoleContext): Column<TaskStatus>[] => [
  {
    head: t('consola.overview.task'),
    cell: ({ name }) => (
      <div>
        {textOrElse(`consola.task.${name}`, name)}
        <div class="hint">
          <code>{name}</code>
        </div>
      </div>
    ),
  },
  badgeColumn(t('consola.head.state'), ({ state }) =>
    state === 'failing'
      ? ['error', t('consola.overview.task.failing')]
      : ['attention', t('consola.overview.task.late')],
  ),
  momentColumn(t('consola.overview.lastTime'), ctx, ({ lastSuccess }) => lastSuccess),
  { head: t('consola.head.lastError'), cell: ({ error }) => <span class="hint">{error ?? '–'}</span> },
]

const columns = (ctx: ConsoleContext): Column<FailingWebhook>[] => [
  {
    head: 'Webhook',
    cell: ({ app, topic, ...webhook }) => (
      <div>
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        <div class="hint">
          <code>{topic}</code>
          {nameAfterTopic(webhook)}
          {app.modo === 'prueba' && ` · ${t('consola.modo.badge.prueba')}`}
        </div>
      </div>
    ),
  },
  badgeColumn(t('consola.head.state'), ({ disabledAt }) =>
    disabledAt
      ? ['error', t('consola.overview.webhook.disabled')]
      : ['attention', t('consola.overview.webhook.failing')],
  ),
  momentColumn(t('consola.head.since'), ctx, ({ since, disabledAt }) => disabledAt ?? since),
  {
    head: t('consola.head.lastError'),
    cell: ({ lastError }) => <span class="hint">{lastError ? translateError(lastError) : '–'}</span>,
  },
  {
    head: t('consola.head.deliveries'),
    cell: ({ app, topic, destino }) => (
      <a href={withQuery('/consola/entregas', { app: app.appKey, ...logFilters({ topic, destino }) })}>
        {rich('consola.overview.see', { topic, app: app.nombre })}
      </a>
    ),
  },
]

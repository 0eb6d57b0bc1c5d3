import type { App, GeneralLimits } from '../../../apps/app.ts'
import { type Counts, type UsageBucket, usageOf } from '../../../apps/usage-store.ts'
import { formatPolicy } from '../../../http/limits.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { invitesOfDay } from '../../../resources/agencias/figures.ts'
import { FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { MAX_MEASURED, type ReceiverLatency, receiverLatencies } from '../../../webhooks/latency.ts'
import { sendCsv } from '../../csv.ts'
import { formatDuration, formatNumber, formatPercent } from '../../format.tsx'
import { page } from '../../page.ts'
import { type WithQuery, wantsCsv } from '../../params.ts'
import { Code, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { type Column, Pager, Table } from '../../table.tsx'
import { Stat, Stats, type Step, sumOf, UsagePlots } from '../../usage.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'

/** /portal/{AppKey}/uso */
export function usageRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps

  app.get<WithQuery>('/uso', async ({ ctx, query }, reply) => {
    const step = query.por === SPANS.day.por ? 'day' : 'hour'
    const period = { appId: ctx.app.id, step, count: SPANS[step].count, timeZone: config.timeZone } as const
    const reader = await ctx.reader()
    const [periods, invited] = await Promise.all([usageOf(reader, period), invitesOfDay(store, ctx.app)])
    const csvName = `uso-por-${SPANS[step].por}`
    if (wantsCsv(query)) return sendCsv(reply, csvName, usageColumns(), periods, config.timeZone)
    const latencies = await receiverLatencies(reader, ctx.app)
    return page(
      reply,
      <PortalPage ctx={ctx} title={t('portal.nav.usage')} actions={<Choice ctx={ctx} step={step} />}>
        <UsageStats ctx={ctx} step={step} sum={sumOf(periods)} />
        <UsagePlots periods={periods} step={step} timeZone={ctx.timeZone} />
        <Pager csv={`${ctx.basePath}/uso?por=${SPANS[step].por}&formato=csv`} />
        <LatencySection latencies={latencies} />
        <LimitsSection limits={limitsOf(ctx.app, config)} invited={invited} />
      </PortalPage>,
    )
  })
}

const limitsOf = ({ limits }: App, defaults: GeneralLimits): GeneralLimits => ({
  ratePerSecond: limits.ratePerSecond ?? defaults.ratePerSecond,
  rateBurst: limits.rateBurst ?? defaults.rateBurst,
  invitesPerDay: limits.invitesPerDay ?? defaults.invitesPerDay,
})

const SPANS: Record<Step, { por: string; count: number }> = {
  hour: { por: 'hora', count: 48 },
  day: { por: 'dia', count: 30 },
}

interface StepProps {
  ctx: PortalContext
  step: Step
}

const UsageStats = ({ ctx, step, sum }: StepProps & { sum: Counts }) => (
  <>
    <h2 class="visually-hidden">{t(`portal.usage.${step}.title`)}</h2>
    <Stats>
      <Stat label={t('portal.usage.requests')} value={sum.solicitudes} hint={t(`portal.usage.${step}.in`)} />
      <Stat
        label={t('portal.usage.unchanged')}
        value={formatPercent(sum.sin_cambios, sum.solicitudes)}
        hint={t('portal.usage.unchangedHint')}
      />
      <Stat
        label={t('portal.usage.errors')}
        value={formatPercent(sum.errores, sum.solicitudes)}
        hint={t('portal.usage.errorsHint')}
      />
      <Stat label={t('portal.usage.limited')} value={sum.limitadas} hint={t('portal.usage.limitedHint')} />
      <Stat label={t('portal.usage.failures')} value={sum.fallas} hint={t('portal.usage.failuresHint')} />
    </Stats>
    <Stats>
      <Stat label={t('portal.usage.delivered')} value={sum.entregadas} href={`${ctx.basePath}/entregas`} />
      <Stat
        label={t('portal.usage.failedAttempts')}
        value={sum.intentos_fallidos}
        hint={t('portal.usage.failedHint')}
      />
      <Stat
        label={t('portal.usage.abandoned')}
        value={sum.abandonadas}
        href={sum.abandonadas > 0 ? `${ctx.basePath}/entregas?estado=fallida` : undefined}
      />
    </Stats>
  </>
)

const Choice = ({ ctx, step }: StepProps) => (
  <nav aria-label={t('portal.usage.period')} class="row">
    {(Object.keys(SPANS) as Step[]).map((each) => (
      <a
        key={each}
        class="button secondary"
        href={`${ctx.basePath}/uso?por=${SPANS[each].por}`}
        aria-current={each === step ? 'true' : undefined}
      >
        {t(`portal.usage.${each}.link`)}
      </a>
    ))}
  </nav>
)

const LatencySection = ({ latencies }: { latencies: ReceiverLatency[] }) => (
  <Section title={t('portal.latency.title')}>
    <Table
      caption={t('portal.latency.title')}
      columns={latencyColumns()}
      rows={latencies}
      empty={<p>{t('portal.latency.none')}</p>}
    />
    <p class="hint">{t('portal.latency.hint', { most: MAX_MEASURED })}</p>
  </Section>
)

const latencyColumns = (): Column<ReceiverLatency>[] => [
  {
    head: t('portal.latency.webhook'),
    cell: ({ topic, destino }) => (destino === FIRST_DESTINO ? topic : `${topic} (${destino})`),
  },
  ...PERCENTILES.map((name) => ({
    head: name,
    number: true,
    cell: (row: ReceiverLatency) => formatDuration(row[name]),
  })),
  { head: t('portal.latency.attempts'), number: true, cell: ({ attempts }) => formatNumber(attempts) },
]

const PERCENTILES = ['p50', 'p95', 'p99'] as const

const LimitsSection = ({ limits, invited }: { limits: GeneralLimits; invited: number }) => (
  <Section title={t('portal.usage.limits')}>
    <Stats>
      <Stat
        label={t('portal.usage.perSecond', { count: limits.ratePerSecond })}
        value={limits.ratePerSecond}
        hint={t('portal.usage.perSecondHint')}
      />
      <Stat label={t('portal.usage.burst')} value={limits.rateBurst} hint={t('portal.usage.burstHint')} />
      <Stat
        label={t('portal.usage.invites', { most: limits.invitesPerDay })}
        value={t('portal.usage.invitesOf', { used: invited, most: limits.invitesPerDay })}
        hint={t('portal.usage.invitesLeft', {
          count: Math.max(0, limits.invitesPerDay - invited),
          most: limits.invitesPerDay,
        })}
      />
    </Stats>
    <p>{rich('portal.usage.left')}</p>
    <Code
      label={t('portal.usage.headers')}
    >{`RateLimit-Policy: ${formatPolicy('app', { burst: limits.rateBurst, perSecond: limits.ratePerSecond })}
RateLimit: "app";r=${limits.rateBurst - 1};t=1`}</Code>
    <ul>
      <li>{rich('portal.usage.not304')}</li>
      <li>{rich('portal.usage.on429', { link: (text) => <a href="/problemas/demasiadas-solicitudes">{text}</a> })}</li>
      <li>{t('portal.usage.more')}</li>
    </ul>
  </Section>
)

const usageColumns = (): readonly Column<UsageBucket>[] => [
  { head: t('portal.usage.from'), text: ({ desde }) => desde },
  { head: t('portal.usage.requests'), text: ({ solicitudes }) => solicitudes },
  { head: t('portal.usage.unchanged'), text: ({ sin_cambios }) => sin_cambios },
  { head: t('portal.usage.errors'), text: ({ errores }) => errores },
  { head: t('portal.usage.limited'), text: ({ limitadas }) => limitadas },
  { head: t('portal.usage.failuresShort'), text: ({ fallas }) => fallas },
  { head: t('portal.usage.delivered'), text: ({ entregadas }) => entregadas },
  { head: t('portal.usage.failedAttempts'), text: ({ intentos_fallidos }) => intentos_fallidos },
  { head: t('portal.usage.abandoned'), text: ({ abandonadas }) => abandonadas },
]

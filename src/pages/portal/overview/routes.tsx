import type { ComponentChildren } from 'preact'
import { type Counts, usageOf } from '../../../apps/usage-store.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { translateError } from '../../../webhooks/send/explain.ts'
import { hasFailedDeliveries } from '../../../webhooks/status-queries.ts'
import { isEnabled, type Webhook } from '../../../webhooks/store.ts'
import { formatPercent, Moment } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, SecondaryLink, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { Stat, Stats, sumOf, UsagePlots } from '../../usage.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { type Progress, progressOf, stepsOf } from '../puesta-en-marcha/progress.ts'
import { ProgressBar } from '../puesta-en-marcha/routes.tsx'
import { webhookPath, webhookTitle } from '../webhooks/destino.ts'
import { HealthBadge } from '../webhooks/pages.tsx'

const HOURS = 24

/** /portal/{AppKey} */
export function overviewRoutes(app: PortalPages, deps: PageDeps): void {
  app.get('', async ({ ctx }, reply) => page(reply, await overviewPage(deps, ctx)))
}

async function overviewPage(deps: PageDeps, ctx: PortalContext) {
  const { app, basePath, timeZone } = ctx
  const period = { appId: app.id, step: 'hour', count: HOURS, timeZone } as const
  const [periods, progress] = await Promise.all([usageOf(await ctx.reader(), period), progressOf(deps, app)])
  const sum = sumOf(periods)
  const hasFailed = sum.abandonadas > 0 && (await hasFailedDeliveries(deps.store, app))
  const rejected = formatPercent(sum.errores + sum.limitadas + sum.fallas, sum.solicitudes)
  return (
    <PortalPage
      ctx={ctx}
      title={t('portal.nav.summary')}
      actions={<SecondaryLink href={`${basePath}/probar`}>{t('portal.try.title')}</SecondaryLink>}
    >
      <Attention ctx={ctx} progress={progress} sum={sum} hasFailed={hasFailed} />
      <h2 class="visually-hidden">{t('portal.overview.last24')}</h2>
      <Stats>
        <Stat
          label={t('portal.overview.calls')}
          value={sum.solicitudes}
          href={`${basePath}/uso`}
          hint={t('portal.overview.in24')}
        />
        <Stat
          label={t('portal.overview.refused')}
          value={rejected}
          href={`${basePath}/uso`}
          hint={t('portal.overview.refusedHint')}
        />
        <Stat
          label={t('portal.usage.delivered')}
          value={sum.entregadas}
          href={`${basePath}/entregas?estado=entregada`}
          hint={t('portal.overview.in24')}
        />
        <Stat
          label={t('portal.usage.failedAttempts')}
          value={sum.intentos_fallidos}
          href={`${basePath}/entregas${hasFailed ? '?estado=fallida' : ''}`}
          hint={t('portal.overview.abandoned', { count: sum.abandonadas })}
        />
      </Stats>
      <div class="with-side">
        <Webhooks ctx={ctx} webhooks={progress.webhooks} />
        <Next ctx={ctx} progress={progress} />
      </div>
      <UsagePlots periods={periods} step="hour" timeZone={timeZone} />
    </PortalPage>
  )
}

interface Props {
  ctx: PortalContext
  progress: Progress
}

interface AttentionProps extends Props {
  sum: Counts
  /** Some deliveries that were given up lately can be resent. */
  hasFailed: boolean
}

function Attention({ ctx: { basePath }, progress: { webhooks, check }, sum, hasFailed }: AttentionProps) {
  const off = webhooks.filter(({ disabledAt }) => disabledAt !== null)
  const failing = webhooks.filter((webhook) => isEnabled(webhook) && webhook.failures > 0)
  const acceptsForgeries = check && !check.refused && check.status !== null && check.status < 300
  if (off.length + failing.length + sum.limitadas === 0 && !hasFailed && !acceptsForgeries) return null
  const linkTo = (path: string) => (text: ComponentChildren) => <a href={basePath + path}>{text}</a>
  return (
    <section class="faults to-do" aria-labelledby="atender">
      <h2 id="atender">{t('portal.overview.attention')}</h2>
      <ul>
        {off.map((webhook) => (
          <li key={webhook.id}>
            {rich('portal.overview.off', {
              topic: webhookTitle(webhook, webhooks),
              link: linkTo(webhookPath('', webhook)),
            })}{' '}
            {translateError(webhook.lastError ?? '')}
          </li>
        ))}
        {failing.map((webhook) => (
          <li key={webhook.id}>
            {rich('portal.overview.failing', {
              topic: webhookTitle(webhook, webhooks),
              failures: webhook.failures,
              link: linkTo(webhookPath('', webhook)),
            })}{' '}
            {translateError(webhook.lastError ?? '')}
          </li>
        ))}
        {hasFailed && (
          <li>
            {rich('portal.overview.resend', { count: sum.abandonadas, link: linkTo('/entregas?estado=fallida') })}
          </li>
        )}
        {sum.limitadas > 0 && (
          <li>{rich('portal.overview.limited', { count: sum.limitadas, link: linkTo('/uso') })}</li>
        )}
        {acceptsForgeries && (
          <li>{rich('portal.overview.forgery', { link: linkTo('/puesta-en-marcha#firma-falsa') })}</li>
        )}
      </ul>
    </section>
  )
}

function Webhooks({ ctx, webhooks }: { ctx: PortalContext; webhooks: readonly Webhook[] }) {
  return (
    <Section title={t('portal.nav.webhooks')}>
      {webhooks.length === 0 ? (
        <p class="empty">
          {rich('portal.overview.noWebhook', { link: (text) => <a href={`${ctx.basePath}/webhooks`}>{text}</a> })}
        </p>
      ) : (
        <ul class="rows">
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <span>
                <a href={webhookPath(ctx.basePath, webhook)}>{webhookTitle(webhook, webhooks)}</a>
                <span class="hint">{new URL(webhook.callback).host}</span>
              </span>
              {webhook.lastDeliveryAt && (
                <span class="hint">
                  <Moment at={webhook.lastDeliveryAt} when={ctx} />
                </span>
              )}
              <HealthBadge webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Next({ ctx, progress }: Props) {
  const { count, done, next } = stepsOf(ctx.app, progress)
  return (
    <section class="card">
      <h2>{t('portal.nav.start')}</h2>
      <ProgressBar done={done} of={count} />
      {next ? (
        <>
          <h3>{t('portal.overview.next', { step: next.title })}</h3>
          <p>{next.how}</p>
          <p class="row">
            <ButtonLink href={next.link.href}>{next.link.label}</ButtonLink>
            <a href={`${ctx.basePath}/puesta-en-marcha`}>{t('portal.overview.allSteps')}</a>
          </p>
        </>
      ) : (
        <p>
          {rich('portal.overview.done', { link: (text) => <a href={`${ctx.basePath}/puesta-en-marcha`}>{text}</a> })}
        </p>
      )}
    </section>
  )
}

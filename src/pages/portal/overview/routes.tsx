import { type Counts, type UsageBucket, usageOf } from '../../../apps/usage-store.ts'
import { isEnabled, type Webhook } from '../../../webhooks/store.ts'
import { DocsLinks } from '../../docs/contents.tsx'
import { formatNumber, formatPercent, Moment } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, SecondaryLink, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { Stat, Stats, sumOf, UsagePlots } from '../../usage.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { type Progress, progressOf, stepsOf } from '../puesta-en-marcha/progress.ts'
import { ProgressBar } from '../puesta-en-marcha/routes.tsx'
import { HealthBadge } from '../webhooks/pages.tsx'

const HOURS = 24

/** /portal/{AppKey} */
export function overviewRoutes(app: PortalPages, deps: PageDeps): void {
  const { config } = deps
  app.get('', async ({ ctx }, reply) => {
    const period = { appId: ctx.app.id, step: 'hour', count: HOURS, timeZone: config.timeZone } as const
    const [periods, progress] = await Promise.all([usageOf(await ctx.reader(), period), progressOf(deps, ctx.app)])
    return page(reply, overviewPage(ctx, periods, progress))
  })
}

function overviewPage(ctx: PortalContext, periods: readonly UsageBucket[], progress: Progress) {
  const { basePath, timeZone } = ctx
  const sum = sumOf(periods)
  const rejected = formatPercent(sum.errores + sum.limitadas + sum.fallas, sum.solicitudes)
  return (
    <PortalPage
      ctx={ctx}
      section=""
      title="Resumen"
      actions={<SecondaryLink href={`${basePath}/probar`}>Probar la API</SecondaryLink>}
    >
      <Attention ctx={ctx} progress={progress} sum={sum} />
      <h2 class="visually-hidden">Las últimas 24 horas</h2>
      <Stats>
        <Stat label="Solicitudes" value={sum.solicitudes} href={`${basePath}/uso`} hint="en 24 horas" />
        <Stat label="Rechazadas" value={rejected} href={`${basePath}/uso`} hint="4xx y 5xx" />
        <Stat
          label="Notificaciones entregadas"
          value={sum.entregadas}
          href={`${basePath}/entregas?estado=entregada`}
          hint="en 24 horas"
        />
        <Stat
          label="Intentos fallidos"
          value={sum.intentos_fallidos}
          href={`${basePath}/entregas?estado=fallida`}
          hint={sum.abandonadas > 0 ? `${formatNumber(sum.abandonadas)} abandonados` : 'ninguno abandonado'}
        />
      </Stats>
      <div class="with-side">
        <Webhooks ctx={ctx} webhooks={progress.webhooks} />
        <Next ctx={ctx} progress={progress} />
      </div>
      <UsagePlots periods={periods} step="hour" timeZone={timeZone} />
      <DocsLinks />
    </PortalPage>
  )
}

interface Props {
  ctx: PortalContext
  progress: Progress
}

function Attention({ ctx: { basePath }, progress: { webhooks, check }, sum }: Props & { sum: Counts }) {
  const off = webhooks.filter(({ disabledAt }) => disabledAt !== null)
  const failing = webhooks.filter((webhook) => isEnabled(webhook) && webhook.failures > 0)
  const acceptsForgeries = check && !check.refused && check.status !== null && check.status < 300
  if (off.length + failing.length + sum.abandonadas + sum.limitadas === 0 && !acceptsForgeries) return null
  return (
    <section class="faults to-do" aria-labelledby="atender">
      <h2 id="atender">Para atender</h2>
      <ul>
        {off.map(({ topic, lastError }) => (
          <li key={topic}>
            <a href={`${basePath}/webhooks/${topic}`}>{topic}</a> está deshabilitado: no recibe nada. {lastError}
          </li>
        ))}
        {failing.map(({ topic, failures, lastError }) => (
          <li key={topic}>
            <a href={`${basePath}/webhooks/${topic}`}>{topic}</a>{' '}
            {failures === 1 ? 'falló la última vez.' : `falló ${formatNumber(failures)} veces seguidas.`} {lastError}
          </li>
        ))}
        {sum.abandonadas > 0 && (
          <li>
            <a href={`${basePath}/entregas?estado=fallida`}>
              {formatNumber(sum.abandonadas)} notificaciones abandonadas
            </a>{' '}
            en 24 horas: puede reenviarlos.
          </li>
        )}
        {sum.limitadas > 0 && (
          <li>
            <a href={`${basePath}/uso`}>{formatNumber(sum.limitadas)} solicitudes sobre el límite</a> en 24 horas:
            espere lo que dice Retry-After.
          </li>
        )}
        {acceptsForgeries && (
          <li>
            Su receptor <a href={`${basePath}/puesta-en-marcha#firma-falsa`}>aceptó una firma falsa</a>.
          </li>
        )}
      </ul>
    </section>
  )
}

function Webhooks({ ctx, webhooks }: { ctx: PortalContext; webhooks: readonly Webhook[] }) {
  return (
    <Section title="Webhooks">
      {webhooks.length === 0 ? (
        <p class="empty">
          Todavía no hay ninguno: su app no se entera de lo que pasa.{' '}
          <a href={`${ctx.basePath}/webhooks`}>Configure el primero</a>.
        </p>
      ) : (
        <ul class="rows">
          {webhooks.map((webhook) => (
            <li key={webhook.topic}>
              <span>
                <a href={`${ctx.basePath}/webhooks/${webhook.topic}`}>{webhook.topic}</a>
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
      <h2>Puesta en marcha</h2>
      <ProgressBar done={done} of={count} />
      {next ? (
        <>
          <h3>Siguiente: {next.title}</h3>
          <p>{next.how}</p>
          <p class="row">
            <ButtonLink href={next.link.href}>{next.link.label}</ButtonLink>
            <a href={`${ctx.basePath}/puesta-en-marcha`}>Ver todos los pasos</a>
          </p>
        </>
      ) : (
        <p>
          Su app hizo todo lo que hace falta. <a href={`${ctx.basePath}/puesta-en-marcha`}>Ver los pasos</a>
        </p>
      )}
    </section>
  )
}

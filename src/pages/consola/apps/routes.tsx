import { listMembers, pendingMembers } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { listSecrets } from '../../../apps/secrets.ts'
import type { AppOverview } from '../../../apps/store.ts'
import { usageOf } from '../../../apps/usage-store.ts'
import { withQuery } from '../../../http/links.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { translateError } from '../../../webhooks/send/explain.ts'
import { isAvailable, listWebhooks, type Webhook } from '../../../webhooks/store.ts'
import { logFilters, nameAfterTopic } from '../../entregas/destino.ts'
import { Acts } from '../../fields.tsx'
import { Moment, type TimeContext } from '../../format.tsx'
import { serveList } from '../../list.tsx'
import { refusedStatus } from '../../overtaken.ts'
import { page } from '../../page.ts'
import { Copyable, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import type { ByAppKey, PageDeps } from '../../signed-in.ts'
import { type Column, Table } from '../../table.tsx'
import { Stat, Stats, UsagePlots } from '../../usage.tsx'
import { type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge } from '../context.tsx'
import { appKeysRoutes, Keys, newAppRoutes } from './claves.tsx'
import { APPS, APPS_LIST, AppEstado, appAt, appHref } from './list.tsx'
import { AppData, appSettingsRoutes, LimitsForm, type RefusedForm, Team, Topics } from './settings.tsx'

/** /consola/apps: the partners' apps. */
export function appsRoutes(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/apps', deps, APPS_LIST)

  newAppRoutes(app, deps)

  app.get<ByAppKey>('/apps/:appKey', async ({ ctx, params }, reply) => {
    const found = await appAt(deps, params.appKey)
    await ctx.audit('app.leer', found.appKey)
    return page(reply, await appPage(deps, ctx, found))
  })

  appSettingsRoutes(app, deps, async (reply, ctx, appKey, refused) =>
    page(reply, await appPage(deps, ctx, await appAt(deps, appKey), refused), refusedStatus(refused)),
  )
  appKeysRoutes(app, deps)
}

async function appPage(deps: PageDeps, ctx: ConsoleContext, app: AppOverview, refused?: RefusedForm) {
  const { store, seal, config } = deps
  const { timeZone } = config
  const [secrets, usage, members, pending, webhooks] = await Promise.all([
    listSecrets(store, app.id),
    usageOf(store, { appId: app.id, step: 'day', count: USAGE_DAYS, timeZone }),
    listMembers(store, app.id),
    pendingMembers(store, app.id),
    listWebhooks(store, seal, app),
  ])
  const of = (form: RefusedForm['form']) => (refused?.form === form ? refused : undefined)
  return (
    <ConsolePage
      ctx={ctx}
      title={app.nombre}
      script
      parentLink={{ href: APPS, label: t('consola.nav.apps') }}
      intro={
        <p class="facts">
          <AppEstado disabled={app.disabled} />
          {app.disabledAt && (
            <span>
              {rich(app.disabledReason ? 'portal.disabled.sinceReason' : 'portal.disabled.since', {
                moment: <Moment at={app.disabledAt} when={ctx} />,
                reason: app.disabledReason,
              })}
            </span>
          )}
          <ModoBadge modo={app.modo} />
          <Copyable id="app-key" what={t('consola.apps.theAppKey')}>
            {app.appKey}
          </Copyable>
          <span>{rich('consola.app.created', { moment: <Moment at={app.creada} when={ctx} /> })}</span>
        </p>
      }
      actions={
        app.disabled ? (
          <PostButton action={`${appHref(app)}/habilitar`}>{t('consola.app.enable')}</PostButton>
        ) : (
          <Acts>
            <SecondaryLink href={`${appHref(app)}/deshabilitar`}>{t('consola.app.disable')}</SecondaryLink>
          </Acts>
        )
      }
    >
      <Tiles app={app} />
      <section aria-label={t('portal.nav.usage')}>
        <UsagePlots periods={usage} step="day" timeZone={timeZone} />
      </section>
      <Section id="webhooks" title={t('consola.app.webhooks')}>
        <Table
          caption={t('consola.app.webhooks.caption')}
          columns={webhookColumns(app, ctx)}
          rows={webhooks}
          empty={<p>{t('consola.app.webhooks.none')}</p>}
        />
      </Section>
      <Keys app={app} secrets={secrets} when={ctx} />
      <LimitsForm app={app} defaults={config} refused={of('limites')} />
      <Topics app={app} refused={of('temas')} />
      <Team app={app} members={members} pending={pending} when={ctx} refused={of('equipo')} />
      <AppData app={app} refused={of('datos')} />
    </ConsolePage>
  )
}

const Tiles = ({ app: { appKey, agencias, solicitudes, entregadas, intentosFallidos } }: { app: AppOverview }) => (
  <Stats>
    <Stat label={t('consola.app.agencies')} value={agencias} href={`/consola/agencias?app=${appKey}`} />
    <Stat label={t('consola.apps.requests')} value={solicitudes} />
    <Stat label={t('consola.apps.deliveries')} value={entregadas} href={`/consola/entregas?app=${appKey}`} />
    <Stat label={t('consola.apps.failed')} value={intentosFallidos} />
  </Stats>
)

const USAGE_DAYS = 14

const webhookColumns = (app: App, when: TimeContext): Column<Webhook>[] => [
  {
    head: t('entregas.topic'),
    cell: (webhook) => (
      <span>
        <a href={withQuery('/consola/entregas', { app: app.appKey, ...logFilters(webhook) })}>{webhook.topic}</a>
        {nameAfterTopic(webhook)}
      </span>
    ),
  },
  {
    head: t('consola.head.state'),
    cell: (webhook) => <Health {...webhook} available={isAvailable(app, webhook.topic)} />,
  },
  {
    head: t('portal.webhooks.address'),
    // The query may hold a password of theirs.
    cell: ({ callback }) => <span class="anywhere">{callback.split('?')[0]}</span>,
  },
  {
    head: t('consola.app.lastDelivery'),
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt ? <Moment at={lastDeliveryAt} when={when} short /> : t('consola.app.noDelivery'),
  },
  { head: t('consola.head.lastError'), cell: ({ lastError }) => (lastError ? translateError(lastError) : '–') },
]

function Health({ available, activo, disabledAt, failures, lastDeliveryAt }: Webhook & { available: boolean }) {
  if (!available) return <span class="badge error">{t('consola.app.health.denied')}</span>
  if (disabledAt) return <span class="badge error">{t('portal.webhooks.health.deshabilitado')}</span>
  if (!activo) return <span class="badge">{t('portal.webhooks.health.suspendido')}</span>
  if (failures > 0) return <span class="badge attention">{t('consola.apps.failedTimes', { count: failures })}</span>
  return lastDeliveryAt ? (
    <span class="badge ok">{t('portal.webhooks.health.bien')}</span>
  ) : (
    <span class="badge">{t('portal.webhooks.health.sin-entregas')}</span>
  )
}

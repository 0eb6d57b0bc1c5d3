import type { App } from '../../../apps/app.ts'
import { DAY_MS } from '../../../clock.ts'
import { withQuery } from '../../../http/links.ts'
import { Problem } from '../../../http/problems.ts'
import { message, rich, t } from '../../../i18n/messages.tsx'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import type { NotificacionesDeps } from '../../../resources/appnotificaciones/settings.ts'
import { isUnavailable } from '../../../store/circuit-breaker.ts'
import { FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import type { LogFilter } from '../../../webhooks/delivery-log.ts'
import { isAvailable, isEnabled, isVerified, listWebhooks, type Webhook } from '../../../webhooks/store.ts'
import { estimateResendable, type TopicFilter } from '../../../webhooks/topic-log.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { asLocal, deliveryFilters, type LogFilters, UNSENT } from '../../entregas/filters.tsx'
import { Hidden } from '../../fields.tsx'
import { parseFilters } from '../../filter.tsx'
import { formRoute } from '../../form.ts'
import { formatNumber } from '../../format.tsx'
import { page } from '../../page.ts'
import type { Query, WithQuery } from '../../params.ts'
import { SecondaryLink, Section } from '../../parts.tsx'
import { SearchForm } from '../../search-form.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, Table } from '../../table.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { webhookPath } from '../webhooks/destino.ts'
import { appLogFilter } from './routes.tsx'

/** /portal/{AppKey}/entregas/reenviar: sends many deliveries again, after a preview. */
export function resendRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone } = config

  app.get<WithQuery>('/entregas/reenviar', async (request, reply) => {
    const { ctx } = request
    const query = ctx.openMails(request.query)
    const params = setFilters(query)
    const isSearch = query.previa === 'si'
    const isClear = Object.keys(deliveryFilters()).every((name) => name in params || !query[name])
    const filters: LogFilters = {
      ...(!(isSearch && isClear) && {
        estado: UNSENT,
        desde: asLocal(new Date(ctx.now.getTime() - DAY_MS), timeZone),
      }),
      ...(isClear && { hasta: asLocal(ctx.now, timeZone) }), // not what comes after the preview
      ...params,
    }
    const found = isClear
      ? await preview(deps, ctx.app, await appLogFilter(store, ctx.app, filters, timeZone))
      : undefined
    return page(reply, resendPage({ ctx, filters, found, isFirst: Object.keys(params).length === 0 && !isSearch }))
  })

  app.post('/entregas/reenviar', formRoute(500), async ({ ctx, form }, reply) => {
    const filters = filtersIn(form)
    const { sent, isComplete } = await resendAll(deps, ctx.app, await appLogFilter(store, ctx.app, filters, timeZone))
    await ctx.audit('entregas.reenviar', ctx.app.appKey, { ...filters, cantidad: sent })
    const { estado: _, ...rest } = filters
    const done = isComplete ? 'entregas-reenviadas' : 'entregas-reenviadas-en-parte'
    return redirectWithNotice(
      reply,
      sent > 0 ? done : 'nada-reenviado',
      withQuery(`${ctx.basePath}/entregas`, ctx.sealMails(rest)),
    )
  })
}

const setFilters = (query: Query): LogFilters =>
  Object.fromEntries(Object.entries(parseFilters(deliveryFilters(), query)).filter(([, value]) => value !== undefined))

/** The filters of the form; 400 unless there is at least one and each is valid and given once. */
function filtersIn(form: URLSearchParams): LogFilters {
  const filters = setFilters(Object.fromEntries(form))
  const names = Object.keys(filters)
  const isClear = names.length > 0 && form.size === names.length && names.every((name) => form.has(name))
  if (!isClear) throw new Problem('solicitud-invalida', t('portal.resend.unclear'))
  return filters
}

interface Props {
  ctx: PortalContext
  filters: LogFilters
  /** What the search finds; undefined where a filter makes no sense. */
  found: Resendable[] | undefined
}

function resendPage({ ctx, filters, found, isFirst }: Props & { isFirst: boolean }) {
  const list = `${ctx.basePath}/entregas`
  return (
    <PortalPage
      ctx={ctx}
      title={t('portal.resend.title')}
      parentLink={{ href: list, label: t('entregas.title') }}
      intro={t('portal.resend.intro')}
    >
      <Section title={t('portal.resend.choose')}>
        {isFirst && <p class="hint">{t('portal.resend.first')}</p>}
        <SearchForm
          action={`${list}/reenviar`}
          params={{ previa: 'si' }}
          filters={deliveryFilters()}
          values={filters}
        />
      </Section>
      {found && (
        <Section title={t('portal.resend.check')}>
          <Preview list={list} ctx={ctx} filters={filters} found={found} />
        </Section>
      )}
    </PortalPage>
  )
}

function Preview({ list, ctx, filters, found }: Props & { list: string; found: Resendable[] }) {
  const on = found.filter(({ webhook }) => webhook === 'on')
  const count = on.reduce((sum, each) => sum + each.count, 0)
  const more = on.some((each) => each.more)
  return (
    <>
      <Table
        caption={t('portal.resend.caption')}
        columns={columns(ctx)}
        rows={found}
        empty={
          <>
            <h3>{t('portal.resend.nothing')}</h3>
            <p>{rich('portal.resend.widen', { link: (text) => <a href={`${list}?estado=${UNSENT}`}>{text}</a> })}</p>
          </>
        }
      />
      {(count > 0 || more) && (
        <form method="post" action={`${list}/reenviar`} class="row">
          <Hidden values={filters} />
          <button type="submit">{more ? t('portal.resend.sendAll') : t('portal.resend.send', { count })}</button>
          <SecondaryLink href={withQuery(list, ctx.sealMails(filters))}>{t('comun.confirm.back')}</SecondaryLink>
        </form>
      )}
    </>
  )
}

const columns = (ctx: PortalContext): Column<Resendable>[] => [
  {
    head: t('entregas.topic'),
    cell: ({ topic, destino }) => (
      <>
        <code>{topic}</code>
        {destino !== FIRST_DESTINO && ` · ${t('entregas.destino', { destino })}`}
      </>
    ),
  },
  {
    head: t('portal.resend.notifications'),
    cell: ({ count, more }) => (more ? t('portal.resend.orMore', { count }) : formatNumber(count)),
    number: true,
  },
  {
    head: 'Webhook',
    cell: ({ topic, destino, webhook }) =>
      webhook === 'on' ? (
        <span class="badge ok">{t('portal.resend.on')}</span>
      ) : (
        <span>
          <span class="badge attention">{t(`portal.resend.why.${webhook}`)}</span> {t('portal.resend.notSent')}{' '}
          <a href={webhookPath(ctx.basePath, { topic, destino })}>{t(`portal.resend.remedy.${webhook}`)}</a>
        </span>
      ),
  },
]

interface Resendable {
  topic: Topic
  destino: number
  /** Counted among the newest only, where there are `more`. */
  count: number
  more: boolean
  webhook: 'on' | 'off' | 'missing' | 'unverified'
}

/** A search as filters of the API's resend, which takes one agency at a time and separates events from inquiries. */
function filtersFor({ agencias, formerMail, about, ...rest }: LogFilter, destino: number): TopicFilter[] {
  const { estados, from, until } = rest
  // A further endpoint gets what came before it only where the filter names it.
  const queuedOnly = rest.destino === undefined && destino !== FIRST_DESTINO
  const filter: TopicFilter = { destino, queuedOnly, from, until, ...(estados && { estados: [...estados] }) }
  if (about !== undefined)
    return [
      { ...filter, evento: about },
      { ...filter, sid: about },
    ]
  if (formerMail !== undefined) return [{ ...filter, agencia: { adminMail: formerMail } }]
  return agencias?.map((id) => ({ ...filter, agencia: { id } })) ?? [filter]
}

async function preview(deps: NotificacionesDeps, app: App, filter: LogFilter): Promise<Resendable[]> {
  const webhooks = await listWebhooks(deps.store, deps.seal, app)
  const found: Resendable[] = []
  for (const { topic, destino, webhook } of targetsOf(app, webhooks, filter)) {
    let count = 0
    let more = false
    const agencias = webhook?.agencias ?? null
    for (const each of filtersFor(filter, destino)) {
      const estimate = await estimateResendable(deps.store, app, { topic, agencias }, each)
      count += estimate.count
      more ||= estimate.more
    }
    if (count > 0 || more) found.push({ topic, destino, count, more, webhook: stateOf(app, webhooks, webhook) })
  }
  return found
}

/** Sends the events again to each webhook that is on. What follows a refused batch is not sent. */
async function resendAll(deps: NotificacionesDeps, app: App, filter: LogFilter) {
  const webhooks = await listWebhooks(deps.store, deps.seal, app)
  let sent = 0
  const targets = targetsOf(app, webhooks, filter).filter(({ webhook }) => stateOf(app, webhooks, webhook) === 'on')
  try {
    for (const { topic, destino } of targets)
      for (const each of filtersFor(filter, destino))
        for await (const count of resendBatches(deps, app, topic, each)) sent += count
  } catch (error) {
    const isRefused = error instanceof Problem || isUnavailable(error)
    // Each batch is committed: after an error, people would send these again.
    if (sent > 0 && isRefused) return { sent, isComplete: false }
    throwForPeople(error)
  }
  return { sent, isComplete: true }
}

/** The number of those sent, for each batch; a webhook that is turned off meanwhile gets no more. */
async function* resendBatches(deps: NotificacionesDeps, app: App, topic: Topic, filter: TopicFilter) {
  for (let after: string | undefined; ; ) {
    try {
      const { count, last } = await resendMatching(deps, app, topic, { ...filter, after })
      yield count
      if (last === undefined) return
      after = last
    } catch (error) {
      if (error instanceof Problem && error.status === 400) return
      throw error
    }
  }
}

/** The text of the API is for programs: it says to wait for their responses. */
function throwForPeople(error: unknown): never {
  const isBusy = error instanceof Problem && error.code === 'solicitudes-en-curso'
  if (!isBusy) throw error
  const { name, code, headers } = error
  throw new Problem(name, message('entregas.busy'), { code, headers })
}

/** An agency that left the app has only the event of its leaving. */
const topicsOf = (app: App, { topic, formerMail }: LogFilter): Topic[] =>
  TOPICS.filter(
    (each) =>
      isAvailable(app, each) &&
      (topic === undefined || topic === each) &&
      (formerMail === undefined || each === 'agencia.desasociada'),
  )

interface Target extends Pick<Resendable, 'topic' | 'destino'> {
  webhook: Webhook | undefined
}

/** The webhooks that the filter names; the first of a topic also where the app has none. */
const targetsOf = (app: App, webhooks: Webhook[], filter: LogFilter): Target[] =>
  topicsOf(app, filter).flatMap((topic) => {
    const ofTopic = webhooks.filter((each) => each.topic === topic)
    const all = new Set([FIRST_DESTINO, ...ofTopic.map(({ destino }) => destino)])
    const destinos = filter.destino === undefined ? [...all] : [filter.destino]
    return destinos.map((destino) => ({
      topic,
      destino,
      webhook: ofTopic.find((each) => each.destino === destino),
    }))
  })

function stateOf(app: App, webhooks: Webhook[], webhook: Webhook | undefined): Resendable['webhook'] {
  if (!webhook) return 'missing'
  if (!isEnabled(webhook)) return 'off'
  return isVerified(app, webhook, webhooks) ? 'on' : 'unverified'
}

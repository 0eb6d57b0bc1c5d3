import type { ComponentChildren } from 'preact'
import {
  CALL_LOG_DAYS,
  type Call,
  callsVersion,
  findCall,
  listCalls,
  MAX_PER_SECOND,
  MAX_SEARCHED,
} from '../../../apps/call-log.ts'
import { CODE_LIST } from '../../../http/codes.ts'
import { notFound, titleOf } from '../../../http/problems.ts'
import { DEFAULT_LOCALE } from '../../../i18n/locale.ts'
import { hasMessage, type Message, rich, t, textOf } from '../../../i18n/messages.tsx'
import { momentOf } from '../../../ulid.ts'
import { idsOf, periodFilters } from '../../entregas/filters.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { formatDuration, Timestamp } from '../../format.tsx'
import { defineList, orderedPage, serveList, timeOrders } from '../../list.tsx'
import { page } from '../../page.ts'
import { ButtonLink, Code, Facts, FoldingJson, Method, Section, Status } from '../../parts.tsx'
import { codeHref } from '../../problemas/codes.tsx'
import type { ById, PageDeps } from '../../signed-in.ts'
import { type Column, RowLink } from '../../table.tsx'
import { PORTAL, type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { callTarget, METODOS } from '../probar/call.ts'

/** /portal/{AppKey}/llamadas: the calls of the app to the API. */
export function callsRoutes(app: PortalPages, deps: PageDeps): void {
  serveList(app, '/llamadas', deps, CALLS)

  app.get<ById>('/llamadas/:id', async ({ ctx, params }, reply) => {
    const call = await findCall(await ctx.reader(), ctx.app.id, params.id, ctx.now)
    if (!call) throw notFound(t('portal.calls.gone', { days: CALL_LOG_DAYS }))
    return page(reply, callPage({ ctx, call }))
  })
}

const estados = () =>
  [
    ['4', t('portal.calls.refused')],
    ['5', t('portal.calls.failed')],
    ['2', t('portal.calls.ok')],
    ['3', t('portal.calls.unchanged')],
    ['400', '400'],
    ['401', '401'],
    ['404', '404'],
    ['409', '409'],
    ['429', '429'],
  ] as const

const CALLS = defineList(() => ({
  audience: PORTAL,
  section: '/llamadas',
  title: t('portal.calls.title'),
  filters: {
    q: searchFilter(t('portal.calls.search'), t('portal.calls.searchHint')),
    metodo: selectFilter(t('portal.calls.method'), t('portal.calls.allMethods'), METODOS),
    estado: selectFilter(t('portal.calls.response'), t('portal.calls.allResponses'), estados()),
    ...periodFilters(CALL_LOG_DAYS),
  },
  orders: timeOrders(),
  live: {
    seconds: 3,
    async version({ store, calls }, ctx) {
      await calls.flush()
      return callsVersion(store, ctx.app.id)
    },
  },
  intro: t('portal.calls.intro', { days: CALL_LOG_DAYS, most: MAX_PER_SECOND }),
  async load({ store, config }, request) {
    const { ctx, filters } = request
    const { q: text, metodo, estado, desde, hasta } = filters
    const filter = { text, metodo, ...(estado && { estado: Number(estado) }), ...idsOf(desde, hasta, config.timeZone) }
    return orderedPage(request, 'id', (cursor) => listCalls(store, ctx.app.id, filter, cursor, ctx.now))
  },
  columns: (ctx) => columns(ctx),
  empty: ({ ctx: { basePath } }) => ({
    none: rich('portal.calls.none', {
      days: CALL_LOG_DAYS,
      link: (text) => <a href={`${basePath}/probar`}>{text}</a>,
    }),
    noMatch: t('portal.calls.noMatch', { most: MAX_SEARCHED }),
    all: t('portal.calls.all'),
  }),
}))

const columns = (ctx: PortalContext): Column<Call>[] => [
  {
    head: t('portal.calls.moment'),
    cell: ({ id }) => (
      <RowLink href={`${ctx.basePath}/llamadas/${id}`}>
        <Timestamp at={momentOf(id)} when={ctx} short />
      </RowLink>
    ),
    text: ({ id }) => momentOf(id),
    sort: 'fecha',
  },
  {
    head: t('portal.calls.call'),
    cell: (call) => (
      <span class="named">
        <Method name={call.metodo.toLowerCase()} /> <code class="anywhere">{call.ruta}</code>
        {call.agencia && <span class="hint below">{call.agencia.nombre}</span>}
      </span>
    ),
    text: ({ metodo, ruta }) => `${metodo} ${ruta}`,
  },
  {
    head: t('portal.calls.response'),
    cell: ({ estado, codigo }) => (
      <span>
        <Status code={estado} /> {codigo && <code class="hint">{codigo}</code>}
      </span>
    ),
    text: ({ estado }) => estado,
  },
  { head: t('portal.calls.code'), text: ({ codigo }) => codigo },
  {
    head: t('portal.calls.duration'),
    cell: ({ ms }) => formatDuration(Math.max(1, Math.round(ms))),
    number: true,
  },
  { head: t('portal.calls.milliseconds'), text: ({ ms }) => Math.round(ms) },
]

function callPage({ ctx, call }: { ctx: PortalContext; call: Call }) {
  const { id, metodo, ruta, estado, ms, codigo, problema, cuerpo, agencia, portal } = call
  return (
    <PortalPage
      ctx={ctx}
      title={`${metodo} ${ruta.split('?', 1)[0]}`}
      parentLink={{ href: `${ctx.basePath}/llamadas`, label: t('portal.calls.title') }}
      actions={<ButtonLink href={`${ctx.basePath}/probar?llamada=${id}`}>{t('portal.calls.again')}</ButtonLink>}
    >
      <Facts
        rows={[
          [t('portal.calls.moment'), <Timestamp key="at" at={momentOf(id)} when={ctx} />],
          [t('portal.calls.response'), <Status key="status" code={estado} />],
          [t('portal.calls.duration'), formatDuration(Math.max(1, Math.round(ms)))],
          [t('portal.calls.path'), <code key="ruta">{callTarget(call)}</code>],
          ...(agencia ? ([[t('portal.calls.agency'), agencia.nombre]] as const) : []),
          [t('portal.calls.sentFrom'), portal ? t('portal.calls.fromPortal') : t('portal.calls.fromApp')],
        ]}
      />
      {problema && (
        <Section title={titleOf(estado)}>
          <p>{detailText(problema.detail)}</p>
          {problema.errors && (
            <ul>
              {Object.entries(problema.errors).flatMap(([member, texts]) =>
                texts.map((text) => (
                  <li key={member + text} lang={DEFAULT_LOCALE}>
                    {member !== '_' && <code>{member}</code>} {text}
                  </li>
                )),
              )}
            </ul>
          )}
          {codigo && <p class="hint">{rich('portal.calls.codeIs', { name: codigo, link: linkOf(codigo) })}</p>}
          {estado === 401 && <p class="hint">{t('portal.calls.claimed')}</p>}
        </Section>
      )}
      {cuerpo && (
        <Section title={t('portal.calls.body')}>
          <Code label={t('portal.calls.noValues')}>
            <ShownBody text={cuerpo} />
          </Code>
        </Section>
      )}
    </PortalPage>
  )
}

/** To the page of a code; a node with another version may have refused with one that has none here. */
const linkOf = (codigo: string) => (text: ComponentChildren) =>
  CODE_LIST.some(({ code }) => code === codigo) ? <a href={codeHref(codigo)}>{text}</a> : <span>{text}</span>

/** The message of a node with another version may not be ours. */
const detailText = (detail: string | Message): string =>
  typeof detail === 'string' || hasMessage(detail.key) ? textOf(detail) : ''

/** A body that was too long to be kept whole is no JSON. */
function ShownBody({ text }: { text: string }) {
  try {
    return <FoldingJson value={JSON.parse(text, (_, value) => valueLabel(value))} />
  } catch {
    return <>{text}…</>
  }
}

/** `string 12` and `number` stand for values in the log. */
function valueLabel(value: unknown): unknown {
  if (value === 'number') return t('portal.calls.value.number')
  const [, length] = typeof value === 'string' ? (/^string (\d+)$/.exec(value) ?? []) : []
  return length === undefined ? value : t('portal.calls.value.string', { length: Number(length) })
}

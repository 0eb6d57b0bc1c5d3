import { HOUR_MS } from '../clock.ts'
import { t } from '../i18n/messages.tsx'
import { hrefIn, type QueryParams } from './app-shell.tsx'
import type { AnyList, Shown } from './list-definition.ts'
import { livePart } from './page.ts'
import { Segments } from './parts.tsx'
import { FilterCounts, isAscending, SearchForm } from './search-form.tsx'
import { Pager, Table } from './table.tsx'

export const defaultOrder = ({ orders }: AnyList): string | undefined => orders?.[0]?.[0]

/** The address of the list with these filters and this order, and other parameters. */
function hrefOf({ list, ctx, filters, order }: Shown, params: QueryParams): string {
  const shown = { ...ctx.sealMails(filters as QueryParams), orden: order, ...params }
  const orden = shown.orden === defaultOrder(list) ? undefined : shown.orden
  return hrefIn(list.audience, ctx, list.section, { ...shown, orden })
}

export function ListPage({ shown, form }: { shown: Shown; form: unknown }) {
  const { list, ctx, filters, found, order } = shown
  const { audience, section, parentLink } = list
  const { Page, base } = audience
  const { path = '', params = {} } = base?.(ctx) ?? {}
  const rows = <LiveRows {...shown} />
  return (
    <Page
      ctx={ctx}
      title={list.title}
      script
      parentLink={parentLink}
      actions={list.actions && <Actions {...shown} />}
      intro={typeof list.intro === 'function' ? <Intro {...shown} /> : list.intro}
    >
      {list.top?.(form)}
      {hasFilters(list) && (
        <SearchForm
          action={path + section}
          target="registro"
          params={params}
          filters={list.filters}
          values={filters as QueryParams}
          found={found}
          orders={list.orders}
          order={order}
        />
      )}
      {list.top || list.bottom ? (
        <section>
          {list.heading && <h2>{list.heading}</h2>}
          {rows}
        </section>
      ) : (
        rows
      )}
      {list.bottom?.(shown, form)}
    </Page>
  )
}

const hasFilters = ({ filters }: AnyList): boolean => Object.keys(filters).length > 0

/** They may link to what the filters found, so they change with the filters. */
const Actions = ({ oob, ...shown }: Shown & { oob?: true }) => (
  <div id="acciones" class="row" hx-swap-oob={oob && 'true'}>
    {typeof shown.list.actions === 'function' ? shown.list.actions(shown) : shown.list.actions}
  </div>
)

/** It may contain a count, so it changes with the filters. */
const Intro = ({ oob, ...shown }: Shown & { oob?: true }) => (
  <div id="presentacion" hx-swap-oob={oob && 'true'}>
    {typeof shown.list.intro === 'function' && shown.list.intro(shown)}
  </div>
)

/** What changes on the page when a filter does. */
export const Filtered = (shown: Shown) => (
  <>
    <LiveRows {...shown} />
    {shown.list.actions && <Actions {...shown} oob />}
    {typeof shown.list.intro === 'function' && <Intro {...shown} oob />}
    {hasFilters(shown.list) && <FilterCounts filters={shown.list.filters} values={shown.filters as QueryParams} />}
  </>
)

/**
 * The part of the page that filters replace. The first page of a live list refreshes itself, unless its search was so long that
 * it stopped before the end.
 */
export function LiveRows(shown: Shown) {
  const { list, query, order, version, found } = shown
  const isFirstPage = !query.antes && !query.despues && order === defaultOrder(list)
  const live = isFirstPage && !found.searchedTo ? list.live : undefined
  const paused = query.vivo === 'no'
  const refresh = live && !paused && livePart(hrefOf(shown, { visto: version }), live.seconds)
  return (
    <div id="registro" data-href={hrefOf(shown, {})} {...refresh}>
      {(live || list.filters.desde?.valueAt) && (
        <div class="list-head">
          <Presets {...shown} />
          {live && <Live shown={shown} paused={paused} />}
        </div>
      )}
      <Rows {...shown} />
    </div>
  )
}

const Live = ({ shown, paused }: { shown: Shown; paused: boolean }) => (
  <p class="live">
    {!paused && <span class="live-dot" aria-hidden="true" />}
    <span class="live-text">{paused ? t('comun.list.paused') : t('comun.list.live')}</span>
    <strong class="stale-text" role="status">
      {t('comun.list.stale')}
    </strong>{' '}
    <a href={hrefOf(shown, paused ? {} : { vivo: 'no' })}>{paused ? t('comun.list.resume') : t('comun.list.pause')}</a>
  </p>
)

function Rows(shown: Shown) {
  const { list, found, order } = shown
  const newer = found.newer && hrefOf(shown, found.newer)
  const older = found.older && hrefOf(shown, found.older)
  const ascending = isAscending(order)
  const any = found.rows.length > 0
  return (
    <>
      {any && list.rows ? list.rows(shown) : (any || !found.searchedTo) && <RowTable {...shown} />}
      {found.searchedTo && (
        <p class={any ? 'hint' : 'empty'}>
          {!any && `${t('comun.list.nothingYet')} `}
          {list.searchedTo?.(shown)}
        </p>
      )}
      <Pager
        first={found.first ? hrefOf(shown, {}) : undefined}
        newer={ascending ? older : newer}
        older={ascending ? newer : older}
        csv={any ? hrefOf(shown, { formato: 'csv' }) : undefined}
        labels={list.pagerLabels}
      />
    </>
  )
}

function RowTable(shown: Shown) {
  const { list, ctx, found, order } = shown
  const { orders = [] } = list
  const sorted = orders.length > 1 && { orders, order, hrefOf: (chosen: string) => hrefOf(shown, { orden: chosen }) }
  return (
    <Table
      caption={list.heading ?? list.title}
      columns={list.columns(ctx, shown)}
      rows={found.rows}
      empty={<Nothing {...shown} />}
      {...(sorted && { sorted })}
    />
  )
}

function Nothing(shown: Shown) {
  const { list, ctx, filters, found } = shown
  const { none, noMatch, all } = typeof list.empty === 'function' ? list.empty(shown) : list.empty
  if (!found.newer && !found.first && !Object.values(filters).some(Boolean)) return <p>{none}</p>
  return (
    <p>
      {noMatch} <a href={hrefIn(list.audience, ctx, list.section)}>{all}</a>
    </p>
  )
}

const PRESETS = [
  [24, 'comun.preset.day'],
  [7 * 24, 'comun.preset.week'],
  [30 * 24, 'comun.preset.month'],
] as const
/** A page that was opened a while ago still shows which preset it has. */
const PRESET_TOLERANCE_MS = 10 * 60_000

/** Links that set the filter `desde`, so that a period needs no calendar. */
function Presets(shown: Shown) {
  const { now, timeZone } = shown.ctx
  const { valueAt, keptDays = Number.POSITIVE_INFINITY } = shown.list.filters.desde ?? {}
  if (!valueAt) return null
  const { desde, hasta } = shown.filters as QueryParams
  const spans = PRESETS.filter(([hours]) => hours <= keptDays * 24).map(([hours, label]) => {
    const [earliest, value] = [PRESET_TOLERANCE_MS, 0].map((early) =>
      valueAt(new Date(now.getTime() - hours * HOUR_MS - early), timeZone),
    ) as [string, string]
    const isChosen = hasta === undefined && typeof desde === 'string' && earliest <= desde && desde <= value
    return { label: t(label), href: hrefOf(shown, { desde: value, hasta: undefined }), isChosen }
  })
  const all = { label: t('comun.preset.all'), href: hrefOf(shown, { desde: undefined, hasta: undefined }) }
  return (
    <Segments
      label={t('comun.preset.label')}
      items={[...spans, { ...all, isChosen: desde === undefined && hasta === undefined }]}
    />
  )
}

import { t } from '../i18n/messages.tsx'
import type { QueryParams } from './app-shell.tsx'
import { Hidden, Options } from './fields.tsx'
import type { Filters } from './filter.tsx'
import { FILTRAR } from './filtrar.ts'
import { Icon } from './icon.tsx'
import { appliedPart } from './page.ts'
import { CloseFold, OpenFold } from './parts.tsx'

/** `-fecha`: descending by the columns with `sort: 'fecha'`; without the dash, ascending. */
export type Order = readonly [order: string, label: string]

export const isAscending = (order: string | undefined): boolean => order !== undefined && !order.startsWith('-')

interface SearchFormProps {
  action: string
  params: QueryParams
  filters: Filters
  values: QueryParams
  /** The choices of each `loadedFilter`, by the name of the filter. */
  found?: { choices?: Record<string, readonly (readonly [value: string, label: string])[]> }
  orders?: readonly Order[] | undefined
  order?: string | undefined
  /** The id of the part of the page that changes with the filters; without it, a button sends the form. */
  target?: string
}

type CountProps = Pick<SearchFormProps, 'filters' | 'values'> & { oob?: true }

/** How many filters are set; with a group, how many of its own. */
const countOf = ({ filters, values }: CountProps, group?: string): number =>
  Object.entries(filters).filter(
    ([name, filter]) => filter.field && values[name] !== undefined && (!group || filter.group === group),
  ).length

const groupsOf = (filters: Filters) => [...new Set(Object.values(filters).flatMap(({ group }) => group ?? []))]

/** What says how many filters are set: it changes with the list. */
export const FilterCounts = ({ filters, values }: CountProps) => (
  <>
    <FilterFold filters={filters} values={values} oob />
    {groupsOf(filters).map((group, at) => (
      <GroupCount key={group} filters={filters} values={values} group={group} at={at} oob />
    ))}
  </>
)

const GroupCount = ({ group, at, oob, ...props }: CountProps & { group: string; at: number }) => {
  const count = countOf(props, group)
  return (
    <span id={`grupo-${at}`} hx-swap-oob={oob && 'true'}>
      {count > 0 && ` (${count})`}
    </span>
  )
}

/** Opens the filters on a telephone, and says how many are set. */
const FilterFold = ({ oob, ...props }: CountProps) => {
  const active = countOf(props)
  return (
    <div id="filtros-abrir" hx-swap-oob={oob && 'true'}>
      <OpenFold
        of="filtros"
        icon="sliders-horizontal"
        label={active > 0 ? t('comun.list.filtered', { count: active }) : t('comun.list.filter')}
      />
    </div>
  )
}

/**
 * The form above a list. Filters are in the address, so a search can be sent to a colleague; one with a text is posted,
 * because that may be an email address.
 */
export function SearchForm(props: SearchFormProps) {
  const { action, params, filters, values, found: { choices = {} } = {}, orders = [], order, target } = props
  const all = Object.entries(filters)
  const hidden = Object.fromEntries(all.filter(([, { field }]) => !field).map(([name]) => [name, values[name]]))
  const inGroup = (group: string | undefined) => all.filter(([, filter]) => filter.group === group)
  const fields = (group?: string) =>
    inGroup(group).map(([name, { field }]) => field?.(name, values[name], choices[name] ?? []))
  const hasText = all.some(([, { isText }]) => isText)
  return (
    <search class="search">
      <FilterFold filters={filters} values={values} />
      <form
        id="filtros"
        method={hasText ? 'post' : 'get'}
        action={hasText ? FILTRAR : action}
        class="filter fold-sheet"
        popover="auto"
        {...(target && appliedPart(hasText ? { 'hx-post': FILTRAR } : { 'hx-get': action }, `#${target}`))}
      >
        <CloseFold of="filtros" />
        <Hidden values={{ ...params, ...hidden, ...(hasText && { lista: action }) }} />
        {fields()}
        {groupsOf(filters).map((group, at) => (
          <details key={group}>
            <summary>
              {group}
              <GroupCount filters={filters} values={values} group={group} at={at} />
            </summary>
            <div>{fields(group)}</div>
          </details>
        ))}
        {orders.length > 1 && <OrderField orders={orders} order={order} />}
        <button type="submit" class="secondary">
          <Icon name="search" />
          {t('comun.list.search')}
        </button>
      </form>
      {target && (
        <p id="sin-filtrar" class="notice attention" role="alert" hidden>
          {t('comun.list.notFiltered')}
        </p>
      )}
    </search>
  )
}

/** On wide screens the heads of the table do this. */
const OrderField = ({ orders, order }: { orders: readonly Order[]; order: string | undefined }) => (
  <div class="order">
    <label for="orden">{t('comun.order.label')}</label>
    <select id="orden" name="orden">
      <Options choices={orders} value={order} />
    </select>
  </div>
)

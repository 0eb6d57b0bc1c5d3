import { t } from '../i18n/messages.tsx'
import type { QueryParams } from './app-shell.tsx'
import { Hidden, Options } from './fields.tsx'
import type { Filters } from './filter.tsx'
import { FILTRAR } from './filtrar.ts'
import { Icon } from './icon.tsx'
import { appliedPart } from './page.ts'
import { Fold, Unfold } from './parts.tsx'

/** `-fecha`: descending by the columns with `sort: 'fecha'`; without the dash, ascending. */
export type Order = readonly [order: string, label: string]

interface SearchFormProps {
  action: string
  params: QueryParams
  filters: Filters
  values: QueryParams
  /** The choices of each `loadedFilter`, by the name of the filter. */
  found?: { choices?: Record<string, readonly (readonly [value: string, label: string])[]> }
  orders?: readonly Order[]
  order?: string | undefined
  /** The id of the part of the page that changes with the filters; without it, a button sends the form. */
  target?: string
}

/** Opens the filters on a telephone, and says how many are set. */
export const FilterFold = ({ filters, values, oob }: Pick<SearchFormProps, 'filters' | 'values'> & { oob?: true }) => {
  const active = Object.entries(filters).filter(([name, { field }]) => field && values[name] !== undefined).length
  return (
    <div id="filtros-abrir" hx-swap-oob={oob && 'true'}>
      <Fold
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
  const groups = new Set(all.flatMap(([, { group }]) => group ?? []))
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
        <Unfold of="filtros" />
        <Hidden values={{ ...params, ...hidden, ...(hasText && { lista: action }) }} />
        {fields()}
        {[...groups].map((group) => (
          <details key={group}>
            <summary class={inGroup(group).some(([name]) => values[name] !== undefined) ? 'set' : undefined}>
              {group}
            </summary>
            <div>{fields(group)}</div>
          </details>
        ))}
        {orders.length > 1 && <OrderField {...{ orders, order }} />}
        <button type="submit" class="secondary">
          <Icon name="search" />
          {t('comun.list.search')}
        </button>
      </form>
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

import { withQuery } from '../../../http/links.ts'
import type { AnywherePage, LoggedAnywhere } from '../../../webhooks/staff.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { deliveryColumns } from '../../entregas/columns.tsx'
import { addressed, type Filters } from '../../entregas/filters.ts'
import { LogFilters } from '../../entregas/log-search.tsx'
import { FilterSelect } from '../../filter.tsx'
import { livePart } from '../../live.ts'
import type { When } from '../../moment.tsx'
import { Timestamp } from '../../moment.tsx'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ENTREGAS } from './parts.ts'

const LIVE_SECONDS = 3
const ONLY_IN_CSV = ['Agencia', 'Id', 'sid']

export interface LogProps {
  ctx: ConsoleContext
  filters: Filters
  /** The AppKey of the app that was asked for. */
  app: string | undefined
  found: AnywherePage
  newer: string | undefined
  older: string | undefined
  csv: string | undefined
  /** Whether new deliveries appear by themselves: on the first page, unless somebody reads in peace. */
  live: boolean
  paused: boolean
}

interface PageProps extends LogProps {
  version: string
  apps: readonly { appKey: string; nombre: string }[]
}

/** What all apps were sent, as it happens. */
export const entregasPage = ({ apps, ...props }: PageProps) => (
  <ConsolePage
    ctx={props.ctx}
    title="Entregas"
    current={ENTREGAS}
    script
    lead={<p>Cada notificación que se envía a los webhooks de las apps. Se guardan 90 días.</p>}
  >
    <Search action={ENTREGAS}>
      <FilterSelect
        name="app"
        label="App"
        value={props.app}
        all="Todas"
        choices={apps.map(({ appKey, nombre }) => [appKey, nombre] as const)}
      />
      <LogFilters filters={props.filters} of="deliveries" />
    </Search>
    <LogPart {...props} />
  </ConsolePage>
)

/** What brings itself up to date. */
export function LogPart(props: LogProps & { version: string }) {
  const { filters, app, live, paused, version } = props
  const query = { app, ...addressed(filters) }
  return (
    <div
      id="registro"
      {...(live && !paused && livePart(withQuery(ENTREGAS, { ...query, visto: version }), LIVE_SECONDS))}
    >
      {live && (
        <p class="live">
          {paused ? (
            <>
              En pausa. <a href={withQuery(ENTREGAS, query)}>Ver en vivo</a>
            </>
          ) : (
            <>
              <span class="pulse" aria-hidden="true" /> En vivo: lo nuevo aparece solo.{' '}
              <a href={withQuery(ENTREGAS, { ...query, vivo: 'no' })}>Pausar</a>
            </>
          )}
        </p>
      )}
      <LogRows {...props} />
    </div>
  )
}

/** The rows themselves, and the ways on. */
function LogRows({ ctx, filters, app, found, newer, older, csv }: LogProps) {
  const narrowed = app !== undefined || Object.values(addressed(filters)).some(Boolean)
  return (
    <>
      <Table
        caption="Entregas, la más nueva primero"
        columns={seenColumns(ctx)}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={
          narrowed ? (
            <p>
              No hay entregas así. <a href={ENTREGAS}>Ver todas</a>
            </p>
          ) : (
            <p>Todavía no se envió nada. Cuando una app configure un webhook y ocurra algo, aparece aquí.</p>
          )
        }
      />
      {found.searchedTo && (
        <p class="hint">
          Buscamos hasta <Timestamp at={momentOf(found.searchedTo)} when={ctx} />. Con «Siguientes» la búsqueda sigue
          hacia atrás.
        </p>
      )}
      <Pager newer={newer} older={older} csv={csv} />
    </>
  )
}

/** As an app's own people see them, with whose each is. */
export function entregaColumns(when: When): Column<LoggedAnywhere>[] {
  const [moment, ...rest] = deliveryColumns('/consola', when) as Column<LoggedAnywhere>[]
  const app = { head: 'App', cell: () => null, text: (row: LoggedAnywhere) => row.app.nombre }
  return [...(moment ? [moment] : []), app, ...rest]
}

/** For looking at: app and agency share a column, and what only a spreadsheet has room for is left out. */
const seenColumns = (when: When): Column<LoggedAnywhere>[] =>
  entregaColumns(when)
    .filter(({ head }) => !ONLY_IN_CSV.includes(head))
    .map((column) => (column.head === 'App' ? WHOSE : column))

const WHOSE: Column<LoggedAnywhere> = {
  head: 'App y agencia',
  cell: ({ app: { appKey, nombre }, agencia }) => (
    <span class="named">
      <a href={`/consola/apps/${appKey}`}>{nombre}</a>
      {agencia && <span class="hint below anywhere">{agencia.title}</span>}
    </span>
  ),
}

import { withQuery } from '../../../http/links.ts'
import type { LoggedPage } from '../../../webhooks/app-log.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { deliveryColumns, seen } from '../../entregas/columns.tsx'
import { addressed, type Filters } from '../../entregas/filters.ts'
import { LogSearch } from '../../entregas/log-search.tsx'
import { livePart } from '../../live.ts'
import { Timestamp } from '../../moment.tsx'
import { Pager, Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

export const SECTION = '/entregas'
const LIVE_SECONDS = 3

export interface LogProps {
  ctx: PortalContext
  filters: Filters
  found: LoggedPage
  newer: string | undefined
  older: string | undefined
  csv: string | undefined
  /** Whether new deliveries appear by themselves: on the first page, unless somebody reads in peace. */
  live: boolean
  paused: boolean
  /** Whether the app has any webhook: without one nothing is ever delivered. */
  configured: boolean
}

/** The log of everything that was sent to the app's webhooks. */
export function logPage(props: LogProps & { version: string }) {
  const { ctx, filters } = props
  const list = ctx.at + SECTION
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title="Entregas"
      script
      lead={<p>Cada notificación que se envía a sus webhooks, con cada intento. Se guardan 90 días.</p>}
      acts={
        <a class="button secondary" href={withQuery(`${list}/reenviar`, addressed(filters))}>
          Reenviar varias
        </a>
      }
    >
      <LogSearch action={list} filters={filters} of="deliveries" />
      <LogPart {...props} />
    </PortalPage>
  )
}

/** What brings itself up to date. */
export function LogPart(props: LogProps & { version: string }) {
  const { ctx, filters, live, paused, version } = props
  const list = ctx.at + SECTION
  const href = withQuery(list, { ...addressed(filters), visto: version })
  return (
    <div id="registro" {...(live && !paused && livePart(href, LIVE_SECONDS))}>
      {live && (
        <p class="live">
          {paused ? (
            <>
              En pausa. <a href={withQuery(list, addressed(filters))}>Ver en vivo</a>
            </>
          ) : (
            <>
              <span class="pulse" aria-hidden="true" /> En vivo: lo nuevo aparece solo.{' '}
              <a href={withQuery(list, { ...addressed(filters), vivo: 'no' })}>Pausar</a>
            </>
          )}
        </p>
      )}
      <LogRows {...props} />
    </div>
  )
}

/** The rows themselves. */
function LogRows({ ctx, filters, found, newer, older, csv, configured }: LogProps) {
  return (
    <>
      <Table
        caption="Entregas, la más nueva primero"
        columns={seen(deliveryColumns(ctx.at, ctx))}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={<Empty ctx={ctx} filters={filters} found={found} configured={configured} />}
      />
      {found.searchedTo && found.rows.length > 0 && <SearchedTo ctx={ctx} id={found.searchedTo} />}
      <Pager newer={newer} older={older} csv={csv} />
    </>
  )
}

const SearchedTo = ({ ctx, id }: { ctx: PortalContext; id: string }) => (
  <p class="hint">
    Buscamos hasta <Timestamp at={momentOf(id)} when={ctx} />. Con «Siguientes» la búsqueda sigue hacia atrás.
  </p>
)

/** Why there is nothing, and what to do next. */
function Empty({ ctx, filters, found, configured }: Pick<LogProps, 'ctx' | 'filters' | 'found' | 'configured'>) {
  const searched = Object.values(addressed(filters)).some((value) => value !== undefined)
  if (found.searchedTo)
    return (
      <>
        <h2>Todavía nada</h2>
        <SearchedTo ctx={ctx} id={found.searchedTo} />
      </>
    )
  if (searched)
    return (
      <>
        <h2>No hay entregas así</h2>
        <p>
          Pruebe con menos filtros o con otro período. Si el topic no tenía webhook cuando ocurrió, no hubo entrega,
          pero el evento está en <a href={`${ctx.at}/eventos`}>Eventos</a> y puede enviarlo desde ahí.{' '}
          <a href={ctx.at + SECTION}>Ver todas</a>
        </p>
      </>
    )
  if (!configured)
    return (
      <>
        <h2>Ningún topic tiene webhook</h2>
        <p>Configure uno para que le avisemos de cada consulta apenas llega.</p>
        <p>
          <a class="button" href={`${ctx.at}/webhooks`}>
            Configurar un webhook
          </a>
        </p>
      </>
    )
  return (
    <>
      <h2>Todavía no se envió nada</h2>
      <p>Envíe una notificación de prueba desde la página del webhook, y la verá aparecer aquí.</p>
      <p>
        <a class="button" href={`${ctx.at}/webhooks`}>
          Ir a los webhooks
        </a>
      </p>
    </>
  )
}

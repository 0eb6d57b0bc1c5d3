import type { Logged, LoggedPage } from '../../../webhooks/app-log.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { AgencyNamed, agencyTitle, EstadoBadge, ID_COLUMNS, seen, TopicAndId } from '../../entregas/columns.tsx'
import { addressed, type Filters } from '../../entregas/filters.ts'
import { LogSearch } from '../../entregas/log-search.tsx'
import type { When } from '../../moment.tsx'
import { Timestamp } from '../../moment.tsx'
import { type Column, Pager, Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

export const SECTION = '/eventos'

interface Props {
  ctx: PortalContext
  filters: Filters
  found: LoggedPage
  newer: string | undefined
  older: string | undefined
  csv: string | undefined
}

/** Everything that was announced to the app, whether or not a webhook heard it. */
export function eventsPage({ ctx, filters, found, newer, older, csv }: Props) {
  const searched = Object.values(addressed(filters)).some((value) => value !== undefined)
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title="Eventos"
      lead={
        <p>
          Todo lo que ocurrió y le concierne a la app, tenga o no webhook. Es lo mismo que da{' '}
          <code>GET /v3/eventos</code>, que sigue desde donde usted quedó. Se guarda 90 días.
        </p>
      }
    >
      <LogSearch action={ctx.at + SECTION} filters={filters} of="events" />
      <Table
        caption="Eventos, el más nuevo primero"
        columns={seen(eventColumns(ctx.at, ctx))}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={
          searched ? (
            <>
              <h2>No hay eventos así</h2>
              <p>
                Pruebe con menos filtros o con otro período. <a href={ctx.at + SECTION}>Ver todos</a>
              </p>
            </>
          ) : (
            <>
              <h2>Todavía no ocurrió nada</h2>
              <p>
                El primer evento llega cuando una agencia acepta su invitación, o con una notificación de prueba desde{' '}
                <a href={`${ctx.at}/webhooks`}>Webhooks</a>.
              </p>
            </>
          )
        }
      />
      <Pager newer={newer} older={older} csv={csv} />
    </PortalPage>
  )
}

/** The columns of the events; each row leads to its event. */
export const eventColumns = (at: string, when: When): Column<Logged>[] => [
  {
    head: 'Momento',
    cell: ({ id }) => (
      <a href={`${at}${SECTION}/${id}`}>
        <Timestamp at={momentOf(id)} when={when} />
      </a>
    ),
    text: ({ id }) => momentOf(id),
  },
  { head: 'Topic', cell: (row) => <TopicAndId {...row} />, text: ({ topic }) => topic },
  { head: 'Agencia', cell: AgencyNamed, text: agencyTitle },
  {
    head: 'Entrega',
    cell: ({ id, estado, attempts, last }) =>
      estado ? (
        <a href={`${at}/entregas/${id}`}>
          <EstadoBadge estado={estado} failing={attempts > 0 && last?.error != null} />
        </a>
      ) : (
        <span class="badge quiet">sin webhook</span>
      ),
    text: ({ estado }) => estado,
  },
  ...ID_COLUMNS,
]

import { withQuery } from '../../../http/links.ts'
import { addressed, type Filters } from '../../entregas/filters.ts'
import { LogFilters } from '../../entregas/log-search.tsx'
import { inFigures } from '../../figures.ts'
import { type Column, Search, Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { SECTION } from './list-page.tsx'
import type { Chosen } from './resend.ts'

interface Props {
  ctx: PortalContext
  filters: Filters
  /** What the search chooses; undefined until something was searched for. */
  chosen: Chosen[] | undefined
}

/** Sends many again: first the search and what it would reach, then the button. */
export function resendPage({ ctx, filters, chosen }: Props) {
  const list = ctx.at + SECTION
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title="Reenviar varias"
      above={{ href: list, label: 'Entregas' }}
      lead={
        <p>
          Para ponerse al día después de una caída. Cada notificación conserva su Id: quien ya la recibió la reconoce.
          También alcanza lo que ocurrió mientras un topic no tenía webhook.
        </p>
      }
    >
      <section class="log-search">
        <h2>1. Elija qué</h2>
        <Search action={`${list}/reenviar`} hidden={{ previa: 'si' }}>
          <LogFilters filters={filters} of="deliveries" />
        </Search>
      </section>
      {chosen && (
        <section>
          <h2>2. Revise y envíe</h2>
          <Preview ctx={ctx} filters={filters} chosen={chosen} />
        </section>
      )}
    </PortalPage>
  )
}

function Preview({ ctx, filters, chosen }: Props & { chosen: Chosen[] }) {
  const list = ctx.at + SECTION
  const on = chosen.filter(({ state }) => state === 'on')
  const sendable = on.reduce((sum, { count }) => sum + count, 0)
  const more = on.some((each) => each.more)
  return (
    <>
      <Table
        caption="Qué se enviaría otra vez"
        columns={columns(ctx)}
        rows={chosen}
        keyOf={({ topic }) => topic}
        empty={
          <>
            <h3>No hay nada así que reenviar</h3>
            <p>
              Amplíe el período o quite filtros. <a href={`${list}?estado=sin-entregar`}>Ver lo que no se entregó</a>
            </p>
          </>
        }
      />
      {(sendable > 0 || more) && (
        <form method="post" action={`${list}/reenviar`} class="row">
          {Object.entries(addressed(filters)).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <button type="submit">
            {more
              ? 'Reenviar todas'
              : sendable === 1
                ? 'Reenviar 1 notificación'
                : `Reenviar ${inFigures(sendable)} notificaciones`}
          </button>
          <a class="button secondary" href={withQuery(list, addressed(filters))}>
            No, volver
          </a>
        </form>
      )}
    </>
  )
}

const columns = (ctx: PortalContext): Column<Chosen>[] => [
  { head: 'Topic', cell: ({ topic }) => <code>{topic}</code> },
  {
    head: 'Notificaciones',
    cell: ({ count, more }) => (more ? `${inFigures(count)} o más` : inFigures(count)),
    number: true,
  },
  {
    head: 'Webhook',
    cell: ({ topic, state }) =>
      state === 'on' ? (
        <span class="badge status-2">activo</span>
      ) : (
        <span>
          <span class="badge status-4">{state === 'off' ? 'no está activo' : 'sin configurar'}</span> No se envían.{' '}
          <a href={`${ctx.at}/webhooks/${topic}`}>{state === 'off' ? 'Reanudarlo' : 'Configurarlo'}</a>
        </span>
      ),
  },
]

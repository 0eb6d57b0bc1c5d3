import type { AppAtWork, AppsFilters } from '../../../apps/staff.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { inFigures } from '../../figures.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { MODOS, ModoBadge } from '../modo.tsx'
import { APPS, AppEstado, appHref } from './parts.tsx'

interface Props {
  ctx: ConsoleContext
  filters: AppsFilters
  found: ResultPage<AppAtWork>
}

/** The partners' apps, and how each does today. */
export function appsPage({ ctx, filters, found }: Props) {
  return (
    <ConsolePage
      ctx={ctx}
      title="Apps"
      current={APPS}
      lead={
        <p>Los sistemas de los asociados: con su AppKey llaman a la API, y reciben notificaciones en sus webhooks.</p>
      }
      acts={
        <a class="button" href={`${APPS}/nueva`}>
          Crear una app
        </a>
      }
    >
      <Search action={APPS}>
        <FilterField name="q" label="Nombre o AppKey" value={filters.q} more={{ type: 'search' }} />
        <FilterSelect name="modo" label="Modo" value={filters.modo} all="Todos" choices={MODOS} />
        <FilterSelect name="estado" label="Estado" value={filters.estado} all="Todas" choices={ESTADOS} />
      </Search>
      <Table
        caption="Apps"
        columns={APP_COLUMNS}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={
          filters.q || filters.modo || filters.estado ? (
            <p>
              No hay apps así. <a href={APPS}>Ver todas</a>
            </p>
          ) : (
            <p>
              Todavía no hay apps. <a href={`${APPS}/nueva`}>Cree la primera</a> y entregue su AppKey y su AppSecret al
              asociado.
            </p>
          )
        }
      />
      <Pager {...pageLinks(APPS, { ...filters }, found, ({ id }) => id)} />
    </ConsolePage>
  )
}

export const ESTADOS = [
  ['habilitadas', 'Habilitadas'],
  ['deshabilitadas', 'Deshabilitadas'],
] as const

const APP_COLUMNS: readonly Column<AppAtWork>[] = [
  {
    head: 'App',
    cell: (app) => (
      <span>
        <a href={appHref(app)}>
          <strong>{app.nombre}</strong>
        </a>
        <span class="hint below">
          <code class="id">{app.appKey}</code>
        </span>
      </span>
    ),
    text: ({ nombre }) => nombre,
  },
  {
    head: 'Modo',
    cell: ({ modo }) => <ModoBadge modo={modo} />,
    text: ({ modo }) => modo,
  },
  {
    head: 'Estado',
    cell: (app) => (
      <span class="row tight">
        <AppEstado disabled={app.disabled} />
        {app.webhooksFallando > 0 && (
          <a class="badge status-5" href={`${appHref(app)}#webhooks`}>
            {app.webhooksFallando === 1 ? '1 webhook falla' : `${app.webhooksFallando} webhooks fallan`}
          </a>
        )}
      </span>
    ),
    text: ({ disabled }) => (disabled ? 'deshabilitada' : 'habilitada'),
  },
  { head: 'Agencias', number: true, cell: ({ agencias }) => inFigures(agencias), text: ({ agencias }) => agencias },
  {
    head: 'Solicitudes, 24 h',
    number: true,
    cell: ({ solicitudes }) => inFigures(solicitudes),
    text: ({ solicitudes }) => solicitudes,
  },
  {
    head: 'Entregas, 24 h',
    number: true,
    cell: ({ entregadas }) => inFigures(entregadas),
    text: ({ entregadas }) => entregadas,
  },
  {
    head: 'Intentos fallidos, 24 h',
    number: true,
    cell: ({ intentosFallidos }) => inFigures(intentosFallidos),
    text: ({ intentosFallidos }) => intentosFallidos,
  },
]

/** What a spreadsheet is told besides. */
export const APP_CSV: readonly Column<AppAtWork>[] = [
  { head: 'AppKey', cell: () => null, text: ({ appKey }) => appKey },
  ...APP_COLUMNS,
  { head: 'Contacto', cell: () => null, text: ({ contacto }) => contacto },
  { head: 'Creada', cell: () => null, text: ({ creada }) => creada },
]

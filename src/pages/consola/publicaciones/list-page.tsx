import { ESTADO_FILTERS, type ListedPublicacion, MODERADAS } from '../../../resources/publicaciones/staff.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { formatMoney } from '../../labels.tsx'
import { Moment, type When } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { AvisoEstado, avisoHref, carName, PUBLICACIONES } from './parts.tsx'

export interface AvisosFilters {
  aviso?: number | undefined
  externalId?: string | undefined
  agencia?: string | undefined
  app?: string | undefined
  estado?: (typeof ESTADO_FILTERS)[number] | undefined
}

interface Props {
  ctx: ConsoleContext
  filters: AvisosFilters
  apps: readonly { appKey: string; nombre: string }[]
  found: ResultPage<ListedPublicacion>
}

const ESTADOS = ESTADO_FILTERS.map(
  (estado) => [estado, estado === MODERADAS ? 'Suspendidas por el mercado' : `${estado}s`] as const,
)

/** What is and was on offer, at all agencies. */
export const avisosPage = ({ ctx, filters, apps, found }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Avisos"
    current={PUBLICACIONES}
    lead={
      <p>Los autos que publican las apps por las agencias. El mercado puede suspender uno, y solo él lo devuelve.</p>
    }
  >
    <Search action={PUBLICACIONES}>
      <FilterField name="aviso" label="Aviso" value={filters.aviso} more={{ inputmode: 'numeric' }} />
      <FilterField name="externalId" label="ExternalId" value={filters.externalId} more={{ spellcheck: false }} />
      <FilterField name="agencia" label="Agencia" value={filters.agencia} more={{ placeholder: 'Su correo' }} />
      <FilterSelect
        name="app"
        label="App"
        value={filters.app}
        all="Todas"
        choices={apps.map(({ appKey, nombre }) => [appKey, nombre] as const)}
      />
      <FilterSelect name="estado" label="Estado" value={filters.estado} all="Todos" choices={ESTADOS} />
    </Search>
    <Table
      caption="Avisos"
      columns={avisoColumns(ctx)}
      rows={found.rows}
      keyOf={({ id }) => id}
      empty={
        found.searchedTo ? (
          <p>Todavía nada.</p>
        ) : Object.values(filters).some(Boolean) ? (
          <p>
            No hay avisos así. El ExternalId y el correo se buscan completos. <a href={PUBLICACIONES}>Ver todos</a>
          </p>
        ) : (
          <p>Todavía no hay avisos. Los publican las apps, por las agencias que trabajan con ellas.</p>
        )
      }
    />
    {found.searchedTo && <SearchedTo {...found.searchedTo} />}
    <Pager {...pageLinks(PUBLICACIONES, { ...filters }, found, ({ id }) => id)} />
  </ConsolePage>
)

const SearchedTo = ({ before, after }: NonNullable<ResultPage<unknown>['searchedTo']>) => (
  <p class="hint">
    Buscamos hasta el aviso {before ?? after}. Con{' '}
    {after === undefined ? '«Siguientes» la búsqueda sigue hacia atrás.' : '«Anteriores» sigue hacia los más nuevos.'}
  </p>
)

const priceOf = ({ precioMoneda, precioImporte }: ListedPublicacion): string | null =>
  precioMoneda && precioImporte !== null ? formatMoney({ Moneda: precioMoneda, Importe: precioImporte }) : null

export const avisoColumns = (when: When): Column<ListedPublicacion>[] => [
  {
    head: 'Auto',
    cell: (row) => (
      <span>
        <a href={avisoHref(row)}>
          <strong>{carName(row)}</strong>
        </a>
        <span class="hint below">Aviso {row.id}</span>
      </span>
    ),
    text: carName,
  },
  {
    head: 'Estado',
    cell: (row) => <AvisoEstado {...row} />,
    text: ({ estado, suspensiones }) => [estado, ...suspensiones].join(' '),
  },
  {
    head: 'Agencia',
    cell: ({ agencia, modo }) => (
      <span class="row tight">
        <a href={agenciaHref(agencia)}>{agencia.nombre}</a>
        {modo === 'prueba' && <ModoBadge modo={modo} />}
      </span>
    ),
    text: ({ agencia }) => agencia.adminMail,
  },
  {
    head: 'App',
    cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>,
    text: ({ app }) => app.nombre,
  },
  {
    head: 'ExternalId',
    cell: ({ externalId }) => <span class="anywhere">{externalId}</span>,
    text: ({ externalId }) => externalId,
  },
  { head: 'Precio', number: true, cell: (row) => priceOf(row) ?? '—', text: priceOf },
  {
    head: 'Modificado',
    cell: ({ modificada }) => <Moment at={modificada} when={when} />,
    text: ({ modificada }) => modificada,
  },
]

/** What a spreadsheet is told besides. */
export const avisoCsv = (when: When): Column<ListedPublicacion>[] => [
  { head: 'Aviso', cell: () => null, text: ({ id }) => id },
  { head: 'Modo', cell: () => null, text: ({ modo }) => modo },
  ...avisoColumns(when),
]

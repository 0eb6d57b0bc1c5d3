import type { AgenciasFilters, ListedAgencia } from '../../../resources/agencias/staff.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Moment, type When } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { MODOS, ModoBadge } from '../modo.tsx'
import { AGENCIAS, agenciaHref, INVITACIONES, PAQUETES, PaqueteBadge } from './parts.tsx'

export interface Filters extends Omit<AgenciasFilters, 'appId'> {
  /** By its AppKey. */
  app?: string | undefined
}

interface Props {
  ctx: ConsoleContext
  filters: Filters
  /** The app that they work with, where one was asked for. */
  ofApp: { appKey: string; nombre: string } | undefined
  found: ResultPage<ListedAgencia>
}

/** The dealerships of both modes. */
export function agenciasPage({ ctx, filters, ofApp, found }: Props) {
  const narrowed = Object.values(filters).some(Boolean)
  return (
    <ConsolePage
      ctx={ctx}
      title="Agencias"
      current={AGENCIAS}
      lead={ofApp ? <OfApp app={ofApp} /> : <p>Las más nuevas primero.</p>}
      acts={
        <a class="button secondary" href={INVITACIONES}>
          Invitaciones
        </a>
      }
    >
      <Search action={AGENCIAS} hidden={{ app: filters.app }}>
        <FilterField
          name="q"
          label="Buscar"
          value={filters.q}
          more={{ type: 'search', placeholder: 'Nombre, correo, CUIT o ciudad' }}
        />
        <FilterSelect name="modo" label="Modo" value={filters.modo} all="Todos" choices={MODOS} />
        <FilterSelect name="paquete" label="Paquete" value={filters.paquete} all="Todos" choices={PAQUETES} />
      </Search>
      <Table
        caption="Agencias"
        columns={agenciaColumns(ctx)}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={
          narrowed ? (
            <p>
              No hay agencias así. <a href={AGENCIAS}>Ver todas</a>
            </p>
          ) : (
            <p>
              Todavía no hay agencias. Llegan por la invitación de una app: vea las{' '}
              <a href={INVITACIONES}>invitaciones</a>.
            </p>
          )
        }
      />
      <Pager {...pageLinks(AGENCIAS, { ...filters }, found, ({ id }) => id)} />
    </ConsolePage>
  )
}

const OfApp = ({ app }: { app: { appKey: string; nombre: string } }) => (
  <p>
    Las que trabajan con <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>. <a href={AGENCIAS}>Ver todas</a>
  </p>
)

const agenciaColumns = (when: When): Column<ListedAgencia>[] => [
  {
    head: 'Agencia',
    cell: (agencia) => (
      <span class="named">
        <a href={agenciaHref(agencia)}>
          <strong>{agencia.nombre}</strong>
        </a>
        <span class="hint below anywhere">{agencia.adminMail}</span>
      </span>
    ),
    text: ({ nombre }) => nombre,
  },
  {
    head: 'Lugar',
    cell: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', ') || '—',
    text: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', '),
  },
  {
    head: 'CUIT',
    cell: ({ idFiscal }) => <span class="nowrap">{idFiscal ?? '—'}</span>,
    text: ({ idFiscal }) => idFiscal,
  },
  { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} />, text: ({ modo }) => modo },
  { head: 'Paquete', cell: ({ paquete }) => <PaqueteBadge estado={paquete} />, text: ({ paquete }) => paquete },
  { head: 'Apps', number: true, cell: ({ apps }) => apps, text: ({ apps }) => apps },
  { head: 'Desde', cell: ({ creada }) => <Moment at={creada} when={when} />, text: ({ creada }) => creada },
]

/** What a spreadsheet is told besides. */
export const agenciaCsv = (when: When): Column<ListedAgencia>[] => [
  { head: 'Correo', cell: () => null, text: ({ adminMail }) => adminMail },
  ...agenciaColumns(when),
]

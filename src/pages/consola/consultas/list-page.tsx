import type { ListedConsulta } from '../../../resources/consultas/staff.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { FilterDay, FilterField } from '../../filter.tsx'
import { EstadoBadge, ORIGEN_LABELS } from '../../labels.tsx'
import { Moment, type When } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { CONSULTAS, carName, consultaHref } from './parts.tsx'

export interface ConsultasFilters {
  sid?: string | undefined
  persona?: string | undefined
  agencia?: string | undefined
  desde?: string | undefined
  hasta?: string | undefined
}

interface Props {
  ctx: ConsoleContext
  filters: ConsultasFilters
  found: ResultPage<ListedConsulta>
}

/** The inquiries of all agencies. Who asks is shown only by opening one, which the audit log keeps. */
export const consultasPage = ({ ctx, filters, found }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Consultas"
    current={CONSULTAS}
    lead={<p>Quién pregunta se ve al abrir una: cada lectura queda en la auditoría.</p>}
  >
    <Search action={CONSULTAS}>
      <FilterField name="sid" label="sid" value={filters.sid} more={{ spellcheck: false }} />
      <FilterField
        name="persona"
        label="Persona"
        value={filters.persona}
        more={{ placeholder: 'Su correo o teléfono, completo' }}
      />
      <FilterField name="agencia" label="Agencia" value={filters.agencia} more={{ placeholder: 'Su correo' }} />
      <FilterDay name="desde" label="Desde" value={filters.desde} />
      <FilterDay name="hasta" label="Hasta" value={filters.hasta} />
    </Search>
    <Table
      caption="Consultas"
      columns={consultaColumns(ctx)}
      rows={found.rows}
      keyOf={({ sid }) => sid}
      empty={
        Object.values(filters).some(Boolean) ? (
          <p>
            No hay consultas así. El correo y el teléfono se buscan completos. <a href={CONSULTAS}>Ver todas</a>
          </p>
        ) : (
          <p>Todavía no llegó ninguna consulta. Las entrega el sitio del mercado, o el formulario de cada aviso.</p>
        )
      }
    />
    <Pager {...pageLinks(CONSULTAS, { ...filters }, found, ({ sid }) => sid)} />
  </ConsolePage>
)

export const consultaColumns = (when: When): Column<ListedConsulta>[] => [
  {
    head: 'Auto',
    cell: (row) => (
      <span>
        <a href={consultaHref(row)}>
          <strong>{carName(row)}</strong>
        </a>
        {row.suprimida && <span class="hint below">datos suprimidos</span>}
        {row.repite && <span class="hint below">repite otra del mismo día</span>}
      </span>
    ),
    text: carName,
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
  { head: 'Aviso de', cell: ({ app }) => app ?? 'catálogo', text: ({ app }) => app ?? 'catálogo' },
  { head: 'Llegó por', cell: ({ origenLead }) => ORIGEN_LABELS[origenLead], text: ({ origenLead }) => origenLead },
  { head: 'Estado', cell: ({ estado }) => <EstadoBadge estado={estado} />, text: ({ estado }) => estado },
  {
    head: 'Cuándo',
    cell: ({ sid }) => <Moment at={momentOf(sid)} when={when} />,
    text: ({ sid }) => momentOf(sid),
  },
]

/** What a spreadsheet is told besides. */
export const consultaCsv = (when: When): Column<ListedConsulta>[] => [
  { head: 'sid', cell: () => null, text: ({ sid }) => sid },
  { head: 'Modo', cell: () => null, text: ({ modo }) => modo },
  ...consultaColumns(when),
]

import type { ListedConsulta } from '../../../resources/consultas/staff.ts'
import type { Part } from '../../../store/turn.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { EstadoBadge } from '../../account/inquiries/parts.tsx'
import { ORIGEN_WORDS } from '../../account/inquiries/words.ts'
import { waysOn } from '../../asked.ts'
import { FilterDay, FilterField } from '../../filter.tsx'
import { Moment, type When } from '../../moment.tsx'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { ModoBadge } from '../modo.tsx'
import { ConsolePage, type Visit } from '../visit.tsx'
import { CONSULTAS, carName, consultaHref } from './parts.tsx'

export interface ConsultasAsked {
  sid?: string | undefined
  persona?: string | undefined
  agencia?: string | undefined
  desde?: string | undefined
  hasta?: string | undefined
}

interface Props {
  visit: Visit
  looked: ConsultasAsked
  found: Part<ListedConsulta>
}

/** The inquiries of all agencies. Who asks is shown only by opening one, which the audit log keeps. */
export const consultasPage = ({ visit, looked, found }: Props) => (
  <ConsolePage
    visit={visit}
    title="Consultas"
    current={CONSULTAS}
    lead={<p>Quién pregunta se ve al abrir una: cada lectura queda en la auditoría.</p>}
  >
    <Search action={CONSULTAS}>
      <FilterField name="sid" label="sid" value={looked.sid} more={{ spellcheck: false }} />
      <FilterField
        name="persona"
        label="Persona"
        value={looked.persona}
        more={{ placeholder: 'Su correo o teléfono, completo' }}
      />
      <FilterField name="agencia" label="Agencia" value={looked.agencia} more={{ placeholder: 'Su correo' }} />
      <FilterDay name="desde" label="Desde" value={looked.desde} />
      <FilterDay name="hasta" label="Hasta" value={looked.hasta} />
    </Search>
    <Table
      caption="Consultas"
      columns={consultaColumns(visit)}
      rows={found.rows}
      keyOf={({ sid }) => sid}
      empty={
        Object.values(looked).some(Boolean) ? (
          <p>
            No hay consultas así. El correo y el teléfono se buscan completos. <a href={CONSULTAS}>Ver todas</a>
          </p>
        ) : (
          <p>Todavía no llegó ninguna consulta. Las entrega el sitio del mercado, o el formulario de cada aviso.</p>
        )
      }
    />
    <Pager {...waysOn(CONSULTAS, { ...looked }, found, ({ sid }) => sid)} />
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
  { head: 'Llegó por', cell: ({ origenLead }) => ORIGEN_WORDS[origenLead], text: ({ origenLead }) => origenLead },
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

import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { listConsultasForStaff } from '../../../resources/consultas/staff.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { firstInstant, idAt, instantAfter } from '../../entregas/filters.tsx'
import { dayFilter, type Filter, textFilter } from '../../filter.tsx'
import { Moment } from '../../format.tsx'
import { carName, EstadoBadge, ORIGEN_LABELS } from '../../labels.tsx'
import { defineList, orderedPage } from '../../list.tsx'
import { textParam } from '../../params.ts'
import { agenciaHref } from '../agencias/parts.tsx'
import { CONSOLE, ModoBadge } from '../context.tsx'

export const CONSULTAS = '/consola/consultas'
const MAX_AUDITED = 100

export const consultaHref = ({ sid }: { sid: string }): string => `${CONSULTAS}/${sid}`

const sidFilter: Filter<string> = {
  ...textFilter('sid', { spellcheck: false }),
  parse: (query, name) => textParam(query, name)?.toUpperCase(),
}

/** The inquiries of all agencies. The person is shown only by opening one, which the audit log keeps. */
export const CONSULTAS_LIST = defineList({
  audience: CONSOLE,
  section: CONSULTAS,
  title: 'Consultas',
  lead: () => <p>Quién pregunta se ve al abrir una: cada lectura queda en la auditoría.</p>,
  filters: {
    sid: sidFilter,
    persona: textFilter('Persona', { placeholder: 'Su correo o teléfono, completo' }),
    agencia: textFilter('Agencia', { placeholder: 'Su correo' }),
    desde: dayFilter('Desde'),
    hasta: dayFilter('Hasta'),
  },
  load: async ({ store, config: { timeZone } }, request) => {
    const { sid, persona, agencia, desde, hasta } = request.filters
    const [from, until] = [desde && firstInstant(desde, timeZone), hasta && instantAfter(hasta, timeZone)]
    const wanted = {
      sid,
      persona,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      ...(typeof from === 'number' && { from: idAt(from) }),
      ...(typeof until === 'number' && { until: idAt(until) }),
    }
    return orderedPage(
      request,
      (cursor) => listConsultasForStaff(store, wanted, cursor),
      (row) => row.sid,
    )
  },
  // A search for a person reads personal data: that these inquiries are theirs.
  audit: ({ filters, found }) =>
    filters.persona
      ? { act: 'consultas.buscar-persona', detail: { sids: found.rows.map(({ sid }) => sid).slice(0, MAX_AUDITED) } }
      : undefined,
  idOf: ({ sid }) => sid,
  columns: (ctx) => [
    { head: 'sid', text: ({ sid }) => sid },
    { head: 'Modo', text: ({ modo }) => modo },
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
      cell: ({ sid }) => <Moment at={momentOf(sid)} when={ctx} />,
      text: ({ sid }) => momentOf(sid),
    },
  ],
  empty: {
    none: 'Todavía no llegó ninguna consulta. Las entrega el sitio del mercado, o el formulario de cada aviso.',
    noMatch: 'No hay consultas así. El correo y el teléfono se buscan completos.',
    all: 'Ver todas',
  },
  csvName: 'consultas',
})

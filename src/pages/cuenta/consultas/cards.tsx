import { type Consulta, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { Moment } from '../../format.tsx'
import { carName, EstadoBadge, personName } from '../../labels.tsx'
import type { AgencyContext } from '../context.tsx'
import type { At } from '../nav.tsx'

/** The administrator sees all of an agency's, others what they are responsible for (decisions, 9). */
export const scopeOf = ({ agencia: { id, rol }, account }: Pick<At, 'agencia' | 'account'>) => ({
  agenciaId: id,
  app: 'all' as const,
  operador: rol === 'administrador' ? undefined : account.email,
})

/** The audit entry for inquiries that a page shows. */
export const auditOfRows = ({ agencia }: AgencyContext, rows: readonly Consulta[], more = {}) => ({
  act: 'consultas.listar',
  subject: agencia.adminMail,
  detail: { sids: rows.map(({ sid }) => sid), ...more },
})

/** Inquiries as cards that fit a telephone; each links to its own page. */
export const ConsultaCards = ({ rows, ctx }: { rows: readonly Consulta[]; ctx: AgencyContext }) => (
  <ul class="cards inquiries">
    {rows.map((row) => (
      <li key={row.sid} class="card">
        <Card row={row} ctx={ctx} />
      </li>
    ))}
  </ul>
)

function Card({ row, ctx }: { row: Consulta; ctx: AgencyContext }) {
  const { Comentario } = interesadoOf(row)
  const others = ctx.agencia.rol === 'administrador' && row.operador !== ctx.account.email
  return (
    <a href={`/cuenta/consultas/${row.sid}`}>
      <span class="top">
        <strong>{personName(row)}</strong>
        <EstadoBadge estado={row.estado} />
      </span>
      <span>{carName(row)}</span>
      {Comentario && <span class="hint one-line">{Comentario}</span>}
      <span class="hint facts">
        <Moment at={momentOf(row.sid)} when={ctx} />
        {others && <span>{row.operador}</span>}
      </span>
    </a>
  )
}

import { autoOf, type Consulta, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { EstadoBadge, personName } from '../../labels.tsx'
import { Moment } from '../../moment.tsx'
import type { AgencyContext } from '../context.tsx'

/** Inquiries as cards that fit a telephone; each leads to its own page. */
export const InquiryCards = ({ rows, ctx }: { rows: readonly Consulta[]; ctx: AgencyContext }) => (
  <ul class="cards inquiries">
    {rows.map((row) => (
      <li key={row.sid} class="card">
        <Card row={row} ctx={ctx} />
      </li>
    ))}
  </ul>
)

function Card({ row, ctx }: { row: Consulta; ctx: AgencyContext }) {
  const { Marca, Modelo, Version, VersionYear } = autoOf(row)
  const { Comentario } = interesadoOf(row)
  const others = ctx.agencia.rol === 'administrador' && row.operador !== ctx.account.email
  return (
    <a href={`/cuenta/consultas/${row.sid}`}>
      <span class="top">
        <strong>{personName(row)}</strong>
        <EstadoBadge estado={row.estado} />
      </span>
      <span>{[Marca, Modelo, Version, VersionYear].filter(Boolean).join(' ')}</span>
      {Comentario && <span class="hint one-line">{Comentario}</span>}
      <span class="hint facts">
        <Moment at={momentOf(row.sid)} when={ctx} />
        {others && <span>{row.operador}</span>}
      </span>
    </a>
  )
}

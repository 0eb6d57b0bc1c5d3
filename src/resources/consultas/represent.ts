import { dayOf, type Period, toTimestamp } from '../../http/dates.ts'
import { type Links, link, pageLinks, segment } from '../../http/links.ts'
import { momentOf } from '../../ulid.ts'
import { autoOf, type Consulta, consultaHref, consultasHref, type Rendering, serializeConsulta } from './consulta.ts'
import { type Page, PER_PAGE } from './read.ts'
import type { ConsultasQuery } from './schema.ts'

/** Ref title: `Marca Modelo (YYYY-MM-DD)`, the day of reception; nothing personal. */
export function consultaRef(
  row: Pick<Consulta, 'sid' | 'auto'>,
  { adminMail, timeZone }: Pick<Rendering, 'adminMail' | 'timeZone'>,
) {
  const { Marca, Modelo } = autoOf(row)
  return {
    href: consultaHref(adminMail, row.sid),
    title: `${Marca} ${Modelo} (${dayOf(momentOf(row.sid), timeZone)})`,
  }
}

export function serializeConsultas(
  { period, total, rows }: Page & { period: Period },
  query: ConsultasQuery,
  form: 'entry' | 'ref',
  rendering: Rendering,
): string {
  const { adminMail, timeZone } = rendering
  const serialize =
    form === 'ref'
      ? (row: Consulta) => JSON.stringify(consultaRef(row, rendering))
      : (row: Consulta) => serializeConsulta(row, rendering)
  const envelope = JSON.stringify({
    Desde: toTimestamp(period.first, timeZone),
    Hasta: toTimestamp(period.last, timeZone),
    Pagina: query.pagina ?? 1,
    Total: total,
    PerPagina: PER_PAGE,
    _links: listLinks(adminMail, query, total),
  })
  return `${envelope.slice(0, -1)},"_entries":[${rows.map(serialize).join(',')}]}`
}

function listLinks(adminMail: string, query: ConsultasQuery, total: number): Links {
  const { pagina, operador, externalid, desde, hasta } = query
  const list = consultasHref(adminMail)
  return {
    ...pageLinks({ list, query: { operador, externalid, desde, hasta, pagina }, total }),
    buscar: link(`${list}?operador={operador}&externalid={externalid}&desde={desde}&hasta={hasta}&pagina={pagina}`),
    consulta: link(`${list}/{sid}`),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  }
}

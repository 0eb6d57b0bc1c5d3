import { dayOf, toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { type Auto, autoOf, type Consulta, type Interesado, interesadoOf, type Shown } from './consulta.ts'
import { type Page, PER_PAGE } from './page.ts'
import type { Period } from './period.ts'
import type { ConsultasQuery } from './schema.ts'

const LIST = '/v3/consultas'

export const consultasHref = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

export const consultaHref = (adminMail: string, sid: string): string => `${consultasHref(adminMail)}/${segment(sid)}`

/** An inquiry as the API and the events show it: the same to every app that sees it. */
export interface ConsultaEntry {
  Momento: string
  OrigenLead: string
  TipoAnuncio: string
  Auto: Auto
  Interesado: Interesado
  OperadorResponsable: string | null
  Estado: string
  _links: Links
}

export function consultaEntry(row: Shown, adminMail: string, timeZone: string): ConsultaEntry {
  const { sid, origenLead, tipoAnuncio, operador, estado, repite } = row
  const self = consultaHref(adminMail, sid)
  return {
    Momento: toTimestamp(momentOf(sid), timeZone),
    OrigenLead: origenLead,
    TipoAnuncio: tipoAnuncio,
    Auto: autoOf(row),
    Interesado: interesadoOf(row),
    OperadorResponsable: operador || null,
    Estado: estado,
    _links: {
      self: link(self),
      estado: link(`${self}/estado`, 'PUT'),
      reenviar: link(`${self}/resendwebhook`, 'POST'),
      ...(repite && { primera: link(consultaHref(adminMail, repite)) }),
      consultas: link(consultasHref(adminMail)),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
  }
}

/**
 * Prints an agency's inquiries: the same bytes that JSON.stringify makes of their entries. The car and the person are kept
 * as the text they are shown as, and the links are all alike; reading and writing them anew took half of a page's time.
 * To send again is offered from a sid on (`resendableFrom`): before it the answer would be 400.
 */
export function printerFor(adminMail: string, timeZone: string, resendable = ''): (row: Shown) => string {
  const list = consultasHref(adminMail) // what a path allows needs no escape in JSON
  const end = `"consultas":{"href":"${list}"},"agencia":{"href":"/v3/agencias/${segment(adminMail)}"}}}`
  return ({ sid, origenLead, tipoAnuncio, auto, interesado, operador, estado, repite }) => {
    const self = `${list}/${sid}`
    return (
      `{"Momento":"${toTimestamp(momentOf(sid), timeZone)}","OrigenLead":"${origenLead}","TipoAnuncio":"${tipoAnuncio}",` +
      `"Auto":${auto},"Interesado":${interesado},"OperadorResponsable":${JSON.stringify(operador || null)},` +
      `"Estado":"${estado}","_links":{"self":{"href":"${self}"},"estado":{"href":"${self}/estado","method":"PUT"},` +
      `${sid < resendable ? '' : `"reenviar":{"href":"${self}/resendwebhook","method":"POST"},`}` +
      `${repite ? `"primera":{"href":"${list}/${repite}"},` : ''}${end}`
    )
  }
}

export const consultaText = (row: Shown, adminMail: string, timeZone: string, resendable?: string): string =>
  printerFor(adminMail, timeZone, resendable)(row)

/** Ref title: `Marca Modelo (YYYY-MM-DD)`, the day of reception; nothing personal. */
export function consultaRef(row: Pick<Consulta, 'sid' | 'auto'>, adminMail: string, timeZone: string) {
  const { Marca, Modelo } = autoOf(row)
  return {
    href: consultaHref(adminMail, row.sid),
    title: `${Marca} ${Modelo} (${dayOf(momentOf(row.sid), timeZone)})`,
  }
}

const LAST_PAGE = 99 // spec, "Limits"

/** A list, printed: the envelope, and its entries in the form that was asked for. */
export function consultasText(
  { adminMail, period, total, rows }: Page<Shown> & { adminMail: string; period: Period },
  query: ConsultasQuery,
  form: 'entry' | 'ref',
  timeZone: string,
  resendable: string,
): string {
  const print =
    form === 'ref'
      ? (row: Shown) => JSON.stringify(consultaRef(row, adminMail, timeZone))
      : printerFor(adminMail, timeZone, resendable)
  return (
    `{"Desde":"${toTimestamp(period.first, timeZone)}","Hasta":"${toTimestamp(period.last, timeZone)}",` +
    `"Pagina":${query.pagina ?? 1},"Total":${total},"PerPagina":${PER_PAGE},` +
    `"_links":${linksText(adminMail, query, total)},"_entries":[${rows.map(print).join(',')}]}`
  )
}

/**
 * Other pages of the same list keep its filters; there is always a last one, and none after page 99. Printed like the
 * entries: what an address allows needs no escape in JSON.
 */
function linksText(adminMail: string, query: ConsultasQuery, total: number): string {
  const { pagina = 1, operador, externalid, desde, hasta } = query
  const list = consultasHref(adminMail)
  const filtered = withQuery(list, { operador, externalid, desde, hasta })
  const pages = `${filtered}${filtered === list ? '?' : '&'}pagina=`
  const last = Math.min(Math.max(1, Math.ceil(total / PER_PAGE)), LAST_PAGE)
  return (
    `{"self":{"href":"${query.pagina === undefined ? filtered : `${pages}${pagina}`}"},"first":{"href":"${pages}1"},` +
    `${pagina > 1 ? `"prev":{"href":"${pages}${Math.min(pagina - 1, last)}"},` : ''}` +
    `${pagina < last ? `"next":{"href":"${pages}${pagina + 1}"},` : ''}"last":{"href":"${pages}${last}"},` +
    `"buscar":{"href":"${list}?operador={operador}&externalid={externalid}&desde={desde}&hasta={hasta}&pagina={pagina}","templated":true},` +
    `"consulta":{"href":"${list}/{sid}","templated":true},"agencia":{"href":"/v3/agencias/${segment(adminMail)}"}}`
  )
}

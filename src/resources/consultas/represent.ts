import { dayOf, toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment } from '../../http/links.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { type Auto, autoOf, type Consulta, type Interesado, interesadoOf } from './consulta.ts'

const LIST = '/v3/consultas'

export const consultasHref = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

export const consultaHref = (adminMail: string, sid: string): string => `${consultasHref(adminMail)}/${segment(sid)}`

/** What a representation reads of a row. */
export type Shown = Pick<
  Consulta,
  'sid' | 'origenLead' | 'tipoAnuncio' | 'auto' | 'interesado' | 'operador' | 'estado' | 'repite'
>

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

export const consultaEntry = (row: Shown, adminMail: string, timeZone: string): ConsultaEntry => ({
  ...before(row, timeZone),
  Auto: autoOf(row),
  Interesado: interesadoOf(row),
  ...after(row, adminMail),
})

/**
 * The entry, printed: the same bytes that JSON.stringify makes of it. The car and the person are kept as the text they
 * are shown as, and reading them only to print them again would cost half of a page.
 */
export function consultaText(row: Shown, adminMail: string, timeZone: string): string {
  const [head, tail] = [JSON.stringify(before(row, timeZone)), JSON.stringify(after(row, adminMail))]
  return `${head.slice(0, -1)},"Auto":${row.auto},"Interesado":${row.interesado},${tail.slice(1)}`
}

const before = ({ sid, origenLead, tipoAnuncio }: Shown, timeZone: string) => ({
  Momento: toTimestamp(momentOf(sid), timeZone),
  OrigenLead: origenLead,
  TipoAnuncio: tipoAnuncio,
})

function after({ sid, operador, estado, repite }: Shown, adminMail: string) {
  const self = consultaHref(adminMail, sid)
  return {
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

/** Ref title: `Marca Modelo (YYYY-MM-DD)`, the day of reception; nothing personal. */
export function consultaRef(row: Pick<Consulta, 'sid' | 'auto'>, adminMail: string, timeZone: string) {
  const { Marca, Modelo } = autoOf(row)
  return {
    href: consultaHref(adminMail, row.sid),
    title: `${Marca} ${Modelo} (${dayOf(momentOf(row.sid), timeZone)})`,
  }
}

import { readFileSync } from 'node:fs'
import type { App } from '../../apps/app.ts'
import { ulid } from '../../ulid.ts'
import type { NewEvent } from '../../webhooks/events.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { listedAuto } from '../consultas/auto.ts'
import { consultaHref, newConsulta, serializeConsulta } from '../consultas/consulta.ts'
import { interesadoFrom } from '../consultas/person.ts'

const MAIL = 'ejemplo@agencia.example'
const AGENCIA = { id: null, adminMail: MAIL, ...agenciaRef({ adminMail: MAIL, nombre: 'Agencia de ejemplo' }) }

const SAMPLE: { auto: Parameters<typeof listedAuto>[0]; interesado: Parameters<typeof interesadoFrom>[0] } = JSON.parse(
  readFileSync(new URL('./sample.json', import.meta.url), 'utf8'),
)
const AUTO = listedAuto(SAMPLE.auto)
const INTERESADO = interesadoFrom(SAMPLE.interesado)

/** The members that a topic adds to the payload, about an agency, inquiry and listing that do not exist. */
export const sampleOf = (topic: Topic, sid: string, timeZone: string): Pick<NewEvent, 'agencia' | 'body'> => ({
  agencia: AGENCIA,
  body: bodyOf(topic, sid, timeZone),
})

/** A test event of a topic. */
export function sampleEvent(app: App, topic: Topic, moment: Date, timeZone: string): NewEvent {
  const { agencia, body } = sampleOf(topic, ulid(moment.getTime()), timeZone)
  return { appId: app.id, topic, agencia, moment, timeZone, body: { ...body, Prueba: true } }
}

function bodyOf(topic: Topic, sid: string, timeZone: string): Record<string, unknown> {
  switch (topic) {
    case 'agencia.desasociada':
      return { Por: 'agencia' }
    case 'consulta.recibida':
      return { Consulta: consulta(sid, 'nueva', timeZone) }
    case 'consulta.modificada':
      return { Consulta: consulta(sid, 'contactada', timeZone) }
    case 'consulta.suprimida':
      return { Consulta: { href: consultaHref(MAIL, sid) } }
    case 'publicacion.activada':
    case 'publicacion.suspendida':
    case 'publicacion.archivada':
      return { Publicacion: PUBLICACION, ExternalId: AUTO.ExternalId, Por: 'mercado' }
    default:
      return {}
  }
}

/** Serialised like real inquiries. */
function consulta(sid: string, estado: 'nueva' | 'contactada', timeZone: string): object {
  const row = newConsulta({
    sid,
    modo: 'prueba',
    agenciaId: 0,
    fuente: 0,
    origenLead: 'form',
    tipoAnuncio: 'publicacion',
    auto: JSON.stringify(AUTO),
    interesado: JSON.stringify(INTERESADO),
    operador: MAIL,
    estado,
  })
  return JSON.parse(serializeConsulta(row, { adminMail: MAIL, timeZone, country: 'AR' }))
}

const PUBLICACION = {
  href: `/v3/publicaciones/${MAIL}/${AUTO.ExternalId}`,
  title: `${AUTO.Marca} ${AUTO.Modelo} (${AUTO.ExternalId})`,
}

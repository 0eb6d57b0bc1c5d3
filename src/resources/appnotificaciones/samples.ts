import type { Announcement } from '../../webhooks/events.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { agenciaRef } from '../agencias/represent.ts'
import type { Auto, Interesado } from '../consultas/consulta.ts'
import { consultaEntry, consultaHref } from '../consultas/represent.ts'

const MAIL = 'ejemplo@agencia.example'
const AGENCIA = { id: null, adminMail: MAIL, ...agenciaRef({ adminMail: MAIL, nombre: 'Agencia de ejemplo' }) }

const AUTO: Auto = {
  ExternalId: 'EJEMPLO-1',
  RefStock: null,
  Marca: 'Fiat',
  Modelo: 'Cronos',
  Version: '1.3 Drive',
  VersionYear: 2022,
  Kilometraje: 38_000,
  Color: 'Blanco',
  BodyType: 'Sedán',
  Estado: 'usado',
  Precio: { Moneda: 'ARS', Importe: 18_500_000 },
  Anticipo: null,
  Cuota: null,
}

const INTERESADO: Interesado = {
  Interes: 'compra',
  Nombre: 'Persona',
  Apellido: 'De Ejemplo',
  Email: 'persona@correo.example',
  Telefono: null,
  DocIdentidad: null,
  Provincia: null,
  Ciudad: null,
  Comentario: 'Esta consulta es una prueba: nadie la escribió.',
  InfoOperacion: null,
}

/** What a topic tells, about an agency, an inquiry and a listing that there are not; made by what makes the true ones. */
export const sampleOf = (topic: Topic, sid: string, timeZone: string): Pick<Announcement, 'agencia' | 'body'> => ({
  agencia: AGENCIA,
  body: bodyOf(topic, sid, timeZone),
})

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

const consulta = (sid: string, estado: 'nueva' | 'contactada', timeZone: string) =>
  consultaEntry(
    {
      sid,
      origenLead: 'form',
      tipoAnuncio: 'publicacion',
      auto: JSON.stringify(AUTO),
      interesado: JSON.stringify(INTERESADO),
      operador: MAIL,
      estado,
      repite: null,
    },
    MAIL,
    timeZone,
  )

const PUBLICACION = {
  href: `/v3/publicaciones/${MAIL}/${AUTO.ExternalId}`,
  title: `${AUTO.Marca} ${AUTO.Modelo} (${AUTO.ExternalId})`,
}

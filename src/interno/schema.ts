import Type, { type Static, type TSchema } from 'typebox'
import { toTimestamp } from '../http/dates.ts'
import { link, segment } from '../http/links.ts'
import { DateTime, Day, Id, idOf, listOf, nullable, Timestamp } from '../http/schemas.ts'
import { ESTADOS_FOTO, type Photo, photoHref, widthsOf } from '../photos/photo.ts'
import { dataEntry, FIELDS } from '../resources/agencias/agencia.ts'
import type { FeedAgencia } from '../resources/agencias/read.ts'
import {
  catalogueLinks,
  Publicacion,
  publicEntry,
  shownExposure,
  suspensionOf,
} from '../resources/publicaciones/publicacion.ts'
import type { PublicacionOfAgencia } from '../resources/publicaciones/read.ts'
import { Sucursal, sucursalData } from '../resources/sucursales/sucursal.ts'

/** The tag and the security scheme of the site's routes. */
export const SITIO = { tags: ['Interno'], security: [{ SitioKey: [] }] }

export const CambiosQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'El del enlace next; fin: solo lo que cambie desde ahora' }),
  ),
})

const { RefStock, Activa, ExposicionOtorgada, OperadorResponsable, ...car } = Publicacion.properties

/** As shown: without the bounds of what is sent. */
const shown = (schema: object) => Type.String({ examples: (schema as { examples?: string[] }).examples })
const AgencyName = shown(FIELDS.Nombre.schema)

const AvisoSitio = Type.Object(
  { ...car, Agencia: Type.Object({ Id, AdminMail: Type.String({ format: 'email' }), Nombre: AgencyName }) },
  { $id: 'AvisoSitio' },
)

const Copia = Type.Object({
  Ancho: Type.Integer({ description: 'Píxeles', examples: [1080] }),
  Webp: Type.String({ examples: ['/fotos/9f86d081/1080.webp'] }),
  Jpeg: Type.String({ examples: ['/fotos/9f86d081/1080.jpg'] }),
})

const AvisoFotos = Type.Object(
  {
    Aviso: Id,
    Fotos: Type.Array(
      Type.Object({
        Url: Type.String({ format: 'uri', description: 'La que dio la app: la de Fotos' }),
        Estado: Type.Enum([...ESTADOS_FOTO]),
        Motivo: nullable(Type.String({ description: 'Por qué falló el último intento', examples: ['respuesta-404'] })),
        Ancho: nullable(Type.Integer({ description: 'De la foto, en píxeles' })),
        Alto: nullable(Type.Integer({ description: 'De la foto, en píxeles' })),
        Copias: Type.Array(Copia, { description: 'De menor a mayor; ninguna hasta que esté lista' }),
      }),
      { description: 'En el orden del aviso; ninguna si está archivado' },
    ),
    _links: Type.Ref('Links'),
  },
  { $id: 'AvisoFotos' },
)

const { _links, ...place } = Sucursal.properties
const data = Object.fromEntries(Object.entries(FIELDS).map(([name, { schema }]) => [name, nullable(shown(schema))]))

const AgenciaSitio = Type.Object(
  {
    Id,
    AdminMail: Type.String({ format: 'email' }),
    AdminMailsAnteriores: Type.Array(Type.String({ format: 'email' }), {
      description: 'Los que tuvo y todavía sirven; Id no cambia nunca',
    }),
    ...data,
    Nombre: AgencyName,
    Sucursales: Type.Array(Type.Object(place)),
    Creada: Timestamp,
    Modificada: Timestamp,
    _links: Type.Ref('Links'),
  },
  { $id: 'AgenciaSitio' },
)

const AvisosSitio = listOf('AvisosSitio', 'AvisoSitio')
const AgenciasSitio = listOf('AgenciasSitio', 'AgenciaSitio')

export const AvisoParams = Type.Object({ id: idOf('El número público del aviso') })

export const Moderacion = Type.Object(
  {
    Motivo: Type.Optional(
      nullable(
        Type.String({
          maxLength: 500,
          description: 'Lo leen la app que lo publicó y la agencia',
          examples: ['Las fotos no corresponden al auto.'],
        }),
      ),
    ),
  },
  { $id: 'Moderacion', additionalProperties: false },
)

const places = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Cuántos avisos; 0 si falta' }),
)

export const PaqueteUpsert = Type.Object(
  {
    Nombre: Type.String({ minLength: 1, maxLength: 120, examples: ['Plan 50'] }),
    Desde: Type.Optional(nullable(Type.String({ ...Day, description: 'Primer día; hoy si falta' }))),
    Hasta: Type.String({ ...Day, description: 'Último día, incluido' }),
    Alta: places,
    Media: places,
    Baja: places,
    ConsultasDeCatalogo: Type.Optional(Type.Boolean()),
  },
  { $id: 'PaqueteUpsert', additionalProperties: false },
)

const MAX_VISITS = 1000

export const Visitas = Type.Array(
  Type.Object(
    {
      Aviso: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [100_231] }),
      Cantidad: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: '1 si falta' })),
      Momento: Type.Optional(
        DateTime({ description: 'Ahora si falta; hasta 90 días atrás', examples: ['2026-03-04T09:15:27-03:00'] }),
      ),
    },
    { additionalProperties: false },
  ),
  { $id: 'Visitas', maxItems: MAX_VISITS },
)

const VisitasContadas = Type.Object(
  {
    Contadas: Type.Integer({ minimum: 0 }),
    Desconocidas: Type.Array(Type.Integer(), { description: 'Los avisos que no existen: sus visitas no se cuentan' }),
  },
  { $id: 'VisitasContadas' },
)

export const SITE_SCHEMAS: readonly TSchema[] = [
  AvisoSitio,
  AvisosSitio,
  AvisoFotos,
  AgenciaSitio,
  AgenciasSitio,
  Moderacion,
  PaqueteUpsert,
  Visitas,
  VisitasContadas,
]

export type Moderacion = Static<typeof Moderacion>
export type PaqueteUpsert = Static<typeof PaqueteUpsert>
export type Visitas = Static<typeof Visitas>

const AVISOS = '/interno/v1/avisos'
const AGENCIAS = '/interno/v1/agencias'

export function avisoEntry(row: PublicacionOfAgencia, timeZone: string) {
  const self = `${AVISOS}/${row.id}`
  const isModerated = row.suspensiones.includes('mercado')
  return {
    Aviso: row.id,
    Estado: row.estado,
    Suspension: suspensionOf(row),
    Exposicion: shownExposure(row),
    Agencia: { Id: row.agenciaId, AdminMail: row.adminMail, Nombre: row.agencia },
    ExternalId: row.externalId,
    ...publicEntry(row, { adminMail: row.adminMail, timeZone }),
    _links: {
      pagina: link(`/aviso/${row.id}`),
      fotos: link(`${self}/fotos`),
      ...(row.estado !== 'Archivada' && {
        ...(isModerated
          ? { reactivar: link(`${self}/reactivar`, 'POST') }
          : { suspender: link(`${self}/suspender`, 'POST') }),
      }),
      ...catalogueLinks(row),
    },
  }
}

/** The photos of a listing, and the copies that any page may show. */
export const fotosEntry = (aviso: number, photos: readonly Photo[]) => ({
  Aviso: aviso,
  Fotos: photos.map(({ url, estado, error, stored }) => ({
    Url: url,
    Estado: estado,
    Motivo: error,
    Ancho: stored?.width ?? null,
    Alto: stored?.height ?? null,
    Copias: stored
      ? widthsOf(stored.width).map((width) => ({
          Ancho: Math.min(width, stored.width),
          Webp: photoHref(stored, width, 'webp'),
          Jpeg: photoHref(stored, width, 'jpg'),
        }))
      : [],
  })),
  _links: { self: link(`${AVISOS}/${aviso}/fotos`), pagina: link(`/aviso/${aviso}`) },
})

export function agenciaEntry(row: FeedAgencia, sucursales: Sucursal[], timeZone: string) {
  return {
    Id: row.id,
    AdminMail: row.adminMail,
    AdminMailsAnteriores: row.anteriores,
    ...dataEntry(row),
    Sucursales: sucursales.map(sucursalData),
    Creada: toTimestamp(row.creada, timeZone),
    Modificada: toTimestamp(row.modificada, timeZone),
    _links: { paquete: link(`${AGENCIAS}/${segment(row.adminMail)}/paquete`, 'PUT') },
  }
}

import Type, { type TSchema } from 'typebox'
import type { Modo } from '../../apps/app.ts'
import { toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { Amount, closed, integer, MAIL_CHARACTERS, nullable, shownMembers, text } from '../../http/schemas.ts'
import { type RowOf, selectList, sqlColumn } from '../../store/columns.ts'
import { PLACE_COLUMNS } from '../agencias/agencia.ts'
import { EXPOSICIONES } from '../agencias/paquetes.ts'

// A listing is described here once: its columns, and its members in JSON with their schemas. What a request may say of
// it is in schema.ts.

export const ESTADOS = ['Activa', 'Suspendida', 'Archivada'] as const
/** Why a listing is suspended, the strongest reason first. Only who gave a reason lifts it. */
export const SUSPENSIONES = ['mercado', 'agencia', 'desasociada', 'paquete', 'app'] as const

export type EstadoPublicacion = (typeof ESTADOS)[number]
export type Exposicion = (typeof EXPOSICIONES)[number]
export type Suspension = (typeof SUSPENSIONES)[number]

/** A technical datum that has no member of its own. */
export interface DatoTecnico {
  Nombre: string
  Valor: string
}

const VISIBILITY_COLUMNS = {
  estado: sqlColumn<EstadoPublicacion>('estado'),
  suspensiones: sqlColumn<Suspension[]>('suspensiones', 'text[]'),
  /** What the app asked for (null: the best there is), and what the package gave. */
  exposicionPedida: sqlColumn<Exposicion | null>('exposicion_pedida'),
  exposicion: sqlColumn<Exposicion | null>('exposicion'),
}

/** Which car it is, which never changes; no id if the catalogue does not know it. */
const VEHICLE_COLUMNS = {
  marcaId: sqlColumn<number>('marca_id', 'int'),
  marca: sqlColumn<string>('marca'),
  modeloId: sqlColumn<number | null>('modelo_id', 'int'),
  modelo: sqlColumn<string>('modelo'),
  versionId: sqlColumn<number | null>('version_id', 'int'),
  version: sqlColumn<string | null>('version'),
  /** Make, model and version as the partner wrote them, without case; empty if no partner did. */
  escrito: sqlColumn<string>('escrito'),
}

/** What an edit replaces. Ids of the catalogue are stored with the names they had then. */
const DETAIL_COLUMNS = {
  refStock: sqlColumn<string | null>('ref_stock'),
  operador: sqlColumn<string>('operador'),
  versionYear: sqlColumn<number | null>('version_year', 'int'),
  /** 0 for a new car. */
  kilometraje: sqlColumn<number | null>('kilometraje', 'int'),
  colorId: sqlColumn<number | null>('color_id', 'int'),
  color: sqlColumn<string | null>('color'),
  carroceriaId: sqlColumn<number | null>('carroceria_id', 'int'),
  carroceria: sqlColumn<string | null>('carroceria'),
  propulsion: sqlColumn<string | null>('propulsion'),
  transmision: sqlColumn<string | null>('transmision'),
  precioMoneda: sqlColumn<string | null>('precio_moneda'),
  precioImporte: sqlColumn<number | null>('precio_importe', 'numeric'),
  descripcion: sqlColumn<string | null>('descripcion'),
  ...PLACE_COLUMNS,
  fotos: sqlColumn<string[]>('fotos', 'text[]'),
  datosTecnicos: sqlColumn<DatoTecnico[]>('datos_tecnicos', 'json'),
}

const WRITTEN_COLUMNS = {
  modo: sqlColumn<Modo>('modo'),
  agenciaId: sqlColumn<number>('agencia_id', 'int'),
  appId: sqlColumn<number>('app_id', 'int'),
  externalId: sqlColumn<string>('external_id'),
  ...VISIBILITY_COLUMNS,
  ...VEHICLE_COLUMNS,
  ...DETAIL_COLUMNS,
  /** Why others than the app suspended it. */
  motivo: sqlColumn<string | null>('motivo'),
}

const COLUMNS = {
  /** The public number, Aviso; partners know a listing by their own ExternalId. */
  id: sqlColumn<number>('id', 'int'),
  ...WRITTEN_COLUMNS,
  creada: sqlColumn<Date>('created_at', 'timestamptz'),
  modificada: sqlColumn<Date>('updated_at', 'timestamptz'),
}

/** All columns that are written with a new listing; `busqueda` is the text that `q` searches. */
export const INSERT_COLUMNS = { ...WRITTEN_COLUMNS, busqueda: sqlColumn<string>('busqueda') }

export type Visibility = RowOf<typeof VISIBILITY_COLUMNS>
export type Vehicle = RowOf<typeof VEHICLE_COLUMNS>
export type Details = RowOf<typeof DETAIL_COLUMNS>
export type Publicacion = RowOf<typeof COLUMNS>

export const PUBLICACION = selectList('p', COLUMNS)

/** What a representation needs beside the row. */
interface Rendering {
  adminMail: string
  timeZone: string
}

interface Member<Schema extends TSchema = TSchema, Shown extends TSchema = TSchema> {
  /** In a request's body. */
  schema: Schema
  /** In a representation. */
  shown: Shown
  value(row: Publicacion, rendering: Rendering): unknown
}

/** A column, or what is made of several. */
type Source = keyof Publicacion | Member['value']

const valueFrom = (source: Source): Member['value'] => (typeof source === 'string' ? (row) => row[source] : source)

const required = <Schema extends TSchema>(schema: Schema, source: Source): Member<Schema, Schema> => ({
  schema,
  shown: schema,
  value: valueFrom(source),
})

const orNull = <Schema extends TSchema>(schema: Schema, source: Source) => ({
  ...required(schema, source),
  shown: nullable(schema),
})

const MAX_PHOTOS = 20
const MAX_DATA = 50

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-03-04T09:15:27.031-03:00'] })

export const EXTERNAL_ID_CHARACTERS = 255

export const ExternalId = Type.String({
  format: 'external-id',
  minLength: 2,
  maxLength: EXTERNAL_ID_CHARACTERS,
  description:
    'El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección',
  examples: ['AB-1023'],
})

const Precio = Amount(18_500_000)

const Dato = Type.Object(
  { Nombre: text(50, 'Airbags', { minLength: 1 }), Valor: text(200, '6', { minLength: 1 }) },
  closed,
)

/** Which car it is: another car is another listing. */
export const VEHICLE = {
  Marca: required(text(200, 'Fiat', { minLength: 1, description: 'Como en marcas/bestmatch' }), 'marca'),
  Modelo: required(
    text(100, 'Cronos', { minLength: 1, description: 'Como en modelos/bestmatch; uno que no está queda como texto' }),
    'modelo',
  ),
  Version: orNull(
    text(200, '1.3 Drive', { description: 'Una que no está en el catálogo queda como texto' }),
    'version',
  ),
}

/** What an edit replaces. */
export const DETAILS = {
  RefStock: orNull(text(25, 'S-881', { description: 'Número de stock de la agencia' }), 'refStock'),
  Exposicion: orNull(
    Type.Enum([...EXPOSICIONES], {
      description:
        'La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete',
    }),
    'exposicionPedida',
  ),
  OperadorResponsable: required(
    Type.String({
      format: 'email',
      maxLength: MAIL_CHARACTERS,
      description:
        'Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia',
      examples: ['vendedor@agencia.example'],
    }),
    'operador',
  ),
  VersionYear: orNull(Type.Integer({ minimum: 1908, maximum: 2050, examples: [2022] }), 'versionYear'),
  Kilometraje: orNull(
    Type.Integer({ minimum: 0, maximum: 999_000, description: '0 solo si es nuevo', examples: [38_000] }),
    'kilometraje',
  ),
  Color: orNull(text(50, 'Blanco', { description: 'Como en colores/bestmatch' }), 'color'),
  Carroceria: orNull(text(200, 'Sedán', { description: 'Como en carrocerias/bestmatch' }), 'carroceria'),
  Propulsion: orNull(text(50, 'nafta', { description: 'Como fuelType en versiones/bestmatch' }), 'propulsion'),
  Transmision: orNull(
    text(50, 'manual', { description: 'Como transmissionType en versiones/bestmatch' }),
    'transmision',
  ),
  Precio: orNull(Precio, priceOf),
  Descripcion: orNull(text(2000, 'Único dueño, service al día.'), 'descripcion'),
  Region: orNull(
    text(200, 'Buenos Aires', { description: 'Como en regiones/bestmatch; si falta, la de la agencia' }),
    'region',
  ),
  Ciudad: orNull(text(200, 'Temperley', { description: 'Como en ciudades/bestmatch; necesita Region' }), 'ciudad'),
  Fotos: required(
    Type.Array(text(1024, 'https://fotos.example/ab-1023-1.jpg', { format: 'https' }), {
      maxItems: MAX_PHOTOS,
      description: 'Direcciones https, la principal primero',
    }),
    'fotos',
  ),
  DatosTecnicosCustom: required(Type.Array(Dato, { maxItems: MAX_DATA }), 'datosTecnicos'),
}

const { RefStock, Exposicion, OperadorResponsable, ...ABOUT_CAR } = DETAILS

/** Public, also for the marketplace's site. */
const PUBLIC_MEMBERS = {
  ...VEHICLE,
  ...ABOUT_CAR,
  Creada: required(Timestamp, ({ creada }, { timeZone }) => toTimestamp(creada, timeZone)),
  Modificada: required(Timestamp, ({ modificada }, { timeZone }) => toTimestamp(modificada, timeZone)),
}

/** The members in the specification's order. `Activa` repeats `Estado` so that what was read can be sent back. */
const MEMBERS = {
  Aviso: required(integer(100_231, { description: 'El número público del aviso' }), 'id'),
  ExternalId: required(ExternalId, 'externalId'),
  RefStock,
  Estado: required(Type.Enum([...ESTADOS]), 'estado'),
  Activa: required(Type.Boolean({ description: 'Indica si se muestra' }), ({ estado }) => estado === 'Activa'),
  Suspension: orNull(
    Type.Object({
      Por: Type.Enum([...SUSPENSIONES], {
        description: 'Si es el mercado o la agencia, nadie más puede volver a mostrar el auto',
      }),
      Motivo: nullable(Type.String({ examples: ['Las fotos no corresponden al auto.'] })),
    }),
    suspensionOf,
  ),
  Exposicion,
  ExposicionOtorgada: orNull(
    Type.Enum([...EXPOSICIONES], { description: 'La que tiene; null si no se muestra' }),
    shownExposure,
  ),
  OperadorResponsable,
  ...PUBLIC_MEMBERS,
  _links: required(
    Type.Ref('Links', { description: 'marca, modelo, color …: las entradas del catálogo que corresponden' }),
    (row, { adminMail }) => Object.assign(ownLinks(row, adminMail), catalogueLinks(row)),
  ),
}

export const Publicacion = Type.Object(shownMembers(MEMBERS), { $id: 'Publicacion' })

const represent =
  (members: Record<string, Member>) =>
  (row: Publicacion, rendering: Rendering): Record<string, unknown> =>
    Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value(row, rendering)]))

export const publicacionEntry = represent(MEMBERS)

export const publicEntry = represent(PUBLIC_MEMBERS)

export function priceOf({ precioMoneda, precioImporte }: Pick<Publicacion, 'precioMoneda' | 'precioImporte'>) {
  return precioMoneda === null || precioImporte === null ? null : { Moneda: precioMoneda, Importe: precioImporte }
}

/** The strongest reason for which a listing is not shown; null if it is not suspended. */
export function suspensionOf({ estado, suspensiones, motivo }: Publicacion) {
  if (estado !== 'Suspendida') return null
  return { Por: SUSPENSIONES.find((reason) => suspensiones.includes(reason)), Motivo: motivo }
}

/** Null if the listing is not shown. */
export function shownExposure({ estado, exposicion }: Pick<Visibility, 'estado' | 'exposicion'>): Exposicion | null {
  return estado === 'Activa' ? exposicion : null
}

export const publicacionesHref = (adminMail: string): string => `/v3/publicaciones/${segment(adminMail)}`

export const publicacionHref = (adminMail: string, externalId: string): string =>
  `${publicacionesHref(adminMail)}/${segment(externalId)}`

/** Ref title: `Marca Modelo (ExternalId)`. */
export const publicacionRef = (
  { externalId, marca, modelo }: Pick<Publicacion, 'externalId' | 'marca' | 'modelo'>,
  adminMail: string,
) => ({ href: publicacionHref(adminMail, externalId), title: `${marca} ${modelo} (${externalId})` })

function ownLinks(row: Publicacion, adminMail: string): Links {
  const self = publicacionHref(adminMail, row.externalId)
  const consultas = withQuery(`/v3/consultas/${segment(adminMail)}`, { externalid: row.externalId })
  return {
    self: link(self),
    ...(row.estado !== 'Archivada' && { editar: link(self, 'PUT'), eliminar: link(self, 'DELETE') }),
    estadisticas: link(`${self}/estadisticas`),
    consultas: link(consultas),
    aviso: link(`/aviso/${row.id}`),
    publicaciones: link(publicacionesHref(adminMail)),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  }
}

/** The records of the catalogue that the values were matched to. */
export function catalogueLinks(row: Publicacion): Links {
  const records: Record<string, [string, number | null]> = {
    marca: ['marcas', row.marcaId],
    modelo: ['modelos', row.modeloId],
    version: ['versiones', row.versionId],
    color: ['colores', row.colorId],
    carroceria: ['carrocerias', row.carroceriaId],
    region: ['regiones', row.regionId],
    ciudad: ['ciudades', row.ciudadId],
  }
  const known = Object.entries(records).filter(([, [, id]]) => id !== null)
  return Object.fromEntries(known.map(([rel, [catalogue, id]]) => [rel, link(`/v3/${catalogue}/${id}`)]))
}

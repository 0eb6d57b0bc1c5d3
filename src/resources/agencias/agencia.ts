import Type, { type TSchema } from 'typebox'
import type { Rol } from '../../accounts/links.ts'
import type { Modo } from '../../apps/app.ts'
import { nullable } from '../../http/schemas.ts'
import { labels, t } from '../../i18n/messages.tsx'
import { type RowOf, sqlColumn } from '../../store/columns.ts'
import { taxIdOf } from './tax-id.ts'

// An agency's data is described here once: its columns, and its members in JSON with schema and label.

/** A place by the catalogue's ids, with the names they had when it was written. */
export const PLACE_COLUMNS = {
  regionId: sqlColumn<number | null>('region_id', 'int'),
  region: sqlColumn<string | null>('region'),
  ciudadId: sqlColumn<number | null>('ciudad_id', 'int'),
  ciudad: sqlColumn<string | null>('ciudad'),
}

/** What an agency says of itself; `AgenciaEdit` replaces all of it. */
export const DATA_COLUMNS = {
  nombre: sqlColumn<string>('nombre'),
  razonSocial: sqlColumn<string | null>('razon_social'),
  idFiscal: sqlColumn<string | null>('id_fiscal'),
  telefono: sqlColumn<string | null>('telefono'),
  whatsapp: sqlColumn<string | null>('whatsapp'),
  sitioWeb: sqlColumn<string | null>('sitio_web'),
  ...PLACE_COLUMNS,
  direccion: sqlColumn<string | null>('direccion'),
  codigoPostal: sqlColumn<string | null>('codigo_postal'),
}

export const KEY_COLUMNS = {
  id: sqlColumn<number>('id', 'int'),
  modo: sqlColumn<Modo>('modo'),
  adminMail: sqlColumn<string>('admin_mail'),
}

export type Place = RowOf<typeof PLACE_COLUMNS>
export type AgenciaData = RowOf<typeof DATA_COLUMNS>

export const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

const field = <Schema extends TSchema>(
  column: Exclude<keyof AgenciaData, 'regionId' | 'ciudadId'>,
  schema: Schema,
) => ({ column, schema, shown: nullable(schema) })

/** The members of `AgenciaEdit`, in the specification's order. */
export const FIELDS = {
  Nombre: {
    ...field('nombre', text(120, { minLength: 1, examples: ['Automotores del Sur'] })),
    shown: nullable(Type.String({ examples: ['Automotores del Sur'] })),
  },
  RazonSocial: field('razonSocial', text(120, { examples: ['Automotores del Sur S.A.'] })),
  IdFiscal: field('idFiscal', text(20, { description: 'En Argentina, un CUIT', examples: ['30-50001091-2'] })),
  Telefono: field('telefono', Type.String({ format: 'tel', minLength: 8, maxLength: 20, examples: ['011 4555-1234'] })),
  WhatsApp: field('whatsapp', Type.String({ format: 'whatsapp', maxLength: 20, examples: ['+5491145551234'] })),
  SitioWeb: field('sitioWeb', text(200, { format: 'uri', examples: ['https://automotores.example'] })),
  Region: field('region', text(200, { description: 'Como en regiones/bestmatch', examples: ['Buenos Aires'] })),
  Ciudad: field(
    'ciudad',
    text(200, { description: 'Como en ciudades/bestmatch; necesita Region', examples: ['Temperley'] }),
  ),
  Direccion: field('direccion', text(200, { examples: ['Av. Espora 1200'] })),
  CodigoPostal: field('codigoPostal', text(20, { examples: ['B1834'] })),
}

type FieldName = keyof typeof FIELDS

/** The data as JSON members; null for what is unknown. */
export const dataEntry = (data: { [Name in keyof AgenciaData]?: AgenciaData[Name] | null }) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, { column }]) => [name, data[column] ?? null])) as Record<
    FieldName,
    string | null
  >

/** The data of an agency, and other changes in its history, for people. */
const LABELS: Readonly<Record<string, string>> = labels({
  Nombre: 'comun.field.tradeName',
  RazonSocial: 'comun.field.legalName',
  IdFiscal: 'comun.field.taxId',
  Telefono: 'comun.field.telephone',
  WhatsApp: 'comun.field.whatsapp',
  SitioWeb: 'comun.field.website',
  Region: 'comun.field.region',
  Ciudad: 'comun.field.city',
  Direccion: 'comun.field.address',
  CodigoPostal: 'comun.field.postalCode',
  AdminMail: 'comun.field.adminMail',
  Operadores: 'comun.field.operadores',
  Sucursal: 'comun.field.sucursal',
})

/** The label of a changed datum (`Change.campo`), for emails and pages. */
export function formatCampo(campo: string, country: string): string {
  const taxId = campo === 'IdFiscal' && taxIdOf(country)
  if (taxId) return taxId.label
  const [, person] = /^Operador (.+)$/.exec(campo) ?? []
  return person ? t('comun.field.operador', { person }) : (LABELS[campo] ?? campo)
}

/** Somebody who works at an agency, as they are presented there. */
export interface Operador {
  accountId: number
  nombre: string
  apellido: string
  email: string
  rol: Rol
  telefono: string | null
  whatsapp: string | null
}

/** A dealership; its administrator is the first of its operadores. */
export interface Agencia extends AgenciaData, RowOf<typeof KEY_COLUMNS> {
  operadores: Operador[]
}

/** What an agency lets an app do, beyond reading it. */
export interface Permisos {
  editar: boolean
  consultasDeCatalogo: boolean
  consultasDeOtros: boolean
}

export const ESTADOS_INVITACION = ['pendiente', 'aceptada', 'vencida', 'revocada', 'rebotada'] as const
export type InvitacionEstado = (typeof ESTADOS_INVITACION)[number]

export interface InvitacionSummary {
  estado: InvitacionEstado
  enviada: Date
  vence: Date
}

export interface AgenciaOfApp extends Agencia {
  permisos: Permisos
  invitacion: InvitacionSummary | null
}

/** What an invitation may already say of the agency. */
export const INVITACION_COLUMNS = {
  id: sqlColumn<number>('id', 'int'),
  appId: sqlColumn<number>('app_id', 'int'),
  modo: sqlColumn<Modo>('modo'),
  adminMail: sqlColumn<string>('admin_mail'),
  nombre: sqlColumn<string | null>('nombre'),
  adminNombre: sqlColumn<string | null>('admin_nombre'),
  adminApellido: sqlColumn<string | null>('admin_apellido'),
  telefono: sqlColumn<string | null>('telefono'),
  ...PLACE_COLUMNS,
  direccion: sqlColumn<string | null>('direccion'),
  mensaje: sqlColumn<string | null>('mensaje'),
  enviada: sqlColumn<Date>('enviada', 'timestamptz'),
  vence: sqlColumn<Date>('vence', 'timestamptz'),
}

export interface Invitacion extends RowOf<typeof INVITACION_COLUMNS> {
  estado: InvitacionEstado
}

export interface Asociacion extends Permisos {
  app: { id: number; appKey: string; nombre: string }
  desde: Date
}

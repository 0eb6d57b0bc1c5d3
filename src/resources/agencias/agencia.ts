import Type, { type TSchema } from 'typebox'
import type { Rol } from '../../accounts/links.ts'
import type { Modo } from '../../apps/app.ts'
import { nullable } from '../../http/schemas.ts'
import { labels, t } from '../../i18n/messages.tsx'
import { column, type RowOf } from '../../store/columns.ts'
import { taxIdOf } from './tax-id.ts'

// An agency's data is described here once: its columns, and its members in JSON with schema and label.

/** A place by the catalogue's ids, with the names they had when it was written. */
export const PLACE_COLUMNS = {
  regionId: column<number | null>('region_id', 'int'),
  region: column<string | null>('region'),
  ciudadId: column<number | null>('ciudad_id', 'int'),
  ciudad: column<string | null>('ciudad'),
}

/** What an agency says of itself; `AgenciaEdit` replaces all of it. */
export const DATA_COLUMNS = {
  nombre: column<string>('nombre'),
  razonSocial: column<string | null>('razon_social'),
  idFiscal: column<string | null>('id_fiscal'),
  telefono: column<string | null>('telefono'),
  whatsapp: column<string | null>('whatsapp'),
  sitioWeb: column<string | null>('sitio_web'),
  ...PLACE_COLUMNS,
  direccion: column<string | null>('direccion'),
  codigoPostal: column<string | null>('codigo_postal'),
}

export const KEY_COLUMNS = {
  id: column<number>('id', 'int'),
  modo: column<Modo>('modo'),
  adminMail: column<string>('admin_mail'),
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
export const INVITATION_COLUMNS = {
  id: column<number>('id', 'int'),
  appId: column<number>('app_id', 'int'),
  modo: column<Modo>('modo'),
  adminMail: column<string>('admin_mail'),
  nombre: column<string | null>('nombre'),
  adminNombre: column<string | null>('admin_nombre'),
  adminApellido: column<string | null>('admin_apellido'),
  telefono: column<string | null>('telefono'),
  ...PLACE_COLUMNS,
  direccion: column<string | null>('direccion'),
  mensaje: column<string | null>('mensaje'),
  enviada: column<Date>('enviada', 'timestamptz'),
  vence: column<Date>('vence', 'timestamptz'),
}

export interface Invitacion extends RowOf<typeof INVITATION_COLUMNS> {
  estado: InvitacionEstado
}

export interface Asociacion extends Permisos {
  app: { id: number; appKey: string; nombre: string }
  desde: Date
}

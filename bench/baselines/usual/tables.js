// The tables of the database that this server uses, as Drizzle describes them.
import { boolean, customType, date, integer, json, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const bytea = customType({ dataType: () => 'bytea' })
const moment = (name) => timestamp(name, { withTimezone: true })
const id = () => integer('id').generatedAlwaysAsIdentity().primaryKey()

export const apps = pgTable('apps', {
  id: id(),
  appKey: text('app_key').notNull(),
  nombre: text('nombre').notNull(),
  modo: text('modo').notNull(),
  topics: text('topics').array(),
  disabledAt: moment('disabled_at'),
})

export const appSecrets = pgTable('app_secrets', {
  id: id(),
  appId: integer('app_id').notNull(),
  sealed: bytea('sealed').notNull(),
  revokedAt: moment('revoked_at'),
})

export const usedSignatures = pgTable('used_signatures', {
  signature: bytea('signature').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
})

export const signingKeys = pgTable('signing_keys', { kid: text('kid').primaryKey(), publicJwk: json('public_jwk') })

export const sitios = pgTable('sitios', {
  id: id(),
  modo: text('modo').notNull(),
  keyHash: bytea('key_hash').notNull(),
  revokedAt: moment('revoked_at'),
})

export const accounts = pgTable('accounts', {
  id: id(),
  email: text('email').notNull(),
  nombre: text('nombre').notNull(),
  version: integer('version').notNull(),
})

export const staff = pgTable('staff', { accountId: integer('account_id').primaryKey(), endedAt: moment('ended_at') })

export const agencias = pgTable('agencias', {
  id: id(),
  modo: text('modo').notNull(),
  adminMail: text('admin_mail').notNull(),
  nombre: text('nombre').notNull(),
  regionId: integer('region_id'),
  region: text('region'),
  ciudadId: integer('ciudad_id'),
  ciudad: text('ciudad'),
})

export const agenciaAliases = pgTable('agencia_aliases', {
  modo: text('modo').notNull(),
  adminMail: text('admin_mail').notNull(),
  agenciaId: integer('agencia_id').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

export const operadores = pgTable('operadores', {
  agenciaId: integer('agencia_id').notNull(),
  accountId: integer('account_id').notNull(),
  rol: text('rol').notNull(),
})

export const asociaciones = pgTable('asociaciones', {
  id: id(),
  appId: integer('app_id').notNull(),
  agenciaId: integer('agencia_id').notNull(),
  consultasDeCatalogo: boolean('consultas_de_catalogo').notNull(),
  consultasDeOtros: boolean('consultas_de_otros').notNull(),
  endedAt: moment('ended_at'),
})

export const paquetes = pgTable('paquetes', {
  agenciaId: integer('agencia_id').primaryKey(),
  desde: date('desde').notNull(),
  hasta: date('hasta').notNull(),
  alta: integer('alta').notNull(),
  media: integer('media').notNull(),
  baja: integer('baja').notNull(),
})

export const consultas = pgTable('consultas', {
  sid: text('sid').primaryKey(),
  modo: text('modo').notNull(),
  agenciaId: integer('agencia_id').notNull(),
  fuente: integer('fuente').notNull(),
  publicacionId: integer('publicacion_id'),
  externalKey: text('external_key'),
  tipoAnuncio: text('tipo_anuncio').notNull(),
  origenLead: text('origen_lead').notNull(),
  auto: text('auto').notNull(),
  interesado: text('interesado').notNull(),
  email: text('email'),
  telefono: text('telefono'),
  operador: text('operador').notNull(),
  estado: text('estado').notNull().default('nueva'),
  repite: text('repite'),
  sitioId: integer('sitio_id'),
})

export const idempotencyKeys = pgTable('idempotency_keys', {
  sitioId: integer('sitio_id').notNull(),
  key: text('key').notNull(),
  digest: bytea('digest').notNull(),
  sid: text('sid').notNull(),
})

export const mails = pgTable('mails', {
  kind: text('kind').notNull(),
  toAddress: text('to_address').notNull(),
  sid: text('sid'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

export const events = pgTable('events', {
  id: text('id').primaryKey(),
  appId: integer('app_id').notNull(),
  agenciaId: integer('agencia_id'),
  topic: text('topic').notNull(),
  sid: text('sid'),
  payload: text('payload').notNull(),
})

export const webhooks = pgTable('webhooks', {
  id: id(),
  appId: integer('app_id').notNull(),
  topic: text('topic').notNull(),
  callback: text('callback').notNull(),
  activo: boolean('activo').notNull(),
  disabledAt: moment('disabled_at'),
  sealedSecret: bytea('sealed_secret'),
})

export const deliveries = pgTable('deliveries', {
  id: text('id').primaryKey(),
  appId: integer('app_id').notNull(),
  webhookId: integer('webhook_id'),
  estado: text('estado').notNull().default('pendiente'),
  attempts: integer('attempts').notNull().default(0),
  carried: integer('carried').notNull().default(0),
  dueAt: moment('due_at').notNull().defaultNow(),
  leasedUntil: moment('leased_until'),
  lastError: text('last_error'),
  settledAt: moment('settled_at'),
})

export const deliveryAttempts = pgTable('delivery_attempts', {
  deliveryId: text('delivery_id').notNull(),
  at: moment('at').notNull(),
  ms: integer('ms').notNull(),
  address: text('address'),
  status: integer('status'),
  answer: text('answer'),
  error: text('error'),
})

export const publicaciones = pgTable('publicaciones', {
  id: id(),
  modo: text('modo').notNull(),
  agenciaId: integer('agencia_id').notNull(),
  appId: integer('app_id').notNull(),
  externalId: text('external_id').notNull(),
  refStock: text('ref_stock'),
  estado: text('estado').notNull().default('Activa'),
  suspensiones: text('suspensiones').array().notNull().default([]),
  exposicionPedida: text('exposicion_pedida'),
  exposicion: text('exposicion'),
  operador: text('operador').notNull(),
  marcaId: integer('marca_id').notNull(),
  marca: text('marca').notNull(),
  modeloId: integer('modelo_id'),
  modelo: text('modelo').notNull(),
  version: text('version'),
  versionYear: integer('version_year'),
  kilometraje: integer('kilometraje'),
  colorId: integer('color_id'),
  color: text('color'),
  carroceriaId: integer('carroceria_id'),
  carroceria: text('carroceria'),
  propulsion: text('propulsion'),
  transmision: text('transmision'),
  precioMoneda: text('precio_moneda'),
  precioImporte: numeric('precio_importe', { precision: 14, scale: 2, mode: 'number' }),
  descripcion: text('descripcion'),
  regionId: integer('region_id'),
  region: text('region'),
  ciudadId: integer('ciudad_id'),
  ciudad: text('ciudad'),
  fotos: text('fotos').array().notNull().default([]),
  datosTecnicos: json('datos_tecnicos').notNull().default([]),
  busqueda: text('busqueda').notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

import Type, { type Static, type TSchema } from 'typebox'
import { link, segment } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import { Id, listOf } from '../../http/schemas.ts'
import type { Place } from '../agencias/place.ts'
import { AdminMail } from '../agencias/schema.ts'

export const DIAS = ['Lunes', 'Martes', 'Miercoles', 'Jueves', 'Viernes', 'Sabado', 'Domingo', 'Feriados'] as const
export type Dia = (typeof DIAS)[number]

/** From one time of the day to another, as `HH:MM`; `24:00` is the end of it. */
export interface Turno {
  Desde: string
  Hasta: string
}

/** When a place is open; a day without any is closed. */
export type Horarios = Record<Dia, Turno[]>

/** As written, every day named and each in its order. */
export const tidyHours = (given: Partial<Record<Dia, Turno[] | null>>): Horarios =>
  Object.fromEntries(
    DIAS.map((dia) => [
      dia,
      (given[dia] ?? [])
        .map(({ Desde, Hasta }) => ({ Desde, Hasta }))
        .sort((a, b) => (a.Desde < b.Desde ? -1 : a.Desde > b.Desde ? 1 : 0)),
    ]),
  ) as Horarios

/** What cannot be: closing before opening, or two at once. Times of one form compare as they sort. */
export function hoursFaults(horarios: Horarios): Errors {
  const errors: Errors = {}
  for (const dia of DIAS) {
    const turnos = horarios[dia]
    const backwards = turnos.find(({ Desde, Hasta }) => Desde >= Hasta)
    const overlapping = turnos.find(({ Desde }, at) => at > 0 && Desde < (turnos[at - 1]?.Hasta ?? ''))
    if (backwards) errors[`Horarios.${dia}`] = [backwardsReason(backwards)]
    else if (overlapping)
      errors[`Horarios.${dia}`] = [`El turno de las ${overlapping.Desde} empieza antes de que termine otro.`]
  }
  return errors
}

const backwardsReason = ({ Desde, Hasta }: Turno): string =>
  Desde === Hasta
    ? `Abre y cierra a las ${Desde}: si no cierra en todo el día, envíe de 00:00 a 24:00.`
    : `Cierra a las ${Hasta}, antes de abrir a las ${Desde}.`

export interface SucursalData extends Place {
  nombre: string
  telefono: string | null
  whatsapp: string | null
  email: string | null
  direccion: string | null
  codigoPostal: string | null
  /** Null: not told. */
  horarios: Horarios | null
}

/** A place where an agency receives people. */
export interface Sucursal extends SucursalData {
  id: number
}

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const text = (maxLength: number, example: string, more: object = {}) =>
  Type.String({ maxLength, examples: [example], ...more })
const hora = (example: string) => Type.String({ format: 'hora', examples: [example] })

const MOST_SHIFTS = 4

const Turnos = Type.Array(
  Type.Object({ Desde: hora('09:00'), Hasta: hora('13:00') }, { additionalProperties: false }),
  { maxItems: MOST_SHIFTS },
)

const DIAS_ABIERTOS = Object.fromEntries(DIAS.map((dia) => [dia, optional(Turnos)]))

const MEMBERS = {
  Telefono: Type.String({ format: 'tel', minLength: 8, maxLength: 20, examples: ['011 4555-1234'] }),
  WhatsApp: text(20, '+5491145551234', { format: 'whatsapp' }),
  Email: text(254, 'temperley@agencia.example', { format: 'email' }),
  Region: text(200, 'Buenos Aires', { description: 'Como en regiones/bestmatch' }),
  Ciudad: text(200, 'Temperley', { description: 'Como en ciudades/bestmatch; necesita Region' }),
  Direccion: text(200, 'Av. Espora 1200'),
  CodigoPostal: text(20, 'B1834'),
  Horarios: Type.Object(DIAS_ABIERTOS, {
    additionalProperties: false,
    description: 'Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan',
  }),
}

const Nombre = text(120, 'Casa central', { minLength: 1 })
const each = (wrap: (schema: TSchema) => TSchema) =>
  Object.fromEntries(Object.entries(MEMBERS).map(([name, schema]) => [name, wrap(schema)]))

/** The whole of it: a member left out becomes null. */
export const SucursalUpsert = Type.Object(
  { Nombre, ...each(optional) },
  {
    $id: 'SucursalUpsert',
    description: 'Lo que falta queda en null. _links se acepta y se ignora: lo leído puede enviarse tal cual.',
    patternProperties: { '^_links$': {} },
    additionalProperties: false,
  },
)

export const Sucursal = Type.Object({ Nombre, ...each(nullable), _links: Type.Ref('Links') }, { $id: 'Sucursal' })

export const Sucursales = listOf('Sucursales', 'Sucursal')

export const SucursalParams = Type.Object({ adminMail: AdminMail, id: Id })

export const SCHEMAS: readonly TSchema[] = [SucursalUpsert, Sucursal, Sucursales]

type Members = { [Name in Exclude<keyof typeof MEMBERS, 'Horarios'>]?: string | null }
export interface SucursalUpsert extends Members {
  Nombre: Static<typeof Nombre>
  Horarios?: Partial<Record<(typeof DIAS)[number], Turno[] | null>> | null
}

const listHref = (adminMail: string): string => `/v3/sucursales/${segment(adminMail)}`

export const sucursalHref = (adminMail: string, id: number): string => `${listHref(adminMail)}/${id}`

/** What everyone may know of it. */
export const sucursalData = (row: Sucursal) => ({
  Nombre: row.nombre,
  Telefono: row.telefono,
  WhatsApp: row.whatsapp,
  Email: row.email,
  Region: row.region,
  Ciudad: row.ciudad,
  Direccion: row.direccion,
  CodigoPostal: row.codigoPostal,
  Horarios: row.horarios,
})

/** Only what this app may do is offered. */
export function sucursalEntry(row: Sucursal, adminMail: string, editar: boolean) {
  const self = sucursalHref(adminMail, row.id)
  return {
    ...sucursalData(row),
    _links: {
      self: link(self),
      ...(editar && { editar: link(self, 'PUT'), eliminar: link(self, 'DELETE') }),
      sucursales: link(listHref(adminMail)),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
  }
}

export const sucursalesList = (rows: Sucursal[], adminMail: string, editar: boolean) => ({
  _links: {
    self: link(listHref(adminMail)),
    ...(editar && { agregar: link(listHref(adminMail), 'POST') }),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  },
  _entries: rows.map((row) => sucursalEntry(row, adminMail, editar)),
})

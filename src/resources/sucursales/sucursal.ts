import Type, { type Static, type TSchema } from 'typebox'
import { link, segment } from '../../http/links.ts'
import { type FaultMap, fault } from '../../http/problems.ts'
import { closed, idOf, ignored, listOf, nullable, optional, optionalMembers, text } from '../../http/schemas.ts'
import { t } from '../../i18n/messages.tsx'
import { type RowOf, sqlColumn } from '../../store/columns.ts'
import { MAIL_CHARACTERS } from '../../text.ts'
import { FIELDS as AGENCIA_FIELDS, PLACE_COLUMNS } from '../agencias/agencia.ts'
import { AdminMailParam } from '../agencias/schema.ts'

export const DIAS = ['Lunes', 'Martes', 'Miercoles', 'Jueves', 'Viernes', 'Sabado', 'Domingo', 'Feriados'] as const
export type Dia = (typeof DIAS)[number]

const hora = (example: string) => Type.String({ format: 'hora', examples: [example] })

/** From one time of the day to another, as `HH:MM`; `24:00` is its end. */
const Turno = Type.Object({ Desde: hora('09:00'), Hasta: hora('13:00') }, closed)
export type Turno = Static<typeof Turno>

/** Opening hours; a day without any is closed. */
export type Horarios = Record<Dia, Turno[]>

/** Hours with every day present and sorted. */
export const normalizeHours = (given: Partial<Record<Dia, Turno[] | null>>): Horarios =>
  Object.fromEntries(
    DIAS.map((dia) => [
      dia,
      (given[dia] ?? [])
        .map(({ Desde, Hasta }) => ({ Desde, Hasta }))
        .sort((a, b) => (a.Desde < b.Desde ? -1 : a.Desde > b.Desde ? 1 : 0)),
    ]),
  ) as Horarios

/** Shifts that end before they begin, or overlap. Times compare as text. */
export function hoursFaults(horarios: Horarios): FaultMap {
  const errors: FaultMap = {}
  for (const dia of DIAS) {
    const turnos = horarios[dia]
    const backwards = turnos.find(({ Desde, Hasta }) => Desde >= Hasta)
    const overlapping = turnos.find(({ Desde }, at) => at > 0 && Desde < (turnos[at - 1]?.Hasta ?? ''))
    if (backwards) errors[`Horarios.${dia}`] = [fault('incompatible', backwardsReason(backwards))]
    else if (overlapping)
      errors[`Horarios.${dia}`] = [fault('incompatible', t('problema.fault.overlap', { from: overlapping.Desde }))]
  }
  return errors
}

const backwardsReason = ({ Desde, Hasta }: Turno): string =>
  Desde === Hasta
    ? t('problema.fault.noHours', { from: Desde })
    : t('problema.fault.backwards', { from: Desde, to: Hasta })

/** The columns of a branch; the database adds its id. */
export const COLUMNS = {
  nombre: sqlColumn<string>('nombre'),
  telefono: sqlColumn<string | null>('telefono'),
  whatsapp: sqlColumn<string | null>('whatsapp'),
  email: sqlColumn<string | null>('email'),
  ...PLACE_COLUMNS,
  direccion: sqlColumn<string | null>('direccion'),
  codigoPostal: sqlColumn<string | null>('codigo_postal'),
  /** Null: unknown. */
  horarios: sqlColumn<Horarios | null>('horarios', 'json'),
}

export type SucursalData = RowOf<typeof COLUMNS>
export type Sucursal = SucursalData & { id: number }

export const MAX_SHIFTS = 4
const Turnos = optional(Type.Array(Turno, { maxItems: MAX_SHIFTS }))

const field = <Schema extends TSchema>(column: keyof SucursalData, schema: Schema) => ({ column, schema })

/** The members in the specification's order. */
const FIELDS = {
  Nombre: field('nombre', text(120, 'Casa central', { minLength: 1 })),
  Telefono: field('telefono', AGENCIA_FIELDS.Telefono.schema),
  WhatsApp: field('whatsapp', text(20, '+5491145551234', { format: 'whatsapp' })),
  Email: field('email', text(MAIL_CHARACTERS, 'temperley@agencia.example', { format: 'email' })),
  Region: field('region', text(200, 'Buenos Aires', { description: 'Como en regiones/bestmatch' })),
  Ciudad: field('ciudad', text(200, 'Temperley', { description: 'Como en ciudades/bestmatch; necesita Region' })),
  Direccion: field('direccion', text(200, 'Av. Espora 1200')),
  CodigoPostal: field('codigoPostal', text(20, 'B1834')),
  Horarios: field(
    'horarios',
    Type.Object(Object.fromEntries(DIAS.map((dia) => [dia, Turnos])) as Record<Dia, typeof Turnos>, {
      ...closed,
      description: 'Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan',
    }),
  ),
}

const { Nombre, ...OPTIONAL } = FIELDS
const shown = Object.fromEntries(Object.entries(OPTIONAL).map(([name, { schema }]) => [name, nullable(schema)]))

/** All members: one left out becomes null. */
export const SucursalUpsert = Type.Object(
  { Nombre: Nombre.schema, ...optionalMembers(OPTIONAL), ...ignored(['_links']) },
  {
    $id: 'SucursalUpsert',
    description: 'Lo que falta queda en null.',
    ...closed,
  },
)

export type SucursalUpsert = Static<typeof SucursalUpsert>

export const Sucursal = Type.Object({ Nombre: Nombre.schema, ...shown, _links: Type.Ref('Links') }, { $id: 'Sucursal' })

export const SucursalParams = Type.Object({ adminMail: AdminMailParam, id: idOf('Id de la sucursal') })

export const SCHEMAS: readonly TSchema[] = [SucursalUpsert, Sucursal, listOf('Sucursales', 'Sucursal')]

const listHref = (adminMail: string): string => `/v3/sucursales/${segment(adminMail)}`

export const sucursalHref = (adminMail: string, id: number): string => `${listHref(adminMail)}/${id}`

export const sucursalData = (row: Partial<Sucursal>) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, { column }]) => [name, row[column]]))

/** A branch; the links depend on the app's permissions. */
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

import Type, { type Static } from 'typebox'
import type { Country } from '../../config.ts'
import { type Errors, type FaultMap, fault, Problem, textsOf } from '../../http/problems.ts'
import {
  Amount,
  anyText,
  blank,
  closed,
  integer,
  MAIL_CHARACTERS,
  nullable,
  optional,
  refTo,
  text,
} from '../../http/schemas.ts'
import { buildValidator } from '../../http/validate.ts'
import { t } from '../../i18n/messages.tsx'
import { hasTelephoneDigits, phoneKey, storedPhoneKeys } from '../../phone.ts'
import { normalizeLine, normalizeLines } from '../../text.ts'
import { Money } from './auto.ts'

/** What somebody may want of a car. */
export const INTERESES = ['compra', 'financiacion', 'permuta', 'prueba-de-manejo', 'otro'] as const

export const LINE_CHARACTERS = 100
export const PHONE_CHARACTERS = 30
export const COMMENT_CHARACTERS = 2_000

export const InfoOperacion = Type.Object(
  {
    EntregaVehiculo: nullable(
      Type.Object(
        { Marca: anyText('Renault'), Modelo: anyText('Clio'), VersionYear: nullable(integer(2012)) },
        { description: 'El vehículo que ofrece en parte de pago' },
      ),
    ),
    FinanciacionDeseada: nullable(Type.Object({ Adelanto: nullable(refTo(Money)), Cuota: nullable(refTo(Money)) })),
    QuiereCotizacionSeguro: nullable(Type.Boolean()),
  },
  { $id: 'InfoOperacion' },
)

/** The person who asks, as stored. */
const PERSON = {
  Interes: nullable(Type.Enum([...INTERESES])),
  Nombre: anyText('Lucía'),
  Apellido: anyText('Ferreyra'),
  Email: anyText('lucia@correo.example', { description: 'Vacío si no lo dio' }),
  Telefono: nullable(anyText('+54 9 341 555-0134')),
  DocIdentidad: nullable(anyText('30111222')),
  Provincia: nullable(anyText('Santa Fe')),
  Ciudad: nullable(anyText('Rosario')),
  Comentario: nullable(anyText('¿Aceptan permuta?')),
  InfoOperacion: nullable(refTo(InfoOperacion)),
}

/** As stored, and the telephone as it was understood, which depends on the market and so is not stored (consulta.ts). */
export const Interesado = Type.Object(
  {
    ...PERSON,
    TelefonoE164: Type.Optional(
      nullable(
        anyText('+5493415550134', {
          description: 'Telefono en formato E.164, entendido según el país del mercado; null si no se entiende',
        }),
      ),
    ),
  },
  {
    $id: 'Interesado',
    description:
      'Datos personales. Si se borraron a pedido de la persona: Nombre, Apellido y Email vacíos, lo demás null',
  },
)

const requiredLine = (example: string) => text(LINE_CHARACTERS, example, { minLength: 1 })

const OLDEST_YEAR = 1908 // as in a listing
const NEWEST_YEAR = 2050

const Monto = Amount(1_500_000)

const EntregaVehiculo = Type.Object(
  {
    Marca: requiredLine('Renault'),
    Modelo: requiredLine('Clio'),
    VersionYear: optional(Type.Integer({ minimum: OLDEST_YEAR, maximum: NEWEST_YEAR, examples: [2012] })),
  },
  closed,
)

const InfoOperacionCreate = Type.Object(
  {
    EntregaVehiculo: optional(EntregaVehiculo),
    FinanciacionDeseada: optional(Type.Object({ Adelanto: optional(Monto), Cuota: optional(Monto) }, closed)),
    QuiereCotizacionSeguro: optional(Type.Boolean()),
  },
  closed,
)

/** The person in the body of a new inquiry. Any text with enough digits is a telephone: no lead is lost for its form. */
export const InteresadoCreate = Type.Object(
  {
    Interes: optional(Type.Enum([...INTERESES], { description: 'Si falta, es compra' })),
    Nombre: requiredLine('Lucía'),
    Apellido: optional(text(LINE_CHARACTERS, 'Ferreyra')),
    Email: optional(text(MAIL_CHARACTERS, 'lucia@correo.example', { format: 'email' })),
    Telefono: optional(text(PHONE_CHARACTERS, '+54 9 341 555-0134', { format: 'tel', minLength: 6 })),
    DocIdentidad: optional(text(30, '30111222')),
    Provincia: optional(text(LINE_CHARACTERS, 'Santa Fe')),
    Ciudad: optional(text(LINE_CHARACTERS, 'Rosario')),
    Comentario: optional(text(COMMENT_CHARACTERS, '¿Aceptan permuta?')),
    InfoOperacion: optional(InfoOperacionCreate),
  },
  { $id: 'InteresadoCreate', description: 'Con Email, con Telefono o con ambos', ...closed },
)

export type Interes = (typeof INTERESES)[number]
export type InfoOperacion = Static<typeof InfoOperacion>
export type Interesado = Static<typeof Interesado>
export type InteresadoCreate = Static<typeof InteresadoCreate>

/** A person without data, as after erasure (docs/decisions/reading-inquiries.md). */
export const EMPTY_PERSON = blank<Interesado>(PERSON)

/** The person with every member: an unknown one is null, a missing mail or surname empty (docs/decisions/inquiries.md). */
export const interesadoFrom = (given: InteresadoCreate): Interesado => ({
  ...(Object.fromEntries(
    Object.entries(EMPTY_PERSON).map(([name, absent]) => [name, given[name as keyof InteresadoCreate] ?? absent]),
  ) as Interesado),
  Email: given.Email?.toLowerCase() ?? '',
  Interes: given.Interes ?? 'compra',
  InfoOperacion: given.InfoOperacion ? operacionFrom(given.InfoOperacion) : null,
})

const operacionFrom = ({
  EntregaVehiculo: vehicle,
  FinanciacionDeseada: finance,
  QuiereCotizacionSeguro,
}: Static<typeof InfoOperacionCreate>): InfoOperacion => ({
  EntregaVehiculo: vehicle
    ? { Marca: vehicle.Marca, Modelo: vehicle.Modelo, VersionYear: vehicle.VersionYear ?? null }
    : null,
  FinanciacionDeseada: finance ? { Adelanto: amount(finance.Adelanto), Cuota: amount(finance.Cuota) } : null,
  QuiereCotizacionSeguro: QuiereCotizacionSeguro ?? null,
})

const amount = (money: Money | null | undefined): Money | null =>
  money ? { Moneda: money.Moneda, Importe: money.Importe } : null

/** The keys that identify a person: the mail in lower case, the telephone as it was understood. */
export const personKeys = ({ Email, Telefono }: Pick<Interesado, 'Email' | 'Telefono'>, country: Country) => ({
  email: Email.toLowerCase() || null,
  telefono: Telefono && phoneKey(Telefono, country),
})

/** All keys under which a person may be stored, also by earlier versions. */
export const storedPersonKeys = (
  { email = '', telefono = '' }: { email?: string | undefined; telefono?: string | undefined },
  country: Country,
) => ({
  email: email.trim().toLowerCase() || null,
  telefonos: storedPhoneKeys(telefono, country),
})

/** Faults that the schema cannot express. */
export function personFaults({ Email, Telefono }: InteresadoCreate): FaultMap {
  if (!Email && !Telefono) {
    const needed = [fault('requerido', t('problema.fault.contact'))]
    return { 'Interesado.Email': needed, 'Interesado.Telefono': needed }
  }
  if (Telefono && !hasTelephoneDigits(Telefono))
    return { 'Interesado.Telefono': [fault('formato', t('comun.fault.telephone'))] }
  return {}
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Normalizes the texts of an inquiry's body before validation. Forms send empty fields as blanks: these are removed. */
export function normalizeConsulta(body: unknown): void {
  if (!isObject(body)) return
  const { Interesado, Catalogo } = body
  for (const part of [body, Interesado, Catalogo, isObject(Interesado) && vehicleOf(Interesado)])
    if (isObject(part)) normalizeMembers(part)
}

const vehicleOf = ({ InfoOperacion }: Json): unknown => isObject(InfoOperacion) && InfoOperacion.EntregaVehiculo

function normalizeMembers(part: Json): void {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value !== 'string') continue
    const normalized = name === 'Comentario' ? normalizeLines(value) : normalizeLine(value)
    if (normalized === '') delete part[name]
    else part[name] = normalized
  }
}

const validate = buildValidator({})({ schema: InteresadoCreate, method: 'POST', url: '', httpPart: 'body' })

/** The person from the fields of a form, validated like a site's inquiry; all faults at once, by field. */
export function readPerson(fields: Record<string, string>): InteresadoCreate | { errors: Errors } {
  const normalized: unknown = { ...fields }
  normalizeConsulta({ Interesado: normalized })
  const { error } = validate(normalized) as { error?: unknown }
  const person = normalized as InteresadoCreate // if there is no error
  const errors = { ...byField(textsOf(personFaults(person))), ...(error instanceof Problem && error.errors) }
  return Object.keys(errors).length > 0 ? { errors } : person
}

const byField = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).map(([key, messages]) => [key.replace('Interesado.', ''), messages]))

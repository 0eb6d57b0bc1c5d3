import Type, { type Static, type TSchema } from 'typebox'
import { MAIL_CHARACTERS } from '../text.ts'
import { LAST_PAGE } from './links.ts'
import {
  CandidatoDeDato,
  candidate,
  MOST_CANDIDATES,
  REFUSAL_EXTENSIONS,
  VALIDATION_EXTENSIONS,
} from './problem-extensions.ts'

const open = { additionalProperties: true }
export const closed = { additionalProperties: false }

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** The schemas of members in a body, where each may be left out or null. */
export const optionalMembers = <Members extends Record<string, { schema: TSchema }>>(members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, optional<TSchema>(schema)])) as {
    [Name in keyof Members]: ReturnType<typeof optional<Members[Name]['schema']>>
  }

export const shownMembers = <Members extends Record<string, { shown: TSchema }>>(members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, { shown }]) => [name, shown])) as {
    [Name in keyof Members]: Members[Name]['shown']
  }

/** Members that a body may have and that are ignored, so that what was read can be sent back. */
export const ignored = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unsafe({ ...IGNORED }))]))

const IGNORED = { readOnly: true, description: 'Se acepta y se ignora: lo leído puede enviarse tal cual.' }

/** An object without data, in the order of its schema: null where that is allowed, else empty. */
export const blank = <T>(properties: Record<string, TSchema>): T =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, 'anyOf' in schema ? null : ''])) as T

/** A text and an integer without bounds, with an example. */
export const anyText = (text: string, more: object = {}) => Type.String({ examples: [text], ...more })
export const integer = (value: number, more: object = {}) => Type.Integer({ examples: [value], ...more })

/** A reference to a registered schema that keeps its type. */
export const refTo = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Static<T>>(Type.Ref(schema.$id ?? ''))

/** A moment that the server writes. */
export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-04T09:15:27.031-03:00'] })

export const Timestamp = Type.String({ format: 'date-time' })

export const Count = Type.Integer({ minimum: 0 })

/** A page of a list with its size, and `more` before them. */
export const pageOf = (name: string, of: string, Total: TSchema, more: Record<string, TSchema> = {}) =>
  Type.Object(
    {
      ...more,
      Pagina: integer(1),
      Total,
      PerPagina: integer(25),
      _links: Type.Ref('Links'),
      _entries: Type.Array(Type.Ref(of)),
    },
    { $id: name },
  )

/** The shapes every resource shares, by the names that the specification and the OpenAPI document give them. */
const Link = Type.Object(
  {
    href: Type.String({ description: 'URI relativa, o plantilla de URI' }),
    templated: Type.Optional(Type.Boolean({ description: 'Presente y true cuando href es una plantilla' })),
    method: Type.Optional(Type.String({ description: 'Presente cuando no es GET' })),
  },
  { $id: 'Link' },
)

const Links = Type.Record(Type.String(), Type.Ref('Link'), { $id: 'Links' })

/** The ref form of a resource (spec, "Reference item"): `AgenciaRef`. */
const refOf = (resource: string) =>
  Type.Object(
    { href: Type.String({ description: 'URI del recurso' }), title: Type.String({ description: 'Etiqueta legible' }) },
    { $id: `${resource}Ref` },
  )

/** A member that is a resource of its own, which is not embedded. */
const Recurso = Type.Object(
  { _links: Type.Ref('Links') },
  { $id: 'Recurso', description: 'Un recurso aparte: se lee por su enlace self' },
)

/** Not an enum: a generated client would refuse a code that came later. */
const codigo = (description: string) => Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', description })

/** The codes of a validation problem, or of a row that was rejected. */
export const Codigos = Type.Record(Type.String(), Type.Array(codigo('Un código de /problemas')), {
  description: 'Las claves de Errors, con un código por mensaje. No cambian de significado; puede haber nuevos.',
  examples: [{ AdminMail: ['formato'] }],
})

const Codigo = codigo('Todo problema que no es un 400 lo tiene. No cambia de significado; la lista está en /problemas.')

const problem = {
  Type: Type.String({ format: 'uri' }),
  Title: Type.String(),
  Status: Type.Integer(),
  Detail: Type.String(),
  Instance: Type.String(),
}

const ProblemDetails = Type.Object(
  { ...problem, Extensions: Type.Object({ Codigo: Type.Optional(Codigo), ...REFUSAL_EXTENSIONS }, open) },
  { $id: 'ProblemDetails' },
)

const ValidationProblemDetails = Type.Object(
  {
    Errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Mensajes por propiedad; la clave _ reúne los de toda la solicitud',
    }),
    ...problem,
    Extensions: Type.Object(
      { Codigo: Type.Optional(Codigo), Codigos, ...VALIDATION_EXTENSIONS },
      { ...open, description: 'Con external-id-en-uso, Publicacion es la que ya usa ese ExternalId' },
    ),
  },
  { $id: 'ValidationProblemDetails' },
)

export const Candidato = Type.Object(candidate, { $id: 'Candidato', description: 'Una entrada que se parece' })
export type Candidato = Static<typeof Candidato>

export const Coincidencia = Type.Object(
  {
    Match: nullable(
      Type.Object({ ...candidate, Rule: Type.String({ description: 'Por qué se eligió', examples: ['alias'] }) }),
    ),
    Candidatos: Type.Array(refTo(Candidato), {
      maxItems: MOST_CANDIDATES,
      description: 'Lo que más se parece, lo mejor primero',
    }),
  },
  { $id: 'Coincidencia', description: 'Match es null si no hay certeza' },
)

const Coincidencias = Type.Object(
  { _entries: Type.Array(Type.Ref('Coincidencia'), { description: 'Una por valor, en el mismo orden' }) },
  { $id: 'Coincidencias' },
)

const RESOURCES = [
  'Agencia',
  'Consulta',
  'Publicacion',
  'Carroceria',
  'Region',
  'Ciudad',
  'Color',
  'Marca',
  'Modelo',
  'Version',
]

export const SHARED: readonly TSchema[] = [
  Link,
  Links,
  Recurso,
  ...RESOURCES.map(refOf),
  CandidatoDeDato,
  ProblemDetails,
  ValidationProblemDetails,
  Candidato,
  Coincidencia,
  Coincidencias,
]

/** A list of a catalogue: all entries, with the links that belong to the list. */
export const listOf = (name: string, of: string) =>
  Type.Object({ _links: Type.Ref('Links'), _entries: Type.Array(Type.Ref(of)) }, { $id: name })

/** An id in a path or query, as the specification has them all: int32. */
export const Id = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, format: 'int32' })

export const idOf = (description: string) => Type.Integer({ ...Id, description })

export const IdParams = Type.Object({ id: idOf('Id de la entrada en el catálogo') })

/** The period that a list or statistics cover. */
export const PERIOD = {
  desde: Type.Optional(
    Type.String({ format: 'date', description: 'Primer día, hasta 90 días atrás; si falta, hoy menos 90 días' }),
  ),
  hasta: Type.Optional(Type.String({ format: 'date', description: 'Último día; si falta, hoy' })),
}

/** A page of a list (spec, "Limits"). */
export const Pagina = Type.Integer({
  minimum: 1,
  maximum: LAST_PAGE,
  format: 'int32',
  description: 'Página de la lista; la primera si falta',
})

export { MAIL_CHARACTERS }

export const OperadorMail = (description: string) =>
  Type.String({ format: 'email', maxLength: MAIL_CHARACTERS, description })

const MOMENT_CHARACTERS = 64 // RFC 3339 lets fractions of a second go on without end

/** A moment that a client writes. */
export const DateTime = (options: object = {}) =>
  Type.String({ format: 'date-time', maxLength: MOMENT_CHARACTERS, ...options })

/** A day that PostgreSQL can store: the calendar begins with the year 1. */
export const Day = Type.String({
  format: 'date',
  pattern: '^(?:[1-9]|0[1-9]|00[1-9]|000[1-9])',
  examples: ['2026-03-01'],
})

export const TextFilter = (description: string) => Type.String({ maxLength: 100, description })

/** A value of the partner's own, to be matched to a record of ours. */
export const OwnValue = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] })

/** A text with an example. */
export const text = (maxLength: number, example: string, more: object = {}) =>
  Type.String({ maxLength, examples: [example], ...more })

export const Amount = (example: number) =>
  Type.Object(
    {
      Moneda: Type.String({ format: 'moneda', examples: ['ARS'] }),
      Importe: Type.Number({ minimum: 0, maximum: 999_999_999_999, examples: [example] }),
    },
    closed,
  )

import Type, { type Static } from 'typebox'
import type { Modo } from '../../apps/app.ts'
import type { Country } from '../../config.ts'
import { toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment } from '../../http/links.ts'
import { anyText, closed, ignored, MAIL_CHARACTERS, nullable, optional, refTo, timestamp } from '../../http/schemas.ts'
import { toE164 } from '../../phone.ts'
import { type RowOf, selectList, sqlColumn } from '../../store/columns.ts'
import { momentOf } from '../../ulid.ts'
import { AdminMail } from '../agencias/schema.ts'
import { Auto } from './auto.ts'
import { Interesado, InteresadoCreate } from './person.ts'

// An inquiry is described here once: its columns, its members in JSON, and the body that creates it. CONTRIBUTING.md
// says how to add a field.

const TIPOS_ANUNCIO = ['publicacion', 'catalogo'] as const
const ORIGENES = ['form', 'whatsapp', 'telefono', 'chat', 'email', 'otro'] as const
/** How far the dealership got with an inquiry. */
export const ESTADOS = ['nueva', 'leida', 'contactada', 'vendida', 'descartada'] as const

type TipoAnuncio = (typeof TIPOS_ANUNCIO)[number]
export type OrigenLead = (typeof ORIGENES)[number]
export type EstadoConsulta = (typeof ESTADOS)[number]

/** The source of an inquiry about a car of the catalogue, which no app published. */
export const CATALOGO = 0

/** The columns that are read with an inquiry. Its sid says when it arrived (`momentOf`). */
const COLUMNS = {
  sid: sqlColumn<string>('sid', 'text'),
  modo: sqlColumn<Modo>('modo', 'text'),
  agenciaId: sqlColumn<number>('agencia_id', 'int'),
  /** The app that published the listing; `CATALOGO` if there is none. */
  fuente: sqlColumn<number>('fuente', 'int'),
  tipoAnuncio: sqlColumn<TipoAnuncio>('tipo_anuncio', 'text'),
  origenLead: sqlColumn<OrigenLead>('origen_lead', 'text'),
  /** `Auto` and `Interesado` as JSON text, sent as it is stored. */
  auto: sqlColumn<string>('auto', 'text'),
  interesado: sqlColumn<string>('interesado', 'text'),
  operador: sqlColumn<string>('operador', 'text'),
  estado: sqlColumn<EstadoConsulta>('estado', 'text'),
  /** The sid of the first inquiry by the same person about the same car within a day. */
  repite: sqlColumn<string | null>('repite', 'text'),
}

export type Consulta = RowOf<typeof COLUMNS>

export const CONSULTA_SELECT = selectList('c', COLUMNS)

/** All columns that are written with a new inquiry; those beyond `COLUMNS` serve to find it. */
export const INSERT_COLUMNS = {
  ...COLUMNS,
  publicacionId: sqlColumn<number | null>('publicacion_id', 'int'),
  externalKey: sqlColumn<string | null>('external_key', 'text'),
  email: sqlColumn<string | null>('email', 'text'),
  telefono: sqlColumn<string | null>('telefono', 'text'),
  consentimiento: sqlColumn<string | null>('consentimiento', 'text'),
  sitioId: sqlColumn<number | null>('sitio_id', 'int'),
}

const NEW = { estado: 'nueva', repite: null } as const

/** An inquiry with the values of a new one where none is given. */
export const newConsulta = (given: Omit<Consulta, keyof typeof NEW> & Partial<Consulta>): Consulta => ({
  ...NEW,
  ...given,
})

export const autoOf = ({ auto }: Pick<Consulta, 'auto'>): Auto => JSON.parse(auto)
export const interesadoOf = ({ interesado }: Pick<Consulta, 'interesado'>): Interesado => JSON.parse(interesado)

/** What a representation needs beside the row. */
export interface Rendering {
  adminMail: string
  timeZone: string
  /** Whose telephones are written without a plus. */
  country: Country
  /** Inquiries before this sid have no `reenviar` link: they are too old to be sent again. */
  resendableFrom?: string
}

const EstadoSchema = Type.Enum([...ESTADOS], { description: 'El estado de la consulta en la agencia' })

/** The members in the specification's order. `json` is text that is stored as JSON already. */
const MEMBERS = {
  Momento: {
    schema: timestamp('Cuándo se recibió'),
    value: ({ sid }: Consulta, { timeZone }: Rendering) => toTimestamp(momentOf(sid), timeZone),
  },
  OrigenLead: { schema: Type.Enum([...ORIGENES]), value: ({ origenLead }: Consulta) => origenLead },
  TipoAnuncio: { schema: Type.Enum([...TIPOS_ANUNCIO]), value: ({ tipoAnuncio }: Consulta) => tipoAnuncio },
  Auto: { schema: refTo(Auto), json: ({ auto }: Consulta) => auto },
  Interesado: { schema: refTo(Interesado), json: serializeInteresado },
  OperadorResponsable: {
    schema: nullable(anyText('vendedor@agencia.example', { format: 'email' })),
    value: ({ operador }: Consulta) => operador || null,
  },
  Estado: { schema: EstadoSchema, value: ({ estado }: Consulta) => estado },
  _links: {
    schema: Type.Unsafe<Links>(
      Type.Ref('Links', {
        description: 'primera: la anterior de la misma persona sobre el mismo auto, dentro de las 24 horas',
      }),
    ),
    value: linksOf,
  },
}

type Members = typeof MEMBERS
type Member =
  | { value(row: Consulta, rendering: Rendering): unknown }
  | { json(row: Consulta, rendering: Rendering): string }

export const ConsultaSchema = Type.Object(
  Object.fromEntries(Object.entries(MEMBERS).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Members]: Members[Name]['schema']
  },
  { $id: 'Consulta' },
)

export type ConsultaEntry = Static<typeof ConsultaSchema>

const SERIALIZERS = Object.entries<Member>(MEMBERS).map(([name, member]) => {
  const key = JSON.stringify(name)
  return (row: Consulta, rendering: Rendering): string =>
    `${key}:${'json' in member ? member.json(row, rendering) : JSON.stringify(member.value(row, rendering))}`
})

const TELEFONO = /"Telefono":("(?:[^"\\]|\\.)*")/ // in a value, the quotes would be escaped

/** The stored person and `TelefonoE164`. Only the telephone is parsed. */
function serializeInteresado({ interesado }: Consulta, { country }: Rendering): string {
  const written = TELEFONO.exec(interesado)?.[1]
  const understood = written === undefined ? null : toE164(JSON.parse(written), country)
  return `${interesado.slice(0, -1)},"TelefonoE164":${JSON.stringify(understood)}}`
}

/** An inquiry as JSON. The stored car and person are not parsed for it. */
export const serializeConsulta = (row: Consulta, rendering: Rendering): string =>
  `{${SERIALIZERS.map((serialize) => serialize(row, rendering)).join(',')}}`

export const consultasHref = (adminMail: string): string => `/v3/consultas/${segment(adminMail)}`

export const consultaHref = (adminMail: string, sid: string): string => `${consultasHref(adminMail)}/${segment(sid)}`

function linksOf({ sid, repite }: Consulta, { adminMail, resendableFrom = '' }: Rendering): Links {
  const list = consultasHref(adminMail)
  const self = `${list}/${sid}`
  const links: Links = { self: link(self), estado: link(`${self}/estado`, 'PUT') }
  if (sid >= resendableFrom) links.reenviar = link(`${self}/resendwebhook`, 'POST')
  if (repite) links.primera = link(`${list}/${repite}`)
  links.consultas = link(list)
  links.agencia = link(`/v3/agencias/${segment(adminMail)}`)
  return links
}

/** The body of PUT …/estado; all that an inquiry has may be sent back (docs/decisions/reading-inquiries.md). */
export const EstadoDeConsulta = Type.Object(
  { Estado: EstadoSchema, ...ignored(Object.keys(MEMBERS).filter((name) => name !== 'Estado')) },
  { $id: 'EstadoDeConsulta', ...closed },
)

const Catalogo = Type.Object(
  {
    Marca: Type.String({ minLength: 1, maxLength: 200, description: 'Como en marcas/bestmatch', examples: ['Fiat'] }),
    Modelo: Type.String({ maxLength: 100, examples: ['Cronos'], minLength: 1 }),
    Version: optional(Type.String({ maxLength: 100, examples: ['1.3 Drive'] })),
  },
  closed,
)

/** The body of a new inquiry (docs/decisions/inquiries.md). */
export const ConsultaCreate = Type.Object(
  {
    Aviso: optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'El número público del aviso',
        examples: [100_231],
      }),
    ),
    AdminMail: optional(Type.String({ ...AdminMail, description: 'La agencia, con ExternalId o con Catalogo' })),
    ExternalId: optional(Type.String({ minLength: 2, maxLength: 255, examples: ['AB-1023'] })),
    Catalogo: optional(Catalogo),
    OrigenLead: Type.Enum([...ORIGENES]),
    Interesado: refTo(InteresadoCreate),
    OperadorResponsable: optional(
      Type.String({
        format: 'email',
        maxLength: MAIL_CHARACTERS,
        description:
          'Si falta, quien tiene el aviso a cargo; si no hay, quien indique el reparto de la agencia, o quien la administra',
      }),
    ),
  },
  {
    $id: 'ConsultaCreate',
    description:
      'Sobre qué es: Aviso, o AdminMail con ExternalId, o AdminMail con Catalogo; una sola de las tres formas.',
    ...closed,
  },
)

export type EstadoDeConsulta = Static<typeof EstadoDeConsulta>
export type ConsultaCreate = Static<typeof ConsultaCreate>

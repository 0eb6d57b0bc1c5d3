import Type, { type Static, type TSchema } from 'typebox'
import {
  closed,
  ignored,
  integer,
  OperadorMail,
  optional,
  optionalMembers,
  Pagina,
  pageOf,
  TextFilter,
} from '../../http/schemas.ts'
import { AdminMailParam } from '../agencias/schema.ts'
import { DETAILS, ESTADOS, ExternalId, Publicacion, VEHICLE } from './publicacion.ts'

const details = optionalMembers(DETAILS)

const Activa = Type.Optional(
  Type.Boolean({ description: 'Indica si se muestra; true si falta. false la suspende y libera su lugar del paquete' }),
)

const CREATE = {
  ExternalId,
  Marca: VEHICLE.Marca.schema,
  Modelo: VEHICLE.Modelo.schema,
  Version: optional(VEHICLE.Version.schema),
  Activa,
  ...details,
}

export const PublicacionCreate = Type.Object(CREATE, { $id: 'PublicacionCreate', ...closed })

/** What a representation has beyond the body: sent back, it is accepted and ignored (docs/decisions/api.md). */
const ADDED = Object.keys(Publicacion.properties).filter((name) => !(name in CREATE))
const FIXED = ['ExternalId', ...Object.keys(VEHICLE)]

/** All that may be edited: a member left out becomes null, or its default. */
export const PublicacionEdit = Type.Object(
  { Activa, ...details, ...ignored([...FIXED, ...ADDED]) },
  {
    $id: 'PublicacionEdit',
    description: 'Lo que falta queda en null, o en su valor por omisión; OperadorResponsable no cambia.',
    ...closed,
  },
)

/** A row of an upload: what POST takes, or what was read. */
export const PublicacionFila = Type.Object(
  { ...CREATE, ...ignored(ADDED) },
  { $id: 'PublicacionFila', description: 'Como PublicacionCreate, o como se leyó.', ...closed },
)

const page = (name: string, of: string) =>
  pageOf(name, of, integer(48, { description: 'Cuántas hay, en todas las páginas' }))

export const PublicacionParams = Type.Object({ adminMail: AdminMailParam, externalid: ExternalId })

export const PublicacionesQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un colaborador: solo las que tiene a cargo')),
  estado: Type.Optional(Type.Enum([...ESTADOS], { description: 'Si falta, las que no están archivadas' })),
  q: Type.Optional(TextFilter('Partes de la marca, el modelo, la versión, el ExternalId o el RefStock')),
  pagina: Type.Optional(Pagina),
})

export const SCHEMAS: readonly TSchema[] = [
  Publicacion,
  page('Publicaciones', 'Publicacion'),
  page('PublicacionesRef', 'PublicacionRef'),
  PublicacionCreate,
  PublicacionEdit,
  PublicacionFila,
]

export type PublicacionCreate = Static<typeof PublicacionCreate>
export type PublicacionEdit = Static<typeof PublicacionEdit>
export type PublicacionesQuery = Static<typeof PublicacionesQuery>

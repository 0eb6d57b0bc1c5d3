import Type, { type Static, type TSchema } from 'typebox'
import { EXPOSICIONES } from './publicacion.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const text = (maxLength: number, example: string, more: object = {}) =>
  Type.String({ maxLength, examples: [example], ...more })

const MOST_MONEY = 999_999_999_999
const MOST_PHOTOS = 20
const MOST_DATA = 50

export const ExternalId = Type.String({
  format: 'external-id',
  minLength: 2,
  maxLength: 255,
  description: 'El número propio de la publicación: sin distinguir mayúsculas, con signos que van en una dirección',
  examples: ['AB-1023'],
})

const Precio = Type.Object(
  {
    Moneda: Type.String({ format: 'moneda', examples: ['ARS'] }),
    Importe: Type.Number({ minimum: 0, maximum: MOST_MONEY, examples: [18_500_000] }),
  },
  { additionalProperties: false },
)

const DatoTecnico = Type.Object(
  { Nombre: text(50, 'Airbags', { minLength: 1 }), Valor: text(200, '6', { minLength: 1 }) },
  { additionalProperties: false },
)

/** Which car it is: never edited, because another car is another listing. */
export const VEHICLE = {
  Marca: text(200, 'Fiat', { minLength: 1, description: 'Como en marcas/bestmatch' }),
  Modelo: text(100, 'Cronos', {
    minLength: 1,
    description: 'Como en modelos/bestmatch; uno que no está queda como texto',
  }),
  Version: text(200, '1.3 Drive', { description: 'Una que no está en el catálogo queda como texto' }),
}

/** What may be said anew. */
export const DETAILS = {
  RefStock: text(25, 'S-881', { description: 'Número de stock de la agencia' }),
  Exposicion: Type.Enum([...EXPOSICIONES], {
    description: 'La que se pide: si no queda, se da la mejor por debajo. null: la mejor que permita el paquete',
  }),
  OperadorResponsable: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Quien recibe las consultas; trabaja en la agencia. Si falta, quien la administra',
    examples: ['vendedor@agencia.example'],
  }),
  VersionYear: Type.Integer({ minimum: 1908, maximum: 2050, examples: [2022] }),
  Kilometraje: Type.Integer({ minimum: 0, maximum: 999_000, description: '0 solo si es nuevo', examples: [38_000] }),
  Color: text(50, 'Blanco', { description: 'Como en colores/bestmatch' }),
  Carroceria: text(200, 'Sedán', { description: 'Como en carrocerias/bestmatch' }),
  Propulsion: text(50, 'nafta', { description: 'Como fuelType en versiones/bestmatch' }),
  Transmision: text(50, 'manual', { description: 'Como transmissionType en versiones/bestmatch' }),
  Precio,
  Descripcion: text(2000, 'Único dueño, service al día.'),
  Region: text(200, 'Buenos Aires', { description: 'Como en regiones/bestmatch; si falta, la de la agencia' }),
  Ciudad: text(200, 'Temperley', { description: 'Como en ciudades/bestmatch; necesita Region' }),
  Fotos: Type.Array(text(1024, 'https://fotos.example/ab-1023-1.jpg', { format: 'https' }), {
    maxItems: MOST_PHOTOS,
    description: 'Direcciones https, la principal primero',
  }),
  DatosTecnicosCustom: Type.Array(DatoTecnico, { maxItems: MOST_DATA }),
}

type Optional<Members extends Record<string, TSchema>> = {
  [Name in keyof Members]: ReturnType<typeof optional<Members[Name]>>
}
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const details = Object.fromEntries(
  Object.entries(DETAILS).map(([name, schema]) => [name, optional(schema)]),
) as Optional<typeof DETAILS>
const Activa = Type.Optional(
  Type.Boolean({ description: 'Si se muestra; true si falta. false la suspende y libera su lugar del paquete' }),
)

const CREATE = { ExternalId, ...VEHICLE, Version: optional(VEHICLE.Version), Activa, ...details }

export const PublicacionCreate = Type.Object(CREATE, { $id: 'PublicacionCreate', additionalProperties: false })

/** What a representation has beyond the body: sent back, it is accepted and ignored (decisions, 3). */
const ADDED = ['Aviso', 'Estado', 'Suspension', 'ExposicionOtorgada', 'Creada', 'Modificada', '_links']
const FIXED = ['ExternalId', 'Marca', 'Modelo', 'Version']
const ignoring = (names: string[]) => ({ patternProperties: { [`^(${names.join('|')})$`]: {} } })

/** The whole of what may be edited: a member left out becomes null, or what it is by default. */
export const PublicacionEdit = Type.Object(
  { Activa, ...details },
  {
    $id: 'PublicacionEdit',
    description: `Lo que falta queda en null, o en su valor por omisión. ${[...FIXED, ...ADDED].join(', ')} se aceptan y se ignoran: lo leído puede enviarse tal cual.`,
    ...ignoring([...FIXED, ...ADDED]),
    additionalProperties: false,
  },
)

/** A row of an upload: what POST takes, or what was read. */
export const PublicacionFila = Type.Object(CREATE, {
  $id: 'PublicacionFila',
  description: `Como PublicacionCreate. ${ADDED.join(', ')} se aceptan y se ignoran.`,
  ...ignoring(ADDED),
  additionalProperties: false,
})

export const CREATE_SCHEMAS: readonly TSchema[] = [PublicacionCreate, PublicacionEdit, PublicacionFila]

export type PublicacionCreate = Static<typeof PublicacionCreate>
export type PublicacionEdit = Static<typeof PublicacionEdit>

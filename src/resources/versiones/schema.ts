import Type, { type TSchema } from 'typebox'
import { PROPULSIONES, TRANSMISIONES } from '../../catalogue/vehicles.ts'
import { Id, listOf, OwnValue } from '../../http/schemas.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const oneOf = (values: readonly string[], description: string) =>
  orNull(Type.Enum([...values], { description, examples: [values[0]] }))

const whole = (description: string, example: number) => orNull(Type.Integer({ description, examples: [example] }))

export const Version = Type.Object(
  {
    Marca: Type.String({ examples: ['Toyota'] }),
    Modelo: Type.String({ examples: ['Etios'] }),
    Nombre: Type.String({ examples: ['XLS 1.5 103 cv 6MT 5p'] }),
    Desde: whole('Primer año en que se vendió', 2016),
    Hasta: whole('Último año; null si se vende todavía o no se sabe', 2023),
    Carroceria: orNull(Type.Ref('Ref')),
    Potencia: whole('En cv', 103),
    Cilindrada: whole('En cm³', 1496),
    Propulsion: oneOf(PROPULSIONES, 'Lo que la mueve'),
    Transmision: oneOf(TRANSMISIONES, 'CVT, doble embrague y robotizadas son automáticas'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Version', description: 'Lo que no se sabe con certeza es null' },
)

export const Versiones = listOf('Versiones', 'Version')
export const VersionesRef = listOf('VersionesRef', 'Ref')

export const VersionesQuery = Type.Object({ modelo: Id })

const Candidate = Type.Object({
  href: Type.String({ description: 'URI de la versión' }),
  title: Type.String({ examples: ['Toyota Etios XLS 1.5 103 cv 6MT 5p'] }),
  Score: Type.Number({ minimum: 0, maximum: 1 }),
})

export const VersionBestmatch = Type.Object(
  {
    Criteria: Type.Record(Type.String(), orNull(Type.Union([Type.String(), Type.Integer()])), {
      description: 'Los criterios recibidos, por su nombre; null los que no se enviaron',
    }),
    Modelo: Type.Ref('Ref'),
    Match: orNull(Type.Ref('Version')),
    Candidates: Type.Array(Candidate, { maxItems: 5, description: 'Las que más se acercan, la mejor primero' }),
    _links: Type.Ref('Links'),
  },
  { $id: 'VersionBestmatch' },
)

const optional = (description: string, example: string) => Type.Optional(OwnValue(description, example))

export const BestmatchQuery = Type.Object({
  make: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir la marca', 'Toyota'),
  model: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la versión', 'etios'),
  trim: optional('Cualquier forma de escribir la versión', 'XLS 1.5 6M/T 5P'),
  year: Type.Optional(Type.Integer({ minimum: 1908, maximum: 2050, description: 'Año modelo', examples: [2019] })),
  bodystyle: optional('La carrocería, con sus puertas o su cabina', 'hatchback 5 puertas'),
  transmissionType: optional('La caja', 'automática'),
  displacement: optional('En litros o en cm³', '1.5'),
  power: optional('En cv, o en kW si lo dice', '103 cv'),
  fuelType: optional('El combustible', 'nafta'),
})

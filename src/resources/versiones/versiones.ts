import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { VersionResult } from '../../catalogue/match/vehicle-matcher.ts'
import type { Marca } from '../../catalogue/vehicles.ts'
import { type Modelo, PROPULSIONES, TRANSMISIONES, type Version as VersionRow } from '../../catalogue/vehicles.ts'
import { listRoute, matched, oneRoute, openCatalogue } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { invalid } from '../../http/problems.ts'
import { type Media, reads } from '../../http/responses.ts'
import { Id, OwnValue } from '../../http/schemas.ts'
import { carroceriaRef } from '../carrocerias/carrocerias.ts'
import { marcaHref, marcaRef } from '../marcas/marcas.ts'
import { modeloHref, modeloRef } from '../modelos/modelos.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const oneOf = (values: readonly string[], description: string) =>
  orNull(Type.Enum([...values], { description, examples: [values[0]] }))

const whole = (description: string, example: number) => orNull(Type.Integer({ description, examples: [example] }))

const Version = Type.Object(
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

const VersionesQuery = Type.Object({ modelo: Id })

const Candidate = Type.Object({
  href: Type.String({ description: 'URI de la versión' }),
  title: Type.String({ examples: ['Toyota Etios XLS 1.5 103 cv 6MT 5p'] }),
  Score: Type.Number({ minimum: 0, maximum: 1 }),
})

const VersionBestmatch = Type.Object(
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

const BestmatchQuery = Type.Object({
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

const LIST = '/v3/versiones'

const versionHref = ({ id }: VersionRow) => `${LIST}/${id}`

const versionEntry = (version: VersionRow) => ({
  Marca: version.modelo.marca.nombre,
  Modelo: version.modelo.nombre,
  Nombre: version.nombre,
  Desde: version.desde,
  Hasta: version.hasta,
  Carroceria: version.carroceria && carroceriaRef(version.carroceria),
  Potencia: version.potencia,
  Cilindrada: version.cilindrada,
  Propulsion: version.propulsion,
  Transmision: version.transmision,
  _links: {
    self: link(versionHref(version)),
    modelo: link(modeloHref(version.modelo)),
    marca: link(marcaHref(version.modelo.marca)),
    versiones: link(withQuery(LIST, { modelo: version.modelo.id })),
  },
})

const versionRef = (version: VersionRow) => ({
  href: versionHref(version),
  title: `${version.modelo.marca.nombre} ${version.modelo.nombre} ${version.nombre}`,
})

const BESTMATCH =
  `${LIST}/bestmatch?make={make}&model={model}&trim={trim}&year={year}&bodystyle={bodystyle}` +
  '&transmissionType={transmissionType}&displacement={displacement}&power={power}&fuelType={fuelType}'

const versionesLinks = (query: { modelo: number }): Links => ({
  self: link(withQuery(LIST, query)),
  modelo: link(`/v3/modelos/${query.modelo}`),
  bestmatch: link(BESTMATCH),
})

/** The criteria in the order of the URL. */
type Criteria = Record<(typeof CRITERIA)[number], string | number | undefined>

const CRITERIA = [
  'make',
  'model',
  'trim',
  'year',
  'bodystyle',
  'transmissionType',
  'displacement',
  'power',
  'fuelType',
] as const

/** The criteria, the model that they mean, and the version if it is certain. */
const versionMatch = (criteria: Partial<Criteria>, { modelo, match, candidates }: VersionResult) => ({
  Criteria: Object.fromEntries(CRITERIA.map((name) => [name, criteria[name] ?? null])),
  Modelo: modeloRef(modelo),
  Match: match && versionEntry(match.entry),
  Candidates: candidates.map(({ entry, score }) => ({ ...versionRef(entry), Score: score })),
  _links: {
    self: link(withQuery(`${LIST}/bestmatch`, criteria)),
    versiones: link(withQuery(LIST, { modelo: modelo.id })),
  },
})

/** GET /v3/versiones, /v3/versiones/bestmatch, /v3/versiones/{id} */
export function versionesRoutes(
  app: FastifyInstance,
  media: Media,
  { versiones, modelos }: Pick<Catalogue, 'versiones' | 'modelos'>,
  matcher: Matcher,
): void {
  const catalogue = openCatalogue(app, {
    segment: 'versiones',
    tag: 'Versiones',
    one: 'Version',
    list: 'Versiones',
    called: 'la versión',
    schema: Version,
    rows: versiones,
    represent: { entry: versionEntry, ref: versionRef },
  })
  app.addSchema(VersionBestmatch)
  const ofModel = new Map<number, VersionRow[]>(modelos.map(({ id }) => [id, []]))
  for (const version of versiones) ofModel.get(version.modelo.id)?.push(version)

  listRoute(app, media, catalogue, VersionesQuery, ({ modelo }) => {
    const rows = ofModel.get(modelo)
    if (!rows) throw invalid({ modelo: ['No existe ese modelo: vea /v3/modelos.'] })
    return { name: String(modelo), links: () => versionesLinks({ modelo }), rows }
  })
  bestmatch(app, media, matcher)
  oneRoute(app, media, catalogue)
}

/** Answers 200 with or without a match: a vehicle whose version is not certain still has a model (docs/decisions.md). */
function bestmatch(app: FastifyInstance, media: Media, matcher: Matcher): void {
  const success = { description: 'La versión, o las que más se acercan', entry: Type.Ref('VersionBestmatch') }
  app.get<{ Querystring: Static<typeof BestmatchQuery> }>(
    '/versiones/bestmatch',
    {
      schema: {
        tags: ['Versiones'],
        operationId: 'buscarVersion',
        summary: 'La versión que corresponde a un valor propio, a datos técnicos o a ambos',
        querystring: BestmatchQuery,
        response: reads(media, success, [400]),
      },
      config: { caching: 'private, no-cache' },
    },
    (request, reply) => {
      const found = matcher.version(request.query)
      if (found.kind === 'none') throw refusal(found)
      if (found.match) reply.header('match', `rule=${found.match.rule}, score=${found.match.score}`)
      return JSON.stringify(versionMatch(request.query, found))
    },
  )
}

type Refused = Extract<ReturnType<Matcher['version']>, { kind: 'none' }>

/** A make or a model that is not understood is refused, as in the other catalogues. */
const refusal = (found: Refused) =>
  found.parameter === 'make' ? matched<never, Marca>(found, marcaRef) : matched<never, Modelo>(found, modeloRef)

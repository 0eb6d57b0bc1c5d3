import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher, VersionResult } from '../../catalogue/match/matcher.ts'
import { PROPULSIONES, TRANSMISIONES, type Version as VersionRow } from '../../catalogue/vehicles.ts'
import { candidatesOf, catalogueRoutes, matchOf, notMatched, refIn } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { fault, invalid } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { idOf, nullable, OwnValue } from '../../http/schemas.ts'
import { carroceriaRef } from '../carrocerias/carrocerias.ts'
import { marcaRef } from '../marcas/marcas.ts'
import { modeloRef } from '../modelos/modelos.ts'

const oneOf = (values: readonly string[], description: string) =>
  nullable(Type.Enum([...values], { description, examples: [values[0]] }))

const whole = (description: string, example: number) => nullable(Type.Integer({ description, examples: [example] }))

const Version = Type.Object(
  {
    Marca: Type.String({ examples: ['Toyota'] }),
    Modelo: Type.String({ examples: ['Etios'] }),
    Nombre: Type.String({ examples: ['XLS 1.5 103 cv 6MT 5p'] }),
    Desde: whole('Primer año en que se vendió', 2016),
    Hasta: whole('Último año; null si se vende todavía o no se sabe', 2023),
    Carroceria: nullable(Type.Ref('CarroceriaRef')),
    Potencia: whole('En cv', 103),
    Cilindrada: whole('En cm³', 1496),
    Propulsion: oneOf(PROPULSIONES, 'El tipo de propulsión'),
    Transmision: oneOf(TRANSMISIONES, 'CVT, doble embrague y robotizadas son automáticas'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Version', description: 'Lo que no se sabe con certeza es null' },
)

const Candidate = Type.Object({
  href: Type.String({ description: 'URI de la versión', examples: ['/v3/versiones/100216'] }),
  title: Type.String({ examples: ['Toyota Etios XLS 1.5 103 cv 6MT 5p'] }),
  Score: Type.Number({ minimum: 0, maximum: 1 }),
})

const VersionBestmatch = Type.Object(
  {
    Criteria: Type.Record(Type.String(), nullable(Type.Union([Type.String(), Type.Integer()])), {
      description: 'Los criterios recibidos, por su nombre; los que no se enviaron, null',
      examples: [{ make: 'Toyota', model: 'etios', trim: 'XLS 1.5 6M/T 5P', year: 2019 }],
    }),
    Modelo: Type.Ref('ModeloRef'),
    Match: nullable(Type.Ref('Version')),
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
  transmissionType: optional('La transmisión', 'automática'),
  displacement: optional('En litros o en cm³', '1.5'),
  power: optional('En cv, o en kW si lo dice', '103 cv'),
  fuelType: optional('El combustible', 'nafta'),
})

const versionRef = refIn<VersionRow>(
  'versiones',
  ({ modelo, nombre }) => `${modelo.marca.nombre} ${modelo.nombre} ${nombre}`,
)

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
})

const linksOf = ({ modelo }: VersionRow): Links => ({
  modelo: link(modeloRef(modelo).href),
  marca: link(marcaRef(modelo.marca).href),
  versiones: link(`/v3/versiones?modelo=${modelo.id}`),
})

const candidate = ({ entry, score }: VersionResult['candidates'][number]) => ({ ...versionRef(entry), Score: score })

/** The criteria, the model that they mean, and the version if it is certain. */
const versionMatch = (criteria: Static<typeof BestmatchQuery>, { modelo, match, candidates }: VersionResult) => ({
  Criteria: Object.fromEntries(CRITERIA.map((name) => [name, criteria[name] ?? null])),
  Modelo: modeloRef(modelo),
  Match: match && {
    ...versionEntry(match.entry),
    _links: { self: link(versionRef(match.entry).href), ...linksOf(match.entry) },
  },
  Candidates: candidates.map(candidate),
  _links: {
    self: link(withQuery('/v3/versiones/bestmatch', criteria)),
    versiones: link(`/v3/versiones?modelo=${modelo.id}`),
  },
})

/** In the order of the URL. */
const CRITERIA = Object.keys(BestmatchQuery.properties) as (keyof Static<typeof BestmatchQuery>)[]

/** GET /v3/versiones, /v3/versiones/bestmatch, /v3/versiones/{id} */
export function versionesRoutes(
  app: FastifyInstance,
  media: Media,
  { versiones, modelos }: Catalogue,
  matcher: Matcher,
): void {
  const ofModel = new Map<number, VersionRow[]>(modelos.map(({ id }) => [id, []]))
  for (const version of versiones) ofModel.get(version.modelo.id)?.push(version)

  const { route, bestmatchMany, one } = catalogueRoutes(app, media, {
    segment: 'versiones',
    title: 'Versiones',
    called: 'la versión',
    schema: Version,
    rows: versiones,
    ref: versionRef,
    entry: versionEntry,
    linksOf,
    query: Type.Object({ modelo: idOf('Id del modelo') }),
    bestmatchQuery: BestmatchQuery,
    list({ modelo }) {
      const rows = ofModel.get(modelo)
      if (!rows) throw invalid({ modelo: [fault('inexistente', 'No existe ese modelo: vea /v3/modelos.')] })
      return { name: String(modelo), rows }
    },
    listLinks: ({ modelo }) => ({ modelo: link(`/v3/modelos/${modelo}`) }),
  })
  app.addSchema(VersionBestmatch)

  // Answers 200 with or without a match: a vehicle whose version is not certain still has a model (docs/decisions/catalogues.md).
  route('GET', '/versiones/bestmatch', {
    operationId: 'buscarVersion',
    summary: 'La versión que corresponde a un valor de su sistema, a datos técnicos o a ambos',
    description:
      'Si no hay certeza sobre la versión, Match es null y Candidates trae las que más se acercan; el modelo está siempre.',
    query: BestmatchQuery,
    response: { description: 'La versión, o las que más se acercan', entry: 'VersionBestmatch' },
    caching: 'private, no-cache',
    handle({ query }, reply) {
      const found = matcher.version(query)
      if (found.kind === 'none') throw refusal(found)
      if (found.match) reply.header('match', `rule=${found.match.rule}, score=${found.match.score}`)
      return versionMatch(query, found)
    },
  })
  bestmatchMany((query) => {
    const found = matcher.version(query)
    if (found.kind === 'none') return { Match: null, Candidatos: candidatesOf(refusal(found)) }
    const { match, candidates } = found
    return { Match: match && matchOf(versionRef(match.entry), match), Candidatos: candidates.map(candidate) }
  })
  one()
}

type Refused = Extract<ReturnType<Matcher['version']>, { kind: 'none' }>

/** A make or a model that is not understood is refused, as in the other catalogues. */
const refusal = (found: Refused) =>
  found.parameter === 'make' ? notMatched(found, marcaRef) : notMatched(found, modeloRef)

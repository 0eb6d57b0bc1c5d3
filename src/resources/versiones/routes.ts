import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Catalogue, Marca } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Modelo, Version as VersionRow } from '../../catalogue/vehicles.ts'
import { matched } from '../../http/bestmatch.ts'
import { type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { invalid } from '../../http/problems.ts'
import { reads } from '../../http/responses.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { marcaRef } from '../marcas/represent.ts'
import { modeloRef } from '../modelos/represent.ts'
import { versionEntry, versionesLinks, versionMatch, versionRef } from './represent.ts'
import { BestmatchQuery, Version, VersionBestmatch, Versiones, VersionesQuery, VersionesRef } from './schema.ts'

/** GET /v3/versiones, /v3/versiones/bestmatch, /v3/versiones/{id} */
export function versionesRoutes(
  app: FastifyInstance,
  media: Media,
  { versiones, modelos }: Pick<Catalogue, 'versiones' | 'modelos'>,
  matcher: Matcher,
): void {
  for (const schema of [Version, Versiones, VersionesRef, VersionBestmatch]) app.addSchema(schema)
  const about: CatalogueRoutes<VersionRow> = {
    segment: 'versiones',
    tag: 'Versiones',
    one: 'Version',
    list: 'Versiones',
    refs: true,
    serialized: new SerializedCatalogue(versiones, { entry: versionEntry, ref: versionRef }),
    called: 'la versión',
  }
  const ofModel = new Map<number, VersionRow[]>(modelos.map(({ id }) => [id, []]))
  for (const version of versiones) ofModel.get(version.modelo.id)?.push(version)

  listRoute(app, media, about, VersionesQuery, ({ modelo }) => {
    const rows = ofModel.get(modelo)
    if (!rows) throw invalid({ modelo: ['No existe ese modelo: vea /v3/modelos.'] })
    return { name: String(modelo), links: () => versionesLinks({ modelo }), rows }
  })
  bestmatch(app, media, matcher)
  oneRoute(app, media, about)
}

/** Answers 200 with or without a match: a vehicle whose version is not certain still has a model (decisions, 10). */
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

import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TObject } from 'typebox'
import { answerMatch, type Matched } from './bestmatch.ts'
import type { Links } from './links.ts'
import type { Media } from './media.ts'
import { notFound } from './problems.ts'
import { reads } from './responses.ts'
import { type Id, IdParams } from './schemas.ts'
import { formOf, type SerializedCatalogue } from './serialized-catalogue.ts'

/** What the routes of one catalogue have in common. */
export interface CatalogueRoutes<Row extends { id: number }> {
  /** The segment under /v3, which is also the name of the list in prose. */
  segment: string
  tag: string
  /** The schemas, by the specification's names; a catalogue without Ref forms leaves them out. */
  one: string
  list: string
  refs: boolean
  serialized: SerializedCatalogue<Row>
  /** One record in prose: `la carrocería`. */
  called: string
}

/** The records of a list. Lists with a `name` are serialised once. */
export interface Listed<Row> {
  name?: string
  links(): Links
  rows: readonly Row[]
}

const caching = 'private, no-cache' as const

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const refSchema = (refs: boolean, name: string) => (refs ? { ref: Type.Ref(name) } : {})

/** GET /v3/{segment} */
export function listRoute<Row extends { id: number }, Query extends TObject>(
  app: FastifyInstance,
  media: Media,
  { segment, tag, list, refs, serialized }: CatalogueRoutes<Row>,
  querystring: Query,
  select: (query: Static<Query>) => Listed<Row>,
): void {
  const success = { description: tag, entry: Type.Ref(list), ...refSchema(refs, `${list}Ref`) }
  const takesQuery = Object.keys(querystring.properties).length > 0
  app.get(
    `/${segment}`,
    {
      schema: {
        tags: [tag],
        operationId: `listar${list}`,
        summary: tag,
        querystring,
        response: reads(media, success, takesQuery ? [400] : []),
      },
      config: { caching },
    },
    (request) => {
      const { name, links, rows } = select(request.query as Static<Query>)
      return name === undefined
        ? serialized.list(formOf(request), links, rows)
        : serialized.cachedList(formOf(request), name, links, rows)
    },
  )
}

/** GET /v3/{segment}/{id} */
export function oneRoute<Row extends { id: number }>(
  app: FastifyInstance,
  media: Media,
  { segment, tag, one, refs, serialized, called }: CatalogueRoutes<Row>,
): void {
  const success = { description: capital(called), entry: Type.Ref(one), ...refSchema(refs, 'Ref') }
  app.get<{ Params: { id: Static<typeof Id> } }>(
    `/${segment}/:id`,
    {
      schema: {
        tags: [tag],
        operationId: `ver${one}`,
        summary: `${capital(called)} con ese id`,
        params: IdParams,
        response: reads(media, success, [400, 404]),
      },
      config: { caching },
    },
    (request) => {
      const row = serialized.find(request.params.id)
      if (!row) throw notFound(`No existe ${called}.`)
      return serialized.print(formOf(request), row)
    },
  )
}

/** GET /v3/{segment}/bestmatch: the record that a partner's own value means, and why we think so. */
export function bestmatchRoute<Row extends { id: number }, Query extends TObject>(
  app: FastifyInstance,
  media: Media,
  { segment, tag, one, refs, serialized, called }: CatalogueRoutes<Row>,
  querystring: Query,
  match: (query: Static<Query>) => Matched<Row>,
): void {
  const success = { description: capital(called), entry: Type.Ref(one), ...refSchema(refs, 'Ref') }
  app.get(
    `/${segment}/bestmatch`,
    {
      schema: {
        tags: [tag],
        operationId: `buscar${one}`,
        summary: `${capital(called)} que corresponde a un valor propio`,
        querystring,
        response: reads(media, success, [400]),
      },
      config: { caching },
    },
    (request, reply) => {
      return answerMatch(reply, serialized, formOf(request), match(request.query as Static<Query>))
    },
  )
}

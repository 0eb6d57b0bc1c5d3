import type { FastifyInstance, FastifyReply } from 'fastify'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Links } from './links.ts'
import { invalid, notFound, type Problem } from './problems.ts'
import { type Media, reads } from './responses.ts'
import { type Id, IdParams, listOf } from './schemas.ts'

/** A catalogue: how it is called, its schema, and its records. */
interface Described<Row> {
  /** The segment under /v3. */
  segment: string
  tag: string
  /** The names of the schemas in the specification. */
  one: string
  list: string
  /** One record in prose: `la carrocería`. */
  called: string
  /** False if the catalogue has no Ref forms. */
  refs?: boolean
  schema: TSchema
  rows: readonly Row[]
  represent: Represent<Row>
}

interface CatalogueOptions<Row, Query extends TObject, Match extends TObject> extends Described<Row> {
  query: Query
  select(query: Static<Query>): Listed<Row>
  bestmatch: { query: Match; match(query: Static<Match>): Matched<Row> }
}

/** Adds the schemas of a catalogue, and its routes: the list, bestmatch, and one record. */
export function catalogueRoutes<Row extends { id: number }, Query extends TObject, Match extends TObject>(
  app: FastifyInstance,
  media: Media,
  { query, select, bestmatch, ...described }: CatalogueOptions<Row, Query, Match>,
): void {
  const catalogue = openCatalogue(app, described)
  listRoute(app, media, catalogue, query, select)
  bestmatchRoute(app, media, catalogue, bestmatch.query, bestmatch.match)
  oneRoute(app, media, catalogue)
}

/** Adds the schemas of a catalogue. */
export function openCatalogue<Row extends { id: number }>(
  app: FastifyInstance,
  { schema, rows, represent, refs = true, ...names }: Described<Row>,
): CatalogueRoutes<Row> {
  const { one, list } = names
  app.addSchema(schema)
  app.addSchema(listOf(list, one))
  if (refs) app.addSchema(listOf(`${list}Ref`, 'Ref'))
  return { ...names, refs, serialized: new SerializedCatalogue(rows, represent) }
}

/** What the routes of one catalogue have in common. */
interface CatalogueRoutes<Row extends { id: number }>
  extends Pick<Described<Row>, 'segment' | 'tag' | 'one' | 'list' | 'called'> {
  refs: boolean
  serialized: SerializedCatalogue<Row>
}

/** The records of a list. Lists with a `name` are serialised once. */
interface Listed<Row> {
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
function bestmatchRoute<Row extends { id: number }, Query extends TObject>(
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

interface Found<Row> {
  kind: 'match'
  entry: Row
  rule: string
  score: number
}

interface NotFound<Near> {
  kind: 'none'
  parameter: string
  reason: string
  candidates: readonly { entry: Near; score: number }[]
}

/** A value matched to a record of ours, or the refusal to guess. */
export type Matched<Row> = Found<Row> | Problem

/** Turns a matcher's result into one that can be answered; what came near is shown as references. */
export function matched<Row, Near>(
  result: Found<Row> | NotFound<Near>,
  ref: (near: Near) => { href: string; title: string },
): Matched<Row> {
  if (result.kind === 'match') return result
  const candidates = result.candidates.map(({ entry, score }) => ({ ...ref(entry), Score: score }))
  return invalid({ [result.parameter]: [result.reason] }, { Candidatos: candidates })
}

/** The record, with the reason for it in `Match`; or 400 with those that came near: unknown is better than wrong. */
function answerMatch<Row extends { id: number }>(
  reply: FastifyReply,
  serialized: SerializedCatalogue<Row>,
  form: Form,
  result: Matched<Row>,
): Buffer {
  if (result instanceof Error) throw result
  reply.header('match', `rule=${result.rule}, score=${result.score}`)
  return serialized.print(form, result.entry)
}

/** The two forms a resource is shown in (spec, "Content negotiation"). */
type Form = 'entry' | 'ref'

export const formOf = ({ negotiated }: { negotiated: string }): Form =>
  negotiated.endsWith('.ref+json') ? 'ref' : 'entry'

/** How one record looks; a catalogue without Ref forms never asks for the second. */
interface Represent<Row> {
  entry(row: Row): object
  ref(row: Row): { href: string; title: string }
}

/**
 * A catalogue ready to be sent. It does not change while the server runs, so each record is serialised once, a list is
 * its records joined, and common lists keep their bytes.
 */
class SerializedCatalogue<Row extends { id: number }> {
  readonly rows: readonly Row[]
  readonly #byId: Map<number, Row>
  readonly #represent: Represent<Row>
  readonly #records = { entry: new Map<number, Buffer>(), ref: new Map<number, Buffer>() }
  readonly #lists = { entry: new Map<string, Buffer>(), ref: new Map<string, Buffer>() }

  constructor(rows: readonly Row[], represent: Represent<Row>) {
    this.rows = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    this.#represent = represent
  }

  find(id: number): Row | undefined {
    return this.#byId.get(id)
  }

  /** One record, the same bytes every time. */
  print(form: Form, row: Row): Buffer {
    const printed = this.#records[form].get(row.id)
    if (printed) return printed
    const bytes = Buffer.from(JSON.stringify(this.#represent[form](row)))
    this.#records[form].set(row.id, bytes)
    return bytes
  }

  /** The records of a list, made for this answer. */
  list(form: Form, links: () => Links, rows: readonly Row[]): Buffer {
    const parts: Buffer[] = [Buffer.from(`{"_links":${JSON.stringify(links())},"_entries":[`)]
    rows.forEach((row, index) => {
      if (index > 0) parts.push(COMMA)
      parts.push(this.print(form, row))
    })
    parts.push(END)
    return Buffer.concat(parts)
  }

  /** A list of which there are only a few (all, a region's …), kept by its name. */
  cachedList(form: Form, name: string, links: () => Links, rows: readonly Row[]): Buffer {
    const kept = this.#lists[form].get(name)
    if (kept) return kept
    const bytes = this.list(form, links, rows)
    this.#lists[form].set(name, bytes)
    return bytes
  }
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

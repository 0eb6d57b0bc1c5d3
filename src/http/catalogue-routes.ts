import { setImmediate as nextTick } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TObject } from 'typebox'
import { message } from '../i18n/messages.tsx'
import { getOrInsert } from '../memoize.ts'
import { capitalize } from '../text.ts'
import { apiRoutes, nameOf } from './api-routes.ts'
import { MAX_BODY_BYTES } from './body.ts'
import { type Links, link, withQuery } from './links.ts'
import { type Representation, representationOf } from './negotiation.ts'
import { fault, invalid, notFound, type Problem } from './problems.ts'
import type { Media } from './responses.ts'
import { type Candidato, type Coincidencia, closed, IdParams, listOf, optional } from './schemas.ts'

type Segment = 'carrocerias' | 'ciudades' | 'colores' | 'marcas' | 'modelos' | 'regiones' | 'versiones'

/** A catalogue: how it is called, its schema, and its records. */
interface CatalogueOptions<Row, Query extends TObject, Match extends TObject> {
  /** The segment under /v3. With a capital letter it is the name of the list's schema, and the tag. */
  segment: Segment
  /** All records in prose: `Carrocerías`. */
  title: string
  /** One record in prose: `la carrocería`. */
  called: string
  /** False if the catalogue has no Ref forms. */
  hasRefs?: boolean
  /** Registered under the name of one record. */
  schema: TObject
  rows: readonly Row[]
  ref(row: Row): Ref
  /** The members of a record, without its links. */
  entry(row: Row): object
  /** Links of a record besides `self`; the list if left out. */
  linksOf?(row: Row): Links
  /** What a list and bestmatch take. */
  query: Query
  bestmatchQuery: Match
  /** The records of a list, GET /v3/{segment}. */
  list(query: Static<Query>): Listed<Row>
  /** Links of the list besides `self`, `buscar` and `bestmatch`. */
  listLinks?(query: Static<Query>): Links
  /**
   * GET /v3/{segment}/bestmatch: the record that a partner's own value means, and why; or 400 with those that came near.
   * POST does so for many values.
   */
  bestmatch?(query: Static<Match>): Matched<Row>
}

interface Ref {
  href: string
  title: string
}

/** The records of a list. Lists with a `name` are serialised once. */
interface Listed<Row> {
  name?: string
  rows: readonly Row[]
}

const caching = 'private, no-cache' as const

const MAX_VALUES = 500 // docs/decisions/catalogues.md
const VALUES_PER_REQUEST = 10 // docs/decisions/catalogues.md
/** Values matched before other requests are served. */
const VALUES_AT_ONCE = 10

/** `/v3/marcas/bestmatch?make={make}` */
const template = (path: string, { properties }: TObject): string =>
  `${path}?${Object.keys(properties)
    .map((name) => `${name}={${name}}`)
    .join('&')}`

/** The form of a record that names it in other answers, among candidates for example. */
export const refIn =
  <Row extends { id: number; nombre: string }>(segment: string, title = ({ nombre }: Row) => nombre) =>
  (row: Row): Ref => ({ href: `/v3/${segment}/${row.id}`, title: title(row) })

/** Declares the schemas and routes of a catalogue. One without `bestmatch` declares its own, and then `one`. */
export function catalogueRoutes<Row extends { id: number }, Query extends TObject, Match extends TObject>(
  app: FastifyInstance,
  media: Media,
  options: CatalogueOptions<Row, Query, Match>,
) {
  const { segment, title, called, schema, rows, ref, query, bestmatchQuery, hasRefs = true } = options
  const name = nameOf(schema)
  const list = capitalize(segment)
  const listHref = `/v3/${segment}`
  const linksOf = options.linksOf ?? (() => ({ [segment]: link(listHref) }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const { serializeRecord, serializeList } = serializeCatalogue<Row>({
    ref,
    entry: (row) => ({ ...options.entry(row), _links: { self: link(ref(row).href), ...linksOf(row) } }),
  })
  const [criteria, values] = valuesSchemas(name, list, bestmatchQuery)
  const lists = [listOf(list, name), ...(hasRefs ? [listOf(`${list}Ref`, `${name}Ref`)] : [])]
  const schemas = [schema, ...lists, criteria, values]
  const route = apiRoutes(app, media, { tags: [list] }, schemas)
  const record = { description: capitalize(called), entry: name, ...(hasRefs && { ref: `${name}Ref` }) }

  const names = Object.keys(query.properties)
  const isSearchable = names.some((each) => !(query as TObject).required?.includes(each))
  const linksOfList = (given: Record<string, string | number | boolean | undefined>): Links => {
    // In the order of the schema; false is the same as nothing.
    const values = names.map((each) => [each, given[each] === false ? undefined : given[each]])
    return {
      self: link(withQuery(listHref, Object.fromEntries(values))),
      ...(isSearchable && { buscar: link(template(listHref, query)) }),
      bestmatch: link(template(`${listHref}/bestmatch`, bestmatchQuery)),
    }
  }

  /** POST /v3/{segment}/bestmatch: the same for many values at once. */
  function bestmatchMany(match: (query: Static<Match>) => Static<typeof Coincidencia>): void {
    route('POST', `/${segment}/bestmatch`, {
      operationId: `buscar${list}`,
      summary: `${title} que corresponden a valores de su sistema, hasta ${MAX_VALUES} por vez`,
      description:
        'Cada valor trae los parámetros de GET. Si no hay certeza, Match es null y Candidatos trae los parecidos. ' +
        `Cuenta como una solicitud por cada ${VALUES_PER_REQUEST} valores.`,
      body: values,
      bodyLimit: MAX_BODY_BYTES,
      response: { description: 'Una entrada por valor, en el mismo orden', entry: 'Coincidencias' },
      async handle({ body }, reply) {
        reply.countAs(Math.ceil(valuesIn(body).length / VALUES_PER_REQUEST))
        const entries: Static<typeof Coincidencia>[] = []
        for (const value of valuesIn(body)) {
          if (entries.length % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) await nextTick()
          entries.push(match(withoutBlanks(value) as Static<Match>))
        }
        return { _entries: entries }
      },
    })
  }

  /** GET /v3/{segment}/{id} */
  function one(): void {
    route('GET', `/${segment}/:id`, {
      operationId: `ver${name}`,
      summary: `${capitalize(called)} con ese id`,
      description: 'El id es el último tramo de la dirección que traen los enlaces.',
      params: IdParams,
      response: record,
      refuses: [404],
      caching,
      handle(request) {
        const row = byId.get(request.params.id)
        if (!row) throw notFound(message(`problema.catalogue.${segment}`))
        return serializeRecord(representationOf(request), row)
      },
    })
  }

  route('GET', `/${segment}`, {
    operationId: `listar${list}`,
    summary: title,
    description: 'Sin paginar. Cambia poco: guarde una copia y pregunte con If-None-Match.',
    query,
    response: { description: title, entry: list, ...(hasRefs && { ref: `${list}Ref` }) },
    caching,
    handle(request) {
      const given = request.query as Static<Query>
      return serializeList(representationOf(request), options.list(given), () => ({
        ...linksOfList(given as Record<string, string>),
        ...options.listLinks?.(given),
      }))
    },
  })
  const { bestmatch } = options
  if (!bestmatch) return { route, bestmatchMany, one }
  route('GET', `/${segment}/bestmatch`, {
    operationId: `buscar${name}`,
    summary: `${capitalize(called)} que corresponde a un valor de su sistema`,
    description: 'Match dice por qué se eligió. Si no hay certeza, 400 con los candidatos en Extensions.Candidatos.',
    query: bestmatchQuery,
    response: record,
    caching,
    handle(request, reply) {
      const result = bestmatch(request.query as Static<Match>)
      if (result instanceof Error) throw result
      reply.header('match', `rule=${result.rule}, score=${result.score}`)
      return serializeRecord(representationOf(request), result.entry)
    },
  })
  bestmatchMany((query) => {
    const result = bestmatch(query)
    if (result instanceof Error) return { Match: null, Candidatos: candidatesOf(result) }
    return { Match: matchOf(ref(result.entry), result), Candidatos: [] }
  })
  one()
  return { route, bestmatchMany, one }
}

/** The body of a POST: values with the parameters of GET. As there, an optional one may be blank. */
function valuesSchemas(name: string, list: string, query: TObject) {
  const criteria = Object.entries(query.properties).map(([parameter, schema]) => {
    if (query.required?.includes(parameter)) return [parameter, schema]
    const { minLength, ...blankable } = schema as { minLength?: number }
    return [parameter, optional(blankable)]
  })
  const item = `${name}Criterios`
  return [
    Type.Object(Object.fromEntries(criteria), { ...closed, $id: item }),
    Type.Object(
      { Valores: Type.Array(Type.Ref(item), { maxItems: MAX_VALUES }) },
      { ...closed, $id: `${list}Valores` },
    ),
  ] as const
}

const valuesIn = (body: unknown) => (body as { Valores: Record<string, unknown>[] }).Valores

const withoutBlanks = (value: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== ''))

export const matchOf = ({ href, title }: Ref, { score, rule }: Pick<Found<unknown>, 'score' | 'rule'>) => ({
  href,
  title,
  Score: score,
  Rule: rule,
})

/** What came near, in a refusal by `notMatched`. */
export const candidatesOf = ({ extensions }: Problem): Candidato[] => extensions.Candidatos ?? []

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
  isEmpty?: true
}

/** A value matched to a record of ours, or the refusal to guess. */
export type Matched<Row> = Found<Row> | Problem

/** Turns a matcher's result into one that can be answered; what came near is shown as references. */
export function matched<Row, Near>(result: Found<Row> | NotFound<Near>, ref: (near: Near) => Ref): Matched<Row> {
  return result.kind === 'match' ? result : notMatched(result, ref)
}

export function notMatched<Near>(result: NotFound<Near>, ref: (near: Near) => Ref): Problem {
  const { parameter, reason, candidates, isEmpty } = result
  const near = candidates.map(({ entry, score }) => ({ ...ref(entry), Score: score }))
  return invalid({ [parameter]: [fault(isEmpty ? 'vacio' : 'sin-coincidencia', reason)] }, { Candidatos: near })
}

/**
 * A catalogue ready to be sent. It does not change while the server runs, so each record is serialised once, a list is
 * its records joined, and common lists keep their bytes.
 */
function serializeCatalogue<Row extends { id: number }>(represent: Record<Representation, (row: Row) => object>) {
  const records = { entry: new Map<number, Buffer>(), ref: new Map<number, Buffer>() }
  const lists = { entry: new Map<string, Buffer>(), ref: new Map<string, Buffer>() }

  /** One record, the same bytes every time. */
  function serializeRecord(kind: Representation, row: Row): Buffer {
    return getOrInsert(records[kind], row.id, () => Buffer.from(JSON.stringify(represent[kind](row))))
  }

  /** The records of a list. One with a name, of which there are only a few (all, a region's …), is cached. */
  function serializeList(kind: Representation, { name, rows }: Listed<Row>, links: () => Links): Buffer {
    const cached = name === undefined ? undefined : lists[kind].get(name)
    if (cached) return cached
    const parts: Buffer[] = [Buffer.from(`{"_links":${JSON.stringify(links())},"_entries":[`)]
    rows.forEach((row, index) => {
      if (index > 0) parts.push(COMMA)
      parts.push(serializeRecord(kind, row))
    })
    parts.push(END)
    const bytes = Buffer.concat(parts)
    if (name !== undefined) lists[kind].set(name, bytes)
    return bytes
  }

  return { serializeRecord, serializeList }
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

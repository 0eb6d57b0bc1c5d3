import fc from 'fast-check'
import { PAGES } from '../tests/isolation/pages.ts'
import { deref, OPERATIONS, type Operation, type Schema } from './contract.ts'
import {
  type CostlyText,
  HEADERS,
  ITEMS,
  MEMBERS,
  PAIRS,
  repeated,
  shuffled,
  TEXTS,
  textOf,
  VALUES,
} from './cost-inputs.ts'
import type { PageTarget, Scene } from './cost-server.ts'
import { prepare, type Sent } from './encode.ts'
import { isDestructive } from './forms.ts'
import type { FuzzRequest } from './requests.ts'
import { validRequest } from './valid-requests.ts'
import { valid } from './values.ts'

/** A kind of costly request to one route, in any size. */
export interface Case {
  /** `POST /v3/agencias`. */
  route: string
  /** `member Nombre: marks`. */
  kind: string
  /** What limits the size. */
  within: 'head' | 'body'
  /** A length in bytes that the route is likely to accept; sent first. */
  usual?: number
  /** Larger sizes are covered by other cases. */
  most?: number
  /** The only size. */
  fixed?: number
  make(bytes: number, scene: Scene): Sent
}

/** A route with its cases. The first example that the server accepts is the base of the cases. */
export interface Target {
  route: string
  takesBody: boolean
  /** Valid requests, the likeliest first. */
  examples: ((scene: Scene) => Sent)[]
  /** A body of that many bytes whose only fault is its size. */
  filler(bytes: number, scene: Scene): Sent
  cases(example: number): Case[]
  /** True for destructive requests, which are not sent as examples. */
  ends: boolean
  isForm: boolean
}

const PER_ROUTE = 30
const USUAL_LENGTH = 200
const MAX_FIELDS = 14
const MAX_ROWS = 500
/** One row of a batch. */
const MAX_ROW_BYTES = 1_048_576
const SHORT = Object.entries(TEXTS).filter(([kind]) => /^(marks|ligatures|spaces|towns|digits|commas)$/.test(kind))
/** The cost of bestmatch depends on which words come together. */
const ORDERS = 20
const FORM_TYPE = 'application/x-www-form-urlencoded'
const FORM_ESCAPE = (text: string) => encodeURIComponent(text)
const JSON_ESCAPE = (text: string) => JSON.stringify(text).slice(1, -1)

let fresh = 0

/** A request to the API, with its placeholders replaced. */
function send(request: FuzzRequest, { callers }: Scene): Sent {
  const { keys, records } = callers[request.target.includes('/v3/prueba/') ? 'test' : 'usual']
  const fill = (text: string) =>
    text.replace(/«([\w-]+)»/g, (all, name: string) => {
      if (name === 'new-mail') return `nueva${++fresh}@agencia.test`
      return name === 'new-ext' ? `NUEVA-${++fresh}` : (records[name] ?? all)
    })
  return prepare(request, keys, fill)
}

/** A request to a page, from its own IP address. */
function pageRequest(target: PageTarget, body: string | undefined, query = '', headers: [string, string][] = []): Sent {
  fresh++
  const method = body === undefined ? 'GET' : 'POST'
  const payload = Buffer.from(body ?? '', 'utf8')
  const [path = '', ownQuery = ''] = target.path.split('?')
  const all = [ownQuery, query].filter(Boolean).join('&')
  const own: [string, string][] = [
    ['Host', 'rodado.test'],
    ['Accept', 'text/html'],
    ['X-Forwarded-For', `198.18.${(fresh >> 8) & 255}.${fresh & 255}`],
    ...(target.cookie ? [['Cookie', target.cookie] as [string, string]] : []),
    ['Sec-Fetch-Site', 'same-origin'],
    ...(body === undefined
      ? []
      : ([
          ['Content-Type', FORM_TYPE],
          ['Content-Length', String(payload.length)],
        ] as [string, string][])),
  ]
  const given = new Set(headers.map(([name]) => name))
  const merged = (name: string, value: string) =>
    name === 'Cookie' && !value.startsWith('rodado_') ? `${target.cookie}; ${value}` : value
  const sent: [string, string][] = [
    ...own.filter(([name]) => !given.has(name)),
    ...headers.map(([name, value]) => [name, merged(name, value)] as [string, string]),
  ]
  const target_ = all ? `${path}?${all}` : path
  const head = `${method} ${target_} HTTP/1.1\r\n${sent.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return {
    method,
    target: target_,
    headers: sent,
    body: payload,
    last: false,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), payload]),
  }
}

type Path = (string | number)[]

/** Every position in a body that a schema knows; in lists the first item. */
function placesOf(given: Schema, path: Path = []): { path: Path; schema: Schema }[] {
  const outer = deref(given)
  const schema = deref(outer.anyOf?.find((each) => deref(each).type !== 'null') ?? outer)
  if (path.length > 5) return []
  return [
    { path, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => placesOf(each, [...path, name])),
    ...(schema.items ? placesOf(schema.items, [...path, 0]) : []),
  ]
}

/** What to fill a list with: unexpected items, valid ones, and ones with every member wrong. */
function itemsFor(given: Schema): Record<string, string> {
  const outer = deref(given)
  const { properties } = deref(outer.anyOf?.find((each) => deref(each).properties) ?? outer)
  return {
    ...ITEMS,
    'valid items': JSON.stringify(sample(valid(given), 1)[0] ?? {}),
    ...(properties && {
      'every member wrong': JSON.stringify(Object.fromEntries(Object.keys(properties).map((name) => [name, [0]]))),
    }),
  }
}

const HOLE = '@hole@'

/** The text of a body before and after the value or the additional members at a position. */
function around(base: unknown, path: Path, further: boolean): [string, string] {
  const holder = { root: structuredClone(base) } as Record<string | number, unknown>
  let at = holder
  const steps = ['root', ...path]
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1
    if (isLast && !further) at[step] = HOLE
    else {
      const next = at[step]
      const isFit =
        typeof next === 'object' && next !== null && Array.isArray(next) === (typeof steps[index + 1] === 'number')
      if (!isFit) at[step] = typeof steps[index + 1] === 'number' ? [] : {}
      at = at[step] as typeof at
    }
  }
  if (further) at[HOLE] = 0
  const [before = '', after = ''] = JSON.stringify(holder.root).split(further ? `"${HOLE}":0` : `"${HOLE}"`)
  return [before, after]
}

/** Rows that all differ: a cached answer costs nothing. */
function distinctRows(items: Schema, kind: 'towns' | 'cars', bytes: number): string {
  const base = sample(valid(items), 1)[0] as Record<string, unknown>
  const { properties = {} } = deref(items)
  const texts = Object.entries(properties).filter(([, each]) => isShortText(deref(each)))
  const rows: string[] = []
  for (let size = 0; size < bytes && rows.length < MAX_ROWS; size += rows.at(-1)?.length ?? 0) {
    const { unit } = shuffled(kind, ++fresh)
    const own = texts.map(([name, each]) => [name, unit.slice(0, deref(each).maxLength)])
    const place = kind === 'towns' && { Region: 'Buenos Aires' }
    rows.push(JSON.stringify({ ...base, ...Object.fromEntries(own), ...place, ExternalId: `FILA-${fresh}` }))
  }
  return `[${rows.join()}]`
}

const isShortText = ({ type, format, enum: choices, pattern, maxLength = 0 }: Schema): boolean =>
  type === 'string' && !format && !choices && !pattern && maxLength >= 50 && maxLength <= USUAL_LENGTH

/** The largest valid value: every member, full lists, the longest texts. */
function fullest(given: Schema, text: string, name = ''): unknown {
  const schema = deref(given)
  if (schema.anyOf) return fullest(schema.anyOf.find((each) => deref(each).type !== 'null') ?? {}, text, name)
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, each]) => [key, fullest(each, text, key)]),
    )
  if (schema.type === 'array')
    return Array(Math.min(schema.maxItems ?? 100, 500)).fill(fullest(schema.items ?? {}, text, name))
  if (schema.type !== 'string' || schema.format || schema.enum || schema.pattern)
    return sample(valid(schema, name), 1)[0]
  return textOf(TEXTS[text] ?? { unit: 'x' }, Math.min(schema.maxLength ?? USUAL_LENGTH, 5_000), (same) =>
    '1'.repeat(same.length),
  )
}

let seed = 1
export const setSeed = (given: number) => void (seed = given)
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] => fc.sample(arbitrary, { seed, numRuns: count })

function bodyCases(operation: Operation, base: FuzzRequest, route: string): Case[] {
  const schema = operation.body?.schema ?? {}
  const type = base.body?.type ?? 'application/json'
  const made = (kind: string, text: (bytes: number) => string, more: Partial<Case> & { type?: string } = {}): Case => ({
    route,
    kind,
    within: 'body',
    ...more,
    make: (bytes, scene) => send({ ...base, body: { text: text(bytes), type: more.type ?? type } }, scene),
  })
  if (type === FORM_TYPE)
    return formCases(route, pairsOf(base.body?.text ?? ''), (text, scene) =>
      send({ ...base, body: { text, type } }, scene),
    )
  let value: unknown = {}
  try {
    value = JSON.parse(base.body?.text ?? '{}')
  } catch {}
  const cases: Case[] = []
  for (const place of operation.body ? placesOf(schema) : [{ path: [], schema: {} }]) {
    const name = place.path.length > 0 ? place.path.map((step) => (step === 0 ? '[]' : step)).join('.') : 'body'
    const { type: kindOf, maxLength } = place.schema
    const [before, after] = around(value, place.path, false)
    const within = place.path[0] === 0 ? { most: MAX_ROW_BYTES } : {}
    const put = (kind: string, raw: (bytes: number) => string, more: Partial<Case> = {}) =>
      cases.push(made(`${name}: ${kind}`, (bytes) => before + raw(bytes) + after, { ...within, ...more }))
    if (kindOf === 'string')
      for (const [kind, text] of Object.entries(TEXTS)) {
        const usual = (maxLength ?? USUAL_LENGTH) * (Buffer.byteLength(JSON_ESCAPE(text.unit)) / text.unit.length)
        put(kind, (bytes) => `"${JSON_ESCAPE(textOf(text, bytes, JSON_ESCAPE))}"`, { usual })
      }
    if (kindOf === 'array')
      for (const [kind, item] of Object.entries(itemsFor(place.schema.items ?? {}))) {
        put(kind, (bytes) => `[${repeated(item, ',', bytes)}]`)
        const type = 'application/x-ndjson'
        if (place.path.length === 0 && operation.body?.types.includes(type))
          cases.push(made(`lines: ${kind}`, (bytes) => repeated(item, '\n', bytes), { type }))
      }
    if (kindOf === 'array' && place.path.length === 0)
      for (const kind of ['towns', 'cars'] as const)
        cases.push(made(`rows of distinct ${kind}`, (bytes) => distinctRows(place.schema.items ?? {}, kind, bytes)))
    if (kindOf === 'object' || place.path.length === 0) {
      const [start, end] = around(place.path.length === 0 && Array.isArray(value) ? {} : value, place.path, true)
      for (const [kind, raw] of Object.entries(MEMBERS))
        cases.push(made(`${name}: ${kind}`, (bytes) => start + raw(bytes) + end, within))
    }
    if (kindOf !== 'string' || place.path.length < 2) for (const [kind, raw] of Object.entries(VALUES)) put(kind, raw)
  }
  if (operation.body)
    for (const text of ['marks', 'towns', 'cars', 'markup']) {
      const full = JSON.stringify(fullest(schema, text))
      cases.push(made(`the fullest body: ${text}`, () => full, { fixed: full.length }))
    }
  return cases
}

const pairsOf = (text: string): [string, string][] =>
  text.split('&').map((pair) => pair.split('=', 2).map((part) => part.replaceAll('+', ' ')) as [string, string])

/** Form encoding, except for placeholders. */
const joined = (pairs: [string, string][]) =>
  pairs.map(([name, value]) => `${FORM_ESCAPE(name)}=${value.includes('«') ? value : FORM_ESCAPE(value)}`).join('&')

/** Every field of a form with every costly text, and unknown fields. */
function formCases(route: string, fields: [string, string][], make: (text: string, scene: Scene) => Sent): Case[] {
  const plain = (name: string) =>
    name.replace(/\d+/g, '#').replace(/^(Lun|Mar|Mi|Jue|Vie|S[aá]b|Dom|Fer)\w*(?=\.)/, 'day')
  const distinct = fields.filter(([name], at) => fields.findIndex(([other]) => plain(other) === plain(name)) === at)
  const base = joined(fields)
  const more = Object.entries(PAIRS).map(
    ([kind, raw]): Case => ({
      route,
      kind: `fields: ${kind}`,
      within: 'body',
      make: (bytes, scene) => make(`${base}&${raw(bytes)}`, scene),
    }),
  )
  const within = distinct.slice(0, MAX_FIELDS).flatMap(([name]) => [
    ...Object.entries(TEXTS).map(([kind, text]): Case => {
      const others = joined(fields.filter(([other]) => other !== name))
      const raw = (bytes: number) => textOf(text, bytes, (same) => same)
      return {
        route,
        kind: `field ${name}: ${kind}`,
        within: 'body',
        usual: USUAL_LENGTH,
        // Unescaped bytes are the densest: forms are read as UTF-8.
        make: (bytes, scene) => make(`${others}&${FORM_ESCAPE(name)}=${raw(bytes).replace(/[&+%]/g, ' ')}`, scene),
      }
    }),
    {
      route,
      kind: `field ${name}: repeated`,
      within: 'body' as const,
      make: (bytes: number, scene: Scene) =>
        make(`${base}&${`${FORM_ESCAPE(name)}=1&`.repeat(Math.max(1, Math.floor(bytes / (name.length + 3))))}`, scene),
    },
  ])
  return [...more, ...within]
}

/** A change of a request's head. */
interface HeadChange {
  query?: string
  headers?: [string, string][]
  segment?: { at: number; text: string }
}

/** Costly queries, segments and headers for any route. */
function headCases(
  route: string,
  names: string[],
  texts: Record<string, CostlyText>,
  segments: number[],
  make: (scene: Scene, mutated: HeadChange) => Sent,
): Case[] {
  const made = (kind: string, mutated: (bytes: number) => HeadChange, more: Partial<Case> = {}): Case => ({
    route,
    kind,
    within: 'head',
    ...more,
    make: (bytes, scene) => make(scene, mutated(bytes)),
  })
  // All differ: a cached answer costs nothing.
  const escaped = (text: CostlyText, bytes: number) => `${++fresh}${FORM_ESCAPE(textOf(text, bytes - 6, FORM_ESCAPE))}`
  const usualOf = ({ unit }: CostlyText) => ({ usual: USUAL_LENGTH * (FORM_ESCAPE(unit).length / unit.length) })
  return [
    ...Object.entries(HEADERS).map(([kind, headers]) => made(`header: ${kind}`, (n) => ({ headers: headers(n) }))),
    ...Object.entries(PAIRS).map(([kind, raw]) => made(`query: ${kind}`, (n) => ({ query: raw(n) }))),
    ...names.flatMap((name) =>
      Object.entries(texts).map(([kind, text]) =>
        made(`query ${name}: ${kind}`, (n) => ({ query: `${name}=${escaped(text, n)}` }), usualOf(text)),
      ),
    ),
    ...segments.flatMap((at) =>
      SHORT.map(([kind, text]) =>
        made(`segment ${at}: ${kind}`, (n) => ({ segment: { at, text: escaped(text, n) } }), usualOf(text)),
      ),
    ),
  ]
}

/** Replaces one query parameter and one segment of a target. */
function mutate(target: string, { query, segment }: HeadChange): string {
  const [path = '', ownQuery = ''] = target.split('?')
  const parts = path.split('/')
  if (segment) parts[segment.at] = segment.text
  const name = query?.split('=', 1)[0]
  const merged = ownQuery.split('&').filter((pair) => pair && pair.split('=', 1)[0] !== name)
  const all = [...merged, ...(query ? [query] : [])].join('&')
  return all ? `${parts.join('/')}?${all}` : parts.join('/')
}

const parametersIn = (path: string, mark: RegExp) =>
  path.split('/').flatMap((part, at) => (mark.test(part) ? [at] : []))

function ofOperation(operation: Operation): Target {
  const { method, path, parameters } = operation
  const route = `${method} ${path}`
  const examples = sample(validRequest(operation), PER_ROUTE).map(
    (request): FuzzRequest => ({ ...request, framing: 'length' }),
  )
  const names = parameters.filter((each) => each.in === 'query').map((each) => each.name)
  const orders = Array.from({ length: ORDERS }, (_, at) => at).flatMap((at) =>
    (['towns', 'cars'] as const).map((kind) => [`${kind}, order ${at}`, shuffled(kind, seed + at)]),
  )
  const texts = { ...TEXTS, ...(path.endsWith('/bestmatch') && Object.fromEntries(orders)) }
  const type = operation.body?.types[0] ?? 'application/json'
  return {
    route,
    takesBody: method !== 'GET',
    isForm: false,
    ends: method === 'DELETE' || path.endsWith('/desasociar'),
    examples: examples.map((request) => (scene) => send(request, scene)),
    filler: (bytes, scene) => send({ ...(examples[0] as FuzzRequest), body: { text: ' '.repeat(bytes), type } }, scene),
    cases(which) {
      const base = examples[which] as FuzzRequest
      const head = headCases(route, names, texts, parametersIn(path, /\{/), (scene, { headers = [], ...mutated }) => {
        const own = base.headers.filter(([name]) => name !== headers[0]?.[0])
        const target = mutate(base.target, mutated)
        return send(
          { ...base, target, headers: [...own, ...headers], credential: credentialBeside(headers, base) },
          scene,
        )
      })
      return method === 'GET' ? head : [...head, ...bodyCases(operation, base, route)]
    },
  }
}

/** The signature covers the headers, so further headers need a token, and another Authorization needs none. */
function credentialBeside(headers: [string, string][], base: FuzzRequest): FuzzRequest['credential'] {
  if (base.credential === 'none' || headers.some(([name]) => name === 'Authorization')) return 'none'
  return headers.length > 0 ? 'token' : 'right'
}

function ofPage(route: string, find: (scene: Scene) => PageTarget | undefined, scene: Scene): Target {
  const there = (now: Scene) => find(now) as PageTarget
  const isForm = route.startsWith('POST ')
  const { fields, path } = there(scene)
  const post = (text: string, now: Scene) => pageRequest(there(now), text)
  const names = isForm ? [] : fields.map(([name]) => name)
  const segments = parametersIn(route.slice(route.indexOf(' ') + 1), /^:/)
  const head = headCases(route, names, Object.fromEntries(SHORT), segments, (now, { headers = [], query, segment }) => {
    const target = there(now)
    const body = isForm ? joined(target.fields) : undefined
    return pageRequest(
      { ...target, path: segment ? mutate(target.path, { segment }) : target.path },
      body,
      query,
      headers,
    )
  })
  return {
    route,
    takesBody: isForm,
    isForm,
    ends: isForm && isDestructive({ action: path, fields }),
    examples: isForm || !isShown(route) ? [] : [(now) => pageRequest(there(now), undefined)],
    filler: (bytes, now) => post(`x=${'1'.repeat(Math.max(0, bytes - 2))}`, now),
    cases: () => (isForm ? [...formCases(route, fields, post), ...head] : head),
  }
}

/** Pages that have a response for somebody other than an error. */
const isShown = (route: string) =>
  !/:(nombre|token)/.test(route) && Object.values(PAGES.get(route.slice(4)) ?? {}).some((status) => status !== '404')

/** Every operation, page and form, destructive ones last. */
export function targetsIn(scene: Scene): Target[] {
  const other = (url: string): PageTarget => ({
    route: url,
    path: url.replace(/:\w+|\*/g, 'x'),
    cookie: '',
    fields: [['q', '']],
  })
  const all = [
    ...OPERATIONS.map(ofOperation),
    ...scene.pages.map(({ route }) =>
      ofPage(`GET ${route}`, ({ pages }) => pages.find((page) => page.route === route), scene),
    ),
    ...scene.forms.map(({ route }) =>
      ofPage(`POST ${route}`, ({ forms }) => forms.find((form) => form.route === route), scene),
    ),
    ...scene.others.map((url) => ofPage(`GET ${url}`, () => other(url), scene)),
  ]
  return [...all.filter(({ ends }) => !ends), ...all.filter(({ ends }) => ends)]
}

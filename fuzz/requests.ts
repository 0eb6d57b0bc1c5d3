import fc from 'fast-check'
import { type Body, bodyOf } from './bodies.ts'
import { OPERATIONS, type Operation } from './contract.ts'
import { hostileText } from './strings.ts'
import { valid } from './values.ts'

/** The credential: a valid one, or one of several invalid ones. */
type Credential = 'right' | 'token' | 'none' | 'forged' | 'stale' | 'other-digest' | 'twice' | 'babble'
/** The framing: correct, or ambiguous about where the request ends. */
type Framing = 'length' | 'chunked' | 'short' | 'two-lengths' | 'both' | 'bad-chunk' | 'cut'

/** A request with placeholders for the records of the fixture. */
export interface FuzzRequest {
  method: string
  target: string
  headers: [string, string][]
  body?: Body | undefined
  credential: Credential
  framing: Framing
  /** Whose records the placeholders stand for, and which of several. */
  about: { whose: Whose; which: number }
}

/** The owner of the agency: the app itself, or one whose records it must not find. */
export type Whose = 'own' | 'foreign' | 'test' | 'pending' | 'detached' | 'absent'

const TOPICS = [
  'agencia.registrada',
  'consulta.recibida',
  'webhook.prueba',
  'agencia.modificada',
  'publicacion.archivada',
]

/** Valid values of a path parameter. */
export function validValues({ path }: Operation, name: string): string[] {
  if (name === 'topic') return TOPICS
  if (name === 'adminMail') return ['«mail»']
  if (name === 'sid') return ['«sid»']
  if (name === 'externalid') return ['«ext»']
  if (path.includes('/sucursales/')) return ['«place»']
  if (path.includes('/entregas/')) return ['«event»']
  if (path.includes('/destinos/')) return ['1', '2']
  if (path.includes('/avisos/')) return ['«aviso»']
  if (path.includes('/ciudades/')) return ['3427213', '3427279', '1']
  return ['1', '8', '56', '100001']
}

/** Encodes a path segment or query value, except for placeholders. */
export const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('%40', '@')
    .replace(/%C2%AB([\w-]+)%C2%BB/g, '«$1»')

/** Broken escapes, and paths that a proxy or a file system would read differently. */
const BROKEN = ['%', '%zz', '%00', '%ff', '%c3%28', '%ed%a0%80', '..', '.', '%2e%2e', '%2f', '%252f', ';a=b', '\\', '*']

const segment = (operation: Operation, name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(...validValues(operation, name)) },
    { weight: 3, arbitrary: hostileText.map(escaped) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
    { weight: 1, arbitrary: fc.constantFrom('«foreign-mail»', '«foreign-sid»', '«foreign-ext»', '«foreign-event»') },
  )

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return fc.tuple(...names.map((name) => segment(operation, name))).map((values) => {
    let at = 0
    return operation.path.replace(/\{\w+\}/g, () => values[at++] ?? '')
  })
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((each) => each.in === 'query')
    .map((each) => {
      const value = fc.oneof(
        { weight: 6, arbitrary: valid(each.schema, each.name).map((given) => escaped(String(given))) },
        { weight: 2, arbitrary: hostileText.map(escaped) },
        { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
      )
      return fc.option(
        value.map((given) => `${each.name}=${given}`),
        { freq: each.required ? 12 : 1, nil: '' },
      )
    })
  const more = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['&', '=', '__proto__=1', 'constructor', 'a[]=1&a[]=2', 'a[b]=1', 'q=1&q=2', 'pagina=1&Pagina=2', '?'],
        ...['simular=', 'evnto=x', 'SIMULAR=true', 'todo'],
      ),
    },
  )
  return fc.tuple(...pairs, more).map((all) => all.filter(Boolean).join('&'))
}

type Mutation = (target: string) => string

/** Mutations of the target. Most requests have none. */
const TARGET_MUTATIONS: Mutation[] = [
  (target) => `${target}/`,
  (target) => target.replace('/v3', '/V3'),
  (target) => target.replace('/v3/', '//v3//'),
  (target) => target.replace('/v3/', '/v3/./'),
  (target) => target.replace('/v3/', '/v3/../v3/'),
  (target) => target.replace('/v3/', '/v3%2f'),
  (target) => target.replace('v3', 'v%33'),
  (target) => `http://otra.test${target}`,
  (target) => `${target}#fin`,
  (target) => `${target}${target.includes('?') ? '&' : '?'}relleno=${'x'.repeat(9_000)}`,
  (target) => `${target}ñ`,
  (target) => target.slice(1),
  () => '*',
  () => '/',
]

const ACCEPTS = [
  'application/json',
  'text/json',
  'application/vnd.service.entry+json',
  'application/vnd.service.ref+json',
  '*/*',
  'application/*;q=0.1, text/json',
  'text/html',
  'application/json;q=0',
  'application/x-adf+xml',
  ';;,,q=q',
  `${'a/b,'.repeat(500)}*/*`,
]

const ODD: [string, string][] = [
  ['If-None-Match', '*'],
  ['If-None-Match', '"a", W/"b",, "'],
  ['If-Match', '*'],
  ['If-Match', '"x"'],
  ['Accept-Encoding', 'br'],
  ['Accept-Encoding', 'gzip;q=1, *;q=0'],
  ['Content-Encoding', 'gzip'],
  ['Expect', '100-continue'],
  ['Expect', 'milagros'],
  ['Range', 'bytes=0-1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1, ñ'],
  ['Idempotency-Key', 'una'],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-zz'],
  ['Cookie', 'rodado_session=%00'],
  ['X-SVC-Nonce', 'doble'],
  ['X-SVC-', 'nada'],
  ['Authorization', 'Bearer otra'],
  ['Date', 'ayer'],
  ['Digest', 'sha-256=AAAA'],
  ['Content-Type', 'text/plain'],
  ['Host', 'otra.test'],
  ['Upgrade', 'h2c'],
  ['Connection', 'Upgrade, HTTP2-Settings'],
  ['X-Largo', 'x'.repeat(17_000)],
  ['X-Raro', '\u0001\u007f'],
  ['X-Latin', '\u00ff\u00e9'],
]

/** A header twice, with the same or another value. */
const twice = (first: [string, string]): fc.Arbitrary<[string, string][]> =>
  fc.constantFrom(...ODD.filter(([name]) => name === first[0])).map((second) => [first, second])

const headersOf: fc.Arbitrary<[string, string][]> = fc
  .tuple(
    fc.option(fc.constantFrom(...ACCEPTS), { freq: 1, nil: undefined }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...ODD), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD).chain(twice) },
    ),
  )
  .map(([accept, odd]) => [...(accept === undefined ? [] : [['Accept', accept] as [string, string]]), ...odd])

const usually = <T>(common: T, ...rare: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: rare.length * 6, arbitrary: fc.constant(common) },
    { weight: rare.length, arbitrary: fc.constantFrom(...rare) },
  )

/** A request to one operation: valid, nearly valid or hostile in each part. */
function requestTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method } = operation
  const target = fc
    .tuple(
      pathOf(operation),
      queryOf(operation),
      usually<Mutation>((same) => same, ...TARGET_MUTATIONS),
    )
    .map(([path, query, mutate]) => mutate(query ? `${path}?${query}` : path))
  const also = method === 'GET' ? ['HEAD', 'OPTIONS'] : ['GET', 'TRACE']
  return fc.record<FuzzRequest>({
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...also) },
    ),
    target,
    headers: headersOf,
    body: bodyOf(operation),
    credential: usually<Credential>('right', 'token', 'none', 'forged', 'stale', 'other-digest', 'twice', 'babble'),
    framing: usually<Framing>('length', 'chunked', 'chunked', 'short', 'two-lengths', 'both', 'bad-chunk', 'cut'),
    about: fc.record({
      whose: usually<Whose>('own', 'foreign', 'test', 'pending', 'detached', 'absent'),
      which: fc.nat(5),
    }),
  })
}

/** Destructive operations leave less for later requests, so they come seldom. Those with a body have more to test. */
export const weightOf = ({ path, method, body }: Operation): number =>
  method === 'DELETE' || path.endsWith('/desasociar') ? 1 : body ? 20 : 8

/** A request to any operation, mutated in any part. */
export const mutatedRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...OPERATIONS.map((operation) => ({ weight: weightOf(operation), arbitrary: requestTo(operation) })),
)

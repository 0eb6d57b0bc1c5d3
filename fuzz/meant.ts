import fc from 'fast-check'
import type { Body } from './bodies.ts'
import { OPERATIONS, type Operation } from './contract.ts'
import { type Asked, anyRequest, escaped, right, weightOf } from './requests.ts'
import { valid } from './values.ts'

const HEADERS: [string, string][][] = [
  [],
  [],
  [['Accept', 'application/json']],
  [['Accept', 'application/vnd.service.ref+json, */*;q=0.1']],
  [['Accept-Encoding', 'br, gzip']],
]

/** A request as somebody sends it who read the contract and means it: most are taken, and what follows from that is looked at too. */
function meant(operation: Operation): fc.Arbitrary<Asked> {
  const { method, path, parameters, body } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => fc.constantFrom(...right(operation, name)))
  const pairs = parameters
    .filter((each) => each.in === 'query')
    .map((each) => {
      const pair = valid(each.schema, each.name).map((value) => `${each.name}=${escaped(String(value))}`)
      return each.required ? pair : fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: pair })
    })
  const target = fc.tuple(fc.tuple(...names), fc.tuple(...pairs)).map(([values, query]) => {
    let at = 0
    const filled = path.replace(/\{\w+\}/g, () => values[at++] ?? '')
    const asked = query.filter(Boolean).join('&')
    return asked ? `${filled}?${asked}` : filled
  })
  const sent: fc.Arbitrary<Body | undefined> = body
    ? valid(body.schema).map((value) => ({ text: JSON.stringify(value) ?? '', type: 'application/json' }))
    : fc.constant(undefined)
  return fc.record<Asked>({
    method: fc.constant(method),
    target,
    headers: fc.constantFrom(...HEADERS),
    body: sent,
    credential: fc.constantFrom('right', 'right', 'token'),
    framing: fc.constantFrom('length', 'chunked'),
    about: fc.record({ whose: fc.constant('own' as const), which: fc.nat(5) }),
  })
}

/** A request to any operation: two in five as they are meant, the others bent in any of their parts. */
export const anyAsked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 3, arbitrary: anyRequest },
  {
    weight: 2,
    arbitrary: fc.oneof(
      ...OPERATIONS.map((operation) => ({ weight: weightOf(operation), arbitrary: meant(operation) })),
    ),
  },
)

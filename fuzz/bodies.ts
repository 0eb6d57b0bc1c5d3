import fc from 'fast-check'
import type { Operation } from './contract.ts'
import { hostileText } from './strings.ts'
import { hostile, nearlyValid, valid } from './values.ts'

/** A body: its text, its content type, and a byte to corrupt. */
export interface Body {
  text: string
  type: string | undefined
  /** Overwrites one byte, which makes most texts invalid UTF-8. */
  corruption?: { at: number; byte: number } | undefined
}

type Trick = (text: string) => string

const DEEP = 20_000

/** Faults in JSON text that no value can express. */
const TRICKS: Trick[] = [
  (text) => text.slice(0, -1),
  (text) => text.slice(0, text.length >> 1),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `${text} // fin`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/\{("[^"]*"):/, '{$1:0,$1:'),
  (text) => text.replace('{', '{"__proto__":{"admin":true},"constructor":{"prototype":{"a":1}},'),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, ':1e400'),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, `:${'9'.repeat(400)}`),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, ':NaN'),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, ':"\\ud800"'),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, ':"\\u0000"'),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, `:${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  (text) => text.replace(/:("[^"]*"|-?\d+)/, `:${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  () => '['.repeat(DEEP),
  () => '',
  () => ' ',
  () => '\0',
  (text) => `${' '.repeat(70_000)}${text}`,
  (text) => `[${Array(501).fill(text).join()}]`,
]

const TYPES = [
  undefined,
  '',
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/vnd.service.entry+json',
  'application/x-ndjson',
  'application/',
  '/',
]

/** Serializes a value for a content type. */
function print(value: unknown, type: string | undefined): string {
  if (type === 'application/x-ndjson' && Array.isArray(value))
    return value.map((each) => JSON.stringify(each)).join('\n')
  if (type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null)
    return new URLSearchParams(
      Object.entries(value).map(([name, each]) => [
        name,
        typeof each === 'string' ? each : (JSON.stringify(each) ?? ''),
      ]),
    ).toString()
  return JSON.stringify(value) ?? ''
}

/** A body for an operation, sometimes also for one without a body. */
export function bodyOf({ body }: Operation): fc.Arbitrary<Body | undefined> {
  if (!body) {
    const stray = fc.constantFrom<Body>({ text: '{}', type: 'application/json' }, { text: 'x', type: 'text/plain' })
    return fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: stray })
  }
  const { schema, types } = body
  const value = fc.oneof(
    { weight: 5, arbitrary: valid(schema) },
    { weight: 4, arbitrary: nearlyValid(schema) },
    { weight: 2, arbitrary: hostile(schema) },
  )
  const right = fc
    .tuple(value, fc.constantFrom(...types))
    .map(([each, type]): Body => ({ text: print(each, type), type }))
  const broken = fc
    .tuple(right, fc.constantFrom(...TRICKS))
    .map(([{ text, type }, trick]) => ({ text: trick(text), type }))
  const otherType = fc.tuple(right, fc.constantFrom(...TYPES)).map(([{ text }, type]) => ({ text, type }))
  const corrupted = fc
    .tuple(right, fc.nat(200), fc.constantFrom(0x00, 0x0a, 0x80, 0xc0, 0xed, 0xff))
    .map(([each, at, byte]) => ({ ...each, corruption: { at, byte } }))
  const any = fc.tuple(hostileText, fc.constantFrom(...types)).map(([text, type]) => ({ text, type }))
  return fc.oneof(
    { weight: 20, arbitrary: right },
    { weight: 5, arbitrary: broken },
    { weight: 2, arbitrary: otherType },
    { weight: 2, arbitrary: corrupted },
    { weight: 1, arbitrary: any },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

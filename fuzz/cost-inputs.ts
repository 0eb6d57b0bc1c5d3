import { createHash } from 'node:crypto'

/** A text that is costly for somebody's parser, at any length. */
export interface CostlyText {
  unit: string
  before?: string
  after?: string
}

/** The words that most towns, and most descriptions of cars, have in their names. */
const TOWNS = `villa la san de el los las del colonia santa general jose rio puerto maria juan grande norte coronel monte
  martin antonio barrio nueva estacion punta arroyo cruz carlos gobernador tres pozo ingeniero alto laguna pampa rosa
  canada pedro francisco parque aldea valle rincon pueblo oeste paso viejo campo costa mar mayo agua vista paz verde
  sud rosario cerro miguel carmen sierra isla santo lomas fortin esperanza`
const CARS = `volkswagen gol trend 1.6 pack fiat palio fire renault clio mio ford focus chevrolet corsa classic
  peugeot 208 allure toyota hilux sw4 srv diesel 4x4 nafta automatico manual full 5 puertas sedan dorado plata`
const summary = (text: string) => text.replace(/\s+/g, ' ')

/** The words in another order: what is costly depends on which of them come together. */
export function shuffled(kind: 'towns' | 'cars', seed: number): CostlyText {
  const order = (word: string) => createHash('sha1').update(`${seed} ${word}`).digest('hex')
  const list = (kind === 'towns' ? TOWNS : CARS).split(/\s+/)
  return { unit: `${list.sort((a, b) => (order(a) < order(b) ? -1 : 1)).join(' ')} ` }
}

export const TEXTS: Record<string, CostlyText> = {
  marks: { unit: '\u0300\u0316' }, // two combining classes in the wrong order, which normalize sorts
  'a letter with marks': { before: 'e', unit: '\u0316\u0300\u0327' },
  ligatures: { unit: '\ufdfa' }, // eighteen characters in compatibility form
  spaces: { before: 'x', unit: ' ', after: 'x' },
  'lines and spaces': { before: 'x', unit: '\n \t', after: 'x' },
  towns: { unit: summary(TOWNS) },
  cars: { unit: summary(CARS) },
  digits: { unit: '1' },
  'phone signs': { before: '+54', unit: ' (9)-' },
  mail: { before: 'a', unit: '.a@a-' },
  commas: { unit: 'a,' },
  markup: { unit: '<&"' },
  address: { before: 'https://a.test/', unit: '../' },
  mojibake: { unit: 'Ã©' },
  capitals: { unit: 'İß' }, // longer in the other case
}

/** That text, about as many bytes long once it is encoded. */
export function textOf({ unit, before = '', after = '' }: CostlyText, bytes: number, encode: (text: string) => string) {
  const perCharacter = Buffer.byteLength(encode(unit)) / unit.length
  const length = Math.max(1, Math.floor(bytes / perCharacter) - before.length - after.length)
  return before + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + after
}

type Raw = (bytes: number) => string
const times = (unit: string, bytes: number) => unit.repeat(Math.max(1, Math.floor(bytes / unit.length)))

/** As many of them as make up that size. */
export const repeated = (item: string, between: string, bytes: number): string =>
  times(item + between, bytes).slice(0, -between.length)

/** Members with names of their own. */
const members = (value: string, bytes: number) =>
  Array.from({ length: Math.max(1, Math.floor(bytes / (value.length + 12))) }, (_, at) => `"x${1e6 + at}":${value}`)

/** JSON that is an item of few lists. */
export const ITEMS: Record<string, string> = {
  'empty objects': '{}',
  numbers: '1',
  texts: '"x"',
  nulls: 'null',
  lists: '[]',
  'unknown members each': '{"x":1,"y":2}',
}

/** JSON for the place of an object, beside the members that it has. */
export const MEMBERS: Record<string, Raw> = {
  'unknown members': (bytes) => members('1', bytes).join(),
  'unknown lists': (bytes) => members('[{}]', bytes).join(),
  'a member repeated': (bytes) => times('"x":1,', bytes).slice(0, -1),
  '__proto__ repeated': (bytes) => times('"__proto__":{},', bytes).slice(0, -1),
  'a long name': (bytes) => `"${'x'.repeat(bytes)}":1`,
  'names with marks': (bytes) => `"${times('\u0300\u0316', bytes / 2)}":1`,
}

/** JSON for any place. */
export const VALUES: Record<string, Raw> = {
  'nested lists': (bytes) => times('[', bytes / 2) + times(']', bytes / 2),
  'nested objects': (bytes) => `${times('{"a":', (bytes * 5) / 6)}1${'}'.repeat(Math.max(1, Math.floor(bytes / 6)))}`,
  'a long number': (bytes) => times('9', bytes),
  'a long fraction': (bytes) => `0.${times('1', bytes)}`,
  'a list': (bytes) => `[${repeated('{}', ',', bytes)}]`,
  'a text': (bytes) => `"${'x'.repeat(bytes)}"`,
}

/** Headers that something of ours reads, each as long as it may be. */
export const HEADERS: Record<string, (bytes: number) => [string, string][]> = Object.fromEntries(
  Object.entries({
    Accept: 'application/x;q=0.5,',
    'Accept-Encoding': 'br;q=0.1,',
    'Accept-Language': 'es-AR;q=0.1,',
    'If-None-Match': 'W/"a",',
    'If-Match': '"a",',
    Digest: 'a=b,',
    Cookie: 'a=b;',
    'Content-Type': 'application/json;a=b',
    'X-Forwarded-For': '1.1.1.1,',
    'X-SVC-Nonce': ' x',
    Date: 'Mon, ',
    'Idempotency-Key': 'x',
    traceparent: '00-',
    Range: 'bytes=0-1,',
  })
    .map(([name, unit]): [string, (bytes: number) => [string, string][]] => [
      name,
      (bytes) => [[name, times(unit, bytes)]],
    ])
    .concat([
      ['a bearer token', (bytes) => [['Authorization', `Bearer ${times('e30.', bytes)}`]]],
      ['a session', (bytes) => [['Cookie', `rodado_session=${times('a.', bytes)}`]]],
      ['a signature', (bytes) => [['Authorization', `SVC-HMAC ${times('a:', bytes)}`]]],
      ['Basic', (bytes) => [['Authorization', `Basic ${times('YTph', bytes)}`]]],
      ['many x-svc- headers', (bytes) => numbered('X-SVC-', bytes)],
      ['many headers', (bytes) => numbered('X-', bytes)],
    ]),
)

const numbered = (prefix: string, bytes: number): [string, string][] =>
  Array.from({ length: Math.floor(bytes / (prefix.length + 10)) }, (_, at) => [`${prefix}${1000 + at}`, 'a'])

/** Queries and forms beside the names that the route knows. */
export const PAIRS: Record<string, Raw> = {
  'unknown names': (bytes) => members('', bytes).join('&').replace(/[":]/g, '').replaceAll('&', '=1&'),
  'a name repeated': (bytes) => times('x=1&', bytes),
  'broken escapes': (bytes) => times('%=%zz&', bytes),
  ampersands: (bytes) => times('&', bytes),
  brackets: (bytes) => `a${times('[a]', bytes)}=1`,
  plus: (bytes) => `x=${times('+', bytes)}`,
}

import fc from 'fast-check'
import { deref, type Schema } from './contract.ts'
import { hostileJson, hostileText } from './strings.ts'

/** Placeholders for records of the fixture, replaced when the request is sent, so that a seed means the same everywhere. */
const KNOWN: Record<string, string[]> = {
  adminMail: ['«mail»'],
  AdminMail: ['«mail»', '«new-mail»'],
  operador: ['«mail»', '«helper»', '«foreign-mail»'],
  OperadorResponsable: ['«mail»', '«helper»', '«foreign-mail»'],
  Email: ['«mail»', '«helper»', 'lucia@correo.test'],
  sid: ['«sid»', '«foreign-sid»'],
  evento: ['«event»', '«foreign-event»'],
  externalid: ['«ext»', '«foreign-ext»'],
  ExternalId: ['«ext»', '«new-ext»', '«foreign-ext»'],
  Aviso: ['«aviso»'],
  cursor: ['fin', '«cursor»', '«event»'],
  topic: [
    'agencia.registrada',
    'agencia.modificada',
    'consulta.recibida',
    'webhook.prueba',
    'publicacion.activada',
    'x',
  ],
  estado: ['pendiente', 'fallida,descartada', 'entregada', 'Activa'],
  Callback: ['https://crm.example/avisos', 'https://127.0.0.1/', 'http://crm.example/'],
  Secret: ['96d0300081d644d3bdceae8fbfc77955', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '********7955'],
  Marca: ['Fiat', 'vw', '/v3/marcas/56', '56'],
  make: ['Fiat', 'volksvagen', '/v3/marcas/56', 'http://rodado.test/v3/marcas/56', 'mercedez'],
  Modelo: ['Cronos', 'Uno', 'Gol Trend'],
  model: ['Cronos', '208', 'Gol Trend', 'serie 3'],
  trim: ['1.3 Drive', 'like', 'GTI'],
  Region: ['Buenos Aires', 'AR-S', 'CABA'],
  state: ['Buenos Aires', 'AR-S', 'bs as', '/v3/regiones/1'],
  Ciudad: ['Temperley', 'Rosario'],
  city: ['Temperley', 'temperlei', 'rosario', '/v3/ciudades/1'],
  color: ['rojo', 'gris plata'],
  bodystyle: ['suv', 'sedan 4 puertas'],
  desde: ['2026-01-01', '«today»', '2026-11-01T00:00:00Z'],
  hasta: ['2049-12-31', '«today»', '2026-11-01T00:00:00Z'],
  region: ['1', '2'],
  marca: ['56', '1'],
  modelo: ['100001', '1'],
  q: ['a', 'río', 'fiat'],
  Catalogo: [],
}

const FORMS: Record<string, fc.Arbitrary<string>> = {
  email: fc.nat(50).map((n) => `persona${n}@agencia.test`),
  tel: fc.nat(9999).map((n) => `011 4555-${String(n).padStart(4, '0')}`),
  whatsapp: fc.nat(9999).map((n) => `+54911455${String(n).padStart(5, '0')}`),
  uri: fc.webUrl(),
  https: fc.nat(99).map((n) => `https://fotos.example/${n}.jpg`),
  date: fc.constantFrom('2026-01-01', '2026-10-31', '«today»', '2049-12-31'),
  'date-time': fc.constantFrom('2026-01-01T00:00:00Z', '2026-11-01T12:00:00-03:00'),
  hora: fc.constantFrom('09:00', '13:00', '18:30', '24:00'),
  moneda: fc.constantFrom('ARS', 'USD'),
  secret: fc.constantFrom('96d0300081d644d3bdceae8fbfc77955'),
  'external-id': fc.nat(40).map((n) => `EXT-${n}`),
  'header-name': fc.constantFrom('X-Clave', 'Authorization', 'Content-Type', 'webhook-id'),
  'header-value': fc.constantFrom('Bearer 1', 'a b'),
}

const memo = new Map<string, fc.Arbitrary<unknown>>()

/** Valid or nearly valid values; `name` selects placeholders for the member. */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const key = `${name} ${JSON.stringify(schema)}`
  const made = memo.get(key) ?? make(deref(schema), name)
  memo.set(key, made)
  return made
}

function make(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valid(each, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const known = [...(KNOWN[name] ?? []), ...(schema.examples ?? [])]
  const plain = byType(schema)
  if (known.length === 0 || schema.type === 'object') return plain
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: plain })
}

function byType(schema: Schema): fc.Arbitrary<unknown> {
  const { type, minimum = -10, maximum = 1_000_000, minLength = 0, maxLength = 40, items = {}, maxItems = 4 } = schema
  if (type === 'string')
    return (
      FORMS[schema.format ?? ''] ?? fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
    )
  if (type === 'integer')
    return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum, 1))
  if (type === 'number')
    return fc.oneof(fc.integer({ min: 0, max: 90_000_000 }), fc.double({ min: 0, max: 1e9, noNaN: true }))
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array')
    return fc.array(valid(items), { minLength: Math.min(schema.minItems ?? 0, 4), maxLength: Math.min(maxItems, 4) })
  if (type !== 'object') return fc.jsonValue({ depthSize: 'xsmall' })
  const model = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([member, each]) => [member, valid(each, member)]),
  )
  return fc.record(model, { requiredKeys: schema.required ?? [], noNullPrototype: true })
}

type Mutation = (value: unknown, where: number, by: unknown) => unknown

/** Changes one thing in a valid value. */
const MUTATIONS: Mutation[] = [
  (value, where, by) => atMember(value, where, () => by),
  (value, where) => atMember(value, where, () => undefined),
  (value, where) => atMember(value, where, (old) => String(old)),
  (value, where) => atMember(value, where, (old) => [old]),
  (value, where) => atMember(value, where, (old) => (typeof old === 'string' ? old.padEnd(300, 'ñ') : { de: old })),
  (value, _, by) => (isRecord(value) ? { ...value, Desconocido: by } : [value]),
  (value) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k.toLowerCase(), v])) : value,
  (value, where, by) =>
    atMember(value, where, (old) =>
      isRecord(old) || Array.isArray(old) ? (MUTATIONS[0] as Mutation)(old, where + 1, by) : by,
    ),
]

/** A value with one fault. */
export const nearlyValid = (schema: Schema): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid(schema), fc.constantFrom(...MUTATIONS), fc.nat(30), hostileJson)
    .map(([value, mutate, where, by]) => mutate(value, where, by))

/** An object with the right members and arbitrary values. */
export function hostile(schema: Schema): fc.Arbitrary<unknown> {
  const members = Object.keys(deref(schema).properties ?? {})
  if (members.length === 0) return fc.oneof(hostileJson, fc.array(hostileJson, { maxLength: 5 }))
  const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...members) }, { weight: 1, arbitrary: hostileText })
  return fc.oneof(
    { weight: 5, arbitrary: fc.dictionary(key, hostileJson, { maxKeys: 8 }) },
    { weight: 1, arbitrary: hostileJson },
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function atMember(value: unknown, where: number, change: (old: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each, at) => (at === where % value.length ? change(each) : each))
  if (!isRecord(value)) return change(value)
  const keys = Object.keys(value)
  const chosen = keys[where % keys.length]
  return Object.fromEntries(keys.map((key) => [key, key === chosen ? change(value[key]) : value[key]]))
}

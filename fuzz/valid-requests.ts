import fc from 'fast-check'
import type { Body } from './bodies.ts'
import { OPERATIONS, type Operation } from './contract.ts'
import { escaped, type FuzzRequest, mutatedRequest, validValues, weightOf } from './requests.ts'
import { valid } from './values.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const json = (text: string): Body => ({ text, type: JSON_TYPE })
/** The origin and the person of an inquiry. */
const ASKING = '"OrigenLead":"form","Interesado":{"Nombre":"Ana","Telefono":"4555-1234"}'

/** An inactive listing, which needs no place in a package. */
const CAR = '"Marca":"Fiat","Modelo":"Cronos","Activa":false'

/** Bodies whose members depend on one another. No schema says how, so generated ones are nearly always refused. */
const BY_HAND: Record<string, Body[]> = {
  'POST /interno/v1/consultas': [
    json(`{"Aviso":«aviso»,${ASKING}}`),
    json(`{"AdminMail":"«mail»","ExternalId":"«ext»",${ASKING}}`),
    json(`{"AdminMail":"«mail»","Catalogo":{"Marca":"Fiat","Modelo":"Uno"},${ASKING}}`),
  ],
  'POST /v3/appnotificaciones/{topic}': [json('{"Callback":"https://crm.example/avisos"}')],
  'POST /v3/appnotificaciones/{topic}/destinos': [
    json('{"Callback":"https://crm.example/avisos","Agencias":["«mail»"],"EnOrden":true}'),
  ],
  'PUT /v3/appnotificaciones/{topic}/destinos/{id}': [
    json('{"Callback":"https://crm.example/avisos","Agencias":["«mail»"],"EnOrden":true}'),
  ],
  'POST /v3/publicaciones/{adminMail}': [json(`{"ExternalId":"«new-ext»",${CAR}}`)],
  'PUT /v3/publicaciones/{adminMail}/{externalid}': [
    json('{"Activa":false}'),
    json('{"Activa":true,"Kilometraje":9000}'),
  ],
  'POST /v3/prueba/consultas': [json('{}'), json('{"AdminMail":"«mail»","Cantidad":2}')],
  'POST /oauth/token': [
    { text: 'grant_type=client_credentials&client_id=«app-key»&client_secret=«app-secret»', type: FORM_TYPE },
  ],
}

/** Queries whose parameters depend on one another. */
const QUERIES_BY_HAND: Record<string, string[]> = {
  '/v3/modelos/bestmatch': ['make=Fiat&model=Cronos', 'make=renault&model=clio', 'make=vw&model=Gol%20Trend'],
  '/v3/versiones/bestmatch': [
    'make=Fiat&model=Cronos',
    'make=Peugeot&model=208&year=2022',
    'make=vw&model=Gol%20Trend',
  ],
  '/v3/appnotificaciones/{topic}/entregas/reenviar': [
    'estado=fallida,descartada',
    'evento=«event»&simular=true',
    'adminMail=«mail»&desde=2026-01-01',
    'todo=true&simular=True',
    'Todo=true',
  ],
}

/** Destructive operations come seldom, but must succeed sometimes. */
const MIN_WEIGHT = 3

const HEADERS: [string, string][][] = [
  [],
  [],
  [['Accept', 'application/json']],
  [['Accept', 'application/vnd.service.ref+json, */*;q=0.1']],
  [['Accept-Encoding', 'br, gzip']],
]

/** A request that follows the contract: most are accepted, so their effects are tested too. */
export function validRequest(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, path, parameters, body } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    fc.constantFrom(...validValues(operation, name)),
  )
  const pairs = parameters
    .filter((each) => each.in === 'query')
    .map((each) => {
      const pair = valid(each.schema, each.name).map((value) => `${each.name}=${escaped(String(value))}`)
      return each.required ? pair : fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: pair })
    })
  const byName = pairs.length > 0 ? QUERIES_BY_HAND[path] : undefined
  const queries = byName
    ? fc.constantFrom(...byName)
    : fc.tuple(...pairs).map((query) => query.filter(Boolean).join('&'))
  const target = fc.tuple(fc.tuple(...names), queries).map(([values, query]) => {
    let at = 0
    const filled = path.replace(/\{\w+\}/g, () => values[at++] ?? '')
    return query ? `${filled}?${query}` : filled
  })
  const byHand = BY_HAND[`${method} ${path}`]
  const made: fc.Arbitrary<Body | undefined> = body
    ? valid(body.schema).map((value) => json(JSON.stringify(value) ?? ''))
    : fc.constant(undefined)
  const sent = byHand
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom<Body | undefined>(...byHand) }, { weight: 1, arbitrary: made })
    : made
  return fc.record<FuzzRequest>({
    method: fc.constant(method),
    target,
    headers: fc.constantFrom(...HEADERS),
    body: sent,
    // For a token, the secret is in the form and no other credential is sent.
    credential: path === '/oauth/token' ? fc.constant('none') : fc.constantFrom('right', 'right', 'token'),
    framing: fc.constantFrom('length', 'chunked'),
    about: fc.record({ whose: fc.constant('own' as const), which: fc.nat(5) }),
  })
}

/** A request to any operation: two in five are valid, the others mutated. */
export const anyRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 3, arbitrary: mutatedRequest },
  {
    weight: 2,
    arbitrary: fc.oneof(
      ...OPERATIONS.map((operation) => ({
        weight: Math.max(MIN_WEIGHT, weightOf(operation)),
        arbitrary: validRequest(operation),
      })),
    ),
  },
)

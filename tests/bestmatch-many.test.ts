import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startServer, type TestApp, type TestServer } from './support/server.ts'

type Criteria = Record<string, string | number | null>

const TEXTS = {
  state: ['Bs As', 'AR-S', 'cordoba', 'Santa Fe', 'tierra del fuego', 'nada de eso', ' '],
  city: ['temperlei', 'rosario', 'Villa Maria', 'C.A.B.A', 'Godoy Crus', 'mar', '/v3/ciudades/1', 'zzz'],
  make: ['Fiat', 'vw', 'toyota', 'Peugot', 'sin marca', '56'],
  model: ['cronos', '208', 'gol trend 1.6', 'etios', 'xyz', 'corolla'],
  bodystyle: ['suv', 'sedan', 'hatch 5p', 'nada'],
  color: ['rojo', 'blanco perlado', 'Azl', 'nada'],
  trim: ['XLS 6MT', 'like', 'drive 1.3', ''],
}

const CATALOGUES: Record<string, (keyof typeof TEXTS)[]> = {
  ciudades: ['state', 'city'],
  regiones: ['state'],
  marcas: ['make'],
  modelos: ['make', 'model'],
  versiones: ['make', 'model', 'trim'],
  carrocerias: ['bodystyle'],
  colores: ['color'],
}

describe('bestmatch for many values at once', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer({ env: { RATE_PER_SECOND: '1000', RATE_BURST: '100000' } })
    app = await server.newApp()
  })
  after(() => server.stop())

  const post = (segment: string, body: unknown, caller = app) =>
    caller.call('POST', `/v3/${segment}/bestmatch`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  /** What GET answers for one value, in the form of POST. */
  async function one(segment: string, value: Criteria) {
    const present = Object.entries(value).filter(([, each]) => each !== null)
    const query = new URLSearchParams(present.map(([name, each]) => [name, String(each)]))
    const accept = segment === 'carrocerias' || segment === 'versiones' ? 'application/json' : REF
    const { status, json, headers } = await app.get(`/v3/${segment}/bestmatch?${query}`, { accept })
    if (status === 400) return { Match: null, Candidatos: json.Extensions.Candidatos }
    const [, Rule, score] = /^rule=([a-z-]+), score=([\d.]+)$/.exec(headers.match ?? '') ?? []
    const found = segment === 'versiones' ? json.Match : json
    const href = found?._links?.self.href ?? found?.href
    return { Match: href ? { href, Score: Number(score), Rule } : null, Candidatos: json.Candidates ?? [] }
  }

  it('200: each value has the result of GET, in the order asked, in every catalogue', async () => {
    for (const [segment, names] of Object.entries(CATALOGUES)) {
      const criteria = fc.record(Object.fromEntries(names.map((name) => [name, anyValue(name)])))
      await fc.assert(
        fc.asyncProperty(fc.array(criteria, { minLength: 1, maxLength: 8 }), async (Valores) => {
          const { status, json } = await post(segment, { Valores })
          assert.equal(status, 200, JSON.stringify(json))
          const expected = await Promise.all(Valores.map((value) => one(segment, value as Criteria)))
          const untitled = json._entries.map(({ Match, Candidatos }: Entry) => {
            const { title, ...match } = Match ?? {}
            assert.equal(typeof title, Match ? 'string' : 'undefined')
            return { Match: Match && match, Candidatos }
          })
          assert.deepEqual(untitled, expected)
        }),
        { numRuns: 12 },
      )
    }
  })

  it('200: a match with its title, score and rule; what came near where nothing is certain', async () => {
    const { json } = await post('ciudades', {
      Valores: [
        { state: 'Bs As', city: 'temperlei' },
        { state: 'Buenos Aires', city: 'Capital Federal' },
        { state: 'Cordoba', city: 'Rosario' },
      ],
    })
    const [similar, other, none] = json._entries
    assert.equal(similar.Match.title, 'Temperley (Buenos Aires)')
    assert.match(similar.Match.href, /^\/v3\/ciudades\/\d+$/)
    assert.deepEqual([similar.Match.Rule, similar.Candidatos], ['similar', []])
    assert.equal(other.Match.Rule, 'other-state')
    assert.equal(none.Match, null)
    assert.deepEqual(
      none.Candidatos.map(({ title }: { title: string }) => title),
      ['Rosario (Santa Fe)', 'Villa del Rosario (Córdoba)'],
    )
  })

  it('200: an optional parameter may be null or blank, and no value is no entry', async () => {
    const car = { make: 'Toyota', model: 'Etios', trim: 'XLS 1.5 6MT 5p' }
    const { json } = await post('versiones', { Valores: [car, { ...car, power: null, fuelType: '', year: null }] })
    assert.deepEqual(json._entries[1], json._entries[0])
    assert.deepEqual((await post('marcas', { Valores: [] })).json, { _entries: [] })
  })

  it('200: 500 values; 400: 501', async () => {
    const Valores = Array.from({ length: 500 }, (_, at) => ({ color: `rojo ${at}` }))
    assert.equal((await post('colores', { Valores })).json._entries.length, 500)
    const { status, json } = await post('colores', { Valores: [...Valores, { color: 'rojo' }] })
    assert.deepEqual([status, json.Extensions.Codigos], [400, { Valores: ['demasiados-elementos'] }])
  })

  it('400: what is wrong is named by its place', async () => {
    for (const [segment, names] of Object.entries(CATALOGUES)) {
      const valid = Object.fromEntries(names.map((name) => [name, TEXTS[name][0]]))
      const [name = ''] = names
      const Valores = [
        valid,
        { ...valid, [name]: '' },
        { ...valid, otro: 1 },
        {},
        { ...valid, [name]: 'x'.repeat(201) },
      ]
      const { status, json } = await post(segment, { Valores })
      assert.equal(status, 400)
      const { [`Valores[3].${name}`]: absent, ...codes } = json.Extensions.Codigos
      assert.deepEqual(absent, ['requerido'])
      assert.deepEqual(codes[`Valores[1].${name}`], ['vacio'])
      assert.deepEqual(codes['Valores[2].otro'], ['desconocido'])
      assert.deepEqual(codes[`Valores[4].${name}`], ['muy-largo'])
    }
    for (const body of [[], {}, { Valores: {} }, { Valores: [1] }, { valores: [] }])
      assert.equal((await post('marcas', body)).status, 400, JSON.stringify(body))
    assert.equal((await app.call('POST', '/v3/marcas/bestmatch?make=fiat', { body: '{"Valores":[]}' })).status, 400)
  })

  it('429: it counts as one request for every 10 values, and the next one waits', async () => {
    const small = await startServer({ env: { RATE_PER_SECOND: '1', RATE_BURST: '12' }, nowMs: () => 0 })
    try {
      const caller = await small.newApp()
      const values = (length: number) => ({ Valores: Array.from({ length }, () => ({ make: 'fiat' })) })
      const remaining = async (length: number) => (await post('marcas', values(length), caller)).headers.ratelimit
      assert.equal(await remaining(10), '"app";r=11;t=1')
      assert.equal(await remaining(11), '"app";r=9;t=3')
      assert.equal(await remaining(500), '"app";r=0;t=53')
      const { status, headers } = await post('marcas', values(1), caller)
      assert.deepEqual([status, headers['retry-after']], [429, '42'])
    } finally {
      await small.stop()
    }
  })
})

const REF = 'application/vnd.service.ref+json'

interface Entry {
  Match: { href: string; title: string } | null
  Candidatos: object[]
}

/** A blank or null value is for what may be left out; the others take any text too. */
const anyValue = (name: keyof typeof TEXTS) => {
  const known = fc.constantFrom<string | null>(...TEXTS[name], ...(name === 'trim' ? [null] : []))
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 30 }) })
}

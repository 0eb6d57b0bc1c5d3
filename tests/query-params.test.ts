import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { OPERATIONS, type Operation, type Parameter } from '../fuzz/contract.ts'
import { valid } from '../fuzz/values.ts'
import { ulid } from '../src/ulid.ts'
import { depsOf, makeAgencia } from './support/agencia.ts'
import type { Answer } from './support/caller.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from './support/server.ts'

const ROUTES = OPERATIONS.filter(({ path }) => /^\/(v3|interno)/.test(path))
const CHANGES = ROUTES.filter(({ method }) => /^(POST|PUT|PATCH|DELETE)$/.test(method))
const READS = ROUTES.filter(({ method }) => method === 'GET')
const SOME_ID = ulid(1)
const COLORS = '/v3/colores'

const inQuery = ({ parameters }: Operation): Parameter[] => parameters.filter((each) => each.in === 'query')
const named = ({ json }: Answer): string[] => Object.keys(json?.Errors ?? {}).sort()
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** Changes the case of the first and every third character, so that no declared spelling is hit by chance. */
const otherCase = (name: string): string => [...name].map((char, at) => (at % 3 ? char : swapped(char))).join('')
const swapped = (char: string): string => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())

describe('query parameters', () => {
  let server: TestServer
  let app: TestApp
  let sitio: TestSitio
  let mail: string
  before(async () => {
    server = await startServer()
    app = await server.newApp({ modo: 'prueba' })
    sitio = await server.newSitio()
    mail = (await makeAgencia(depsOf(server), app.app)).mail
  })
  after(() => server.stop())

  const filled = (text: string): string =>
    text
      .replaceAll('«mail»', mail)
      .replaceAll('«today»', '2026-11-01')
      .replace(/«[\w-]+»/g, 'x')

  function ask(operation: Operation, query: string): Promise<Answer> {
    const { method, path, body } = operation
    const values: Record<string, string> = {
      adminMail: mail,
      topic: 'consulta.recibida',
      externalid: 'AB-1',
      sid: SOME_ID,
    }
    const target = path.replace(/\{(\w+)\}/g, (_, name) => {
      return values[name] ?? (path.includes('/entregas/') ? SOME_ID : '1')
    })
    const sent = body ? { body: '{}' } : {} // mostly wrong: parameters are checked first
    return (path.startsWith('/interno') ? sitio : app).call(method, `${target}?${query}`, sent)
  }

  it('400: every change names an unknown parameter, whatever else it was sent', async () => {
    assert.ok(CHANGES.length > 20)
    for (const operation of CHANGES) {
      const answer = await ask(operation, 'desconocido=x&__proto__=1&constructor=&%65xtra=1')
      assert.equal(answer.status, 400, nameOf(operation))
      assert.deepEqual(named(answer), ['__proto__', 'constructor', 'desconocido', 'extra'], nameOf(operation))
    }
  })

  it('400: every change names its own blank parameter, and every route a repeated one in any case', async () => {
    for (const operation of ROUTES)
      for (const { name, schema } of inQuery(operation)) {
        if (CHANGES.includes(operation))
          for (const blank of [`${name}=`, name, `${otherCase(name)}=`])
            assert.deepEqual(named(await ask(operation, blank)), [name], `${nameOf(operation)}?${blank}`)
        const [value = ''] = fc.sample(valid(schema, name), { numRuns: 1, seed: 1 }).map(String)
        const pair = encodeURIComponent(filled(value))
        for (const twice of [`${name}=${pair}&${name}=${pair}`, `${name}=${pair}&${otherCase(name)}=`]) {
          const answer = await ask(operation, twice)
          assert.equal(answer.status, 400, `${nameOf(operation)}?${twice}`)
          assert.ok(named(answer).includes(name), `${nameOf(operation)}?${twice}`)
        }
      }
  })

  it('every read accepts a parameter in any case, and gives links in the spelling of the specification', async () => {
    for (const operation of READS) {
      const params = inQuery(operation)
      const values = params.map(({ name, schema }) => {
        const [value] = fc.sample(valid(schema, name), { numRuns: 1, seed: 2 })
        return encodeURIComponent(filled(String(value)))
      })
      const query = (spell: (name: string) => string) =>
        params.map(({ name }, at) => `${spell(name)}=${values[at]}`).join('&')
      const [asWritten, spelled] = [
        await ask(
          operation,
          query((name) => name),
        ),
        await ask(operation, query(otherCase)),
      ]
      assert.equal(spelled.text, asWritten.text, nameOf(operation))
      assert.equal(spelled.status, asWritten.status)
    }
  })

  it('every read ignores unknown parameters, also repeated, and takes a blank one as absent', async () => {
    for (const operation of READS) {
      const blanks = inQuery(operation).map(({ name }) => `${otherCase(name)}=`)
      const bare = await ask(operation, '')
      const more = await ask(operation, [...blanks, 'desconocido=x', 'otro=1', 'Otro=2', '=x', '&&'].join('&'))
      assert.deepEqual([more.status, more.text], [bare.status, bare.text], nameOf(operation))
    }
  })

  it('200: externalId lists what externalid lists, and not everything', async () => {
    const { json } = await app.get(`/v3/consultas/${mail}?externalId=nada`)
    assert.equal(json._links.self.href, `/v3/consultas/${mail}?externalid=nada`)
  })

  it('200: the answer is the same in any spelling, also from the cache', async () => {
    const answers = []
    for (const query of ['q=gris', 'Q=gris', 'Q=gris', '%51=gris', 'q=gris&Q2=x', 'q=gris'])
      answers.push((await app.get(`${COLORS}?${query}`)).text)
    assert.equal(new Set(answers).size, 1)
    assert.notEqual(answers[0], (await app.get(COLORS)).text)
    assert.deepEqual(named(await app.get(`${COLORS}?q=gris&Q=rojo`)), ['q'])
  })

  it('400: lote with a blank simular does nothing; names without a value are named, and & alone is no parameter', async () => {
    const lote = `/v3/publicaciones/${mail}/lote`
    const body = JSON.stringify([{ ExternalId: 'LOTE-1', Marca: 'Fiat', Modelo: 'Cronos', Activa: false }])
    assert.deepEqual(named(await app.call('POST', `${lote}?simular=`, { body })), ['simular'])
    assert.deepEqual(named(await app.call('POST', `${lote}?=x`, { body })), ['_'])
    assert.equal((await app.get(`/v3/publicaciones/${mail}/LOTE-1`)).status, 404)
    const simulated = await app.call('POST', `${lote}?&SIMULAR=True&&`, { body })
    assert.deepEqual([simulated.status, simulated.json.Simulacion], [200, true])
    assert.equal((await app.get(`/v3/publicaciones/${mail}/LOTE-1`)).status, 404)
  })

  it('204: OPTIONS and HEAD are reads', async () => {
    assert.equal((await app.call('OPTIONS', '/v3/publicaciones/x@agencia.test/lote?simular=&otro=1')).status, 204)
    assert.equal((await app.call('HEAD', `${COLORS}?otro=1&Q=gris`)).status, 200)
  })

  it('400: of thousands of parameters a hundred are named, each shortened', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `p${at}`).join('&')
    const refused = await app.call('DELETE', `/v3/publicaciones/${mail}/nada?${many}`)
    assert.equal(refused.status, 400)
    assert.equal(named(refused).length, 101)
    assert.ok(named(refused).includes('_'))
    const long = await app.call('DELETE', `/v3/publicaciones/${mail}/nada?${'a'.repeat(9_000)}=1`)
    assert.deepEqual(named(long), ['a'.repeat(100)])
    assert.equal((await app.get(`${COLORS}?${many}&q=gris`)).status, 200)
    assert.deepEqual(named(await app.get(`${COLORS}?${'q=a&'.repeat(3000)}`)), ['q'])
  })
})

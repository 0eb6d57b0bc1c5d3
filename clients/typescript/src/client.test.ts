import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { rotateSecret } from '../../../src/apps/secrets.ts'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import {
  type Attempt,
  type Client,
  ConnectionError,
  createClient,
  createSiteClient,
  followEvents,
  idOf,
  type Outcome,
  ProblemError,
  RodadoError,
} from './rodado.ts'

describe('client', () => {
  let server: TestServer
  let app: TestApp
  let rodado: Client

  before(async () => {
    server = await startServer()
    app = await server.newApp()
    rodado = clientOf(app)
  })
  after(() => server.stop())

  const clientOf = ({ app: { appKey }, secret: appSecret }: TestApp, more = {}) =>
    createClient({ baseUrl: server.url, appKey, appSecret, ...more })

  /** An agency of an app, with a listing without a limit for inquiries. */
  async function market(own: TestApp) {
    const { agencia } = await makeAgencia(depsOf(server), own.app)
    const { externalId } = await makePublicacion(server.store, own.app, agencia)
    const { sitioKey } = await server.newSitio()
    const site = createSiteClient({ baseUrl: server.url, sitioKey })
    const { adminMail } = agencia
    async function inquire(): Promise<string> {
      const { location = '' } = await site
        .recibirConsulta({
          AdminMail: adminMail,
          ExternalId: externalId,
          OrigenLead: 'form',
          Interesado: { Nombre: 'Lucía', Email: 'lucia@correo.test' },
        })
        .withResponse()
      return location.split('/').at(-1) ?? ''
    }
    return { adminMail, externalId, site, inquire }
  }

  it('signs requests with and without a body, several in one second', async () => {
    const links = (await rodado.verPuntosDeEntrada())._links
    assert.equal(links.self?.href, '/v3')
    for (const AdminMail of ['uno@agencia.test', 'dos@agencia.test']) {
      const { status, location } = await rodado.invitarAgencia({ AdminMail, Nombre: 'Autos Ñandú' }).withResponse()
      assert.deepEqual([status, location], [202, `/v3/agencias/${AdminMail}`])
    }
    assert.equal((await rodado.verAgencia({ adminMail: 'uno@agencia.test' })).Estado, 'invitada')
  })

  it('returns the entry, the reference or ADF, each with its type', async () => {
    const { adminMail, inquire } = await market(app)
    const at = { adminMail, sid: await inquire() }
    const entry = await rodado.verConsulta(at)
    const ref = await rodado.verConsulta(at, { as: 'ref' })
    const adf: string = await rodado.verConsulta(at, { as: 'adf' })
    assert.equal(entry._links.self?.href, ref.href)
    assert.match(adf, /<adf>/)
  })

  it('throws a refusal with its code, properties and candidates', async () => {
    const error = await rodado.buscarCiudad({ state: 'Buenos Aires', city: 'Xqwzy' }).catch((thrown) => thrown)
    assert(error instanceof ProblemError)
    switch (error.code) {
      case 'solicitud-invalida':
        assert.deepEqual(Object.keys(error.errors), ['city'])
        assert.deepEqual(error.codes, { city: ['sin-coincidencia'] })
        assert.match(error.message, /^400 city: /)
        assert.deepEqual(error.candidatos, error.extensions.Candidatos)
        assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
        break
      default:
        assert.fail(error.message)
    }
  })

  it('says why bestmatch chose an entry, and reads ids from links', async () => {
    const { data, match } = await rodado.buscarMarca({ make: 'vw' }).withResponse()
    assert.equal(match?.rule, 'codename')
    assert((match?.score ?? 0) > 0.5)
    assert.equal((await rodado.verMarca({ id: Number(idOf(data)) })).Nombre, 'Volkswagen')
    assert.equal(idOf('/v3/publicaciones/ana@agencia.test/AB%2F1?x=1'), 'AB/1')
    assert.equal(idOf({ href: '/v3/marcas/3' }), '3')
    assert.throws(() => idOf({ _links: {} }), RodadoError)
    assert.equal((await rodado.verPuntosDeEntrada().withResponse()).match, undefined)
  })

  it('a refusal rejects only where the response is used', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const taken = [
      rodado.verColor({ id: 0 }).withResponse(),
      rodado.listarConsultas({ adminMail: 'nadie@hay.test' }).pages().next(),
      rodado.verColor({ id: 0 }),
    ]
    await Promise.all(taken.map((each) => assert.rejects(each, ProblemError)))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })

  it('returns undefined and 304 if nothing has changed', async () => {
    const { etag = '' } = await rodado.listarColores().withResponse()
    const again = await rodado.listarColores({}, { ifNoneMatch: etag }).withResponse()
    assert.deepEqual([again.status, again.data], [304, undefined])
  })

  it('iterates over every page of a list, entry by entry', async () => {
    const own = await server.newApp()
    const { adminMail, inquire } = await market(own)
    const sids = new Set(await Promise.all(Array.from({ length: 60 }, inquire)))
    const seen: string[] = []
    for await (const consulta of clientOf(own).listarConsultas({ adminMail }))
      seen.push(consulta._links.self?.href.split('/').at(-1) ?? '')
    assert.equal(seen.length, 60)
    assert.deepEqual(new Set(seen), sids)
  })

  it('signs what is sent, whatever characters a path has', async () => {
    const { _entries } = await rodado.request<{ _entries: { Nombre: string }[] }>('GET', '/v3/marcas?q=citroën')
    assert.deepEqual(
      _entries.map(({ Nombre }) => Nombre),
      ['Citroën'],
    )
  })

  it('follows the feed from a stored cursor', async () => {
    const own = await server.newApp()
    const client = clientOf(own)
    const { inquire } = await market(own)
    for (let count = 0; count < 3; count++) await inquire()
    const topics: string[] = []
    let cursor = ''
    for await (const { events, next } of followEvents(client)) {
      topics.push(...events.map(({ Topic }) => Topic))
      cursor = next
      if (topics.filter((topic) => topic === 'consulta.recibida').length === 3) break
    }
    const sid = await inquire()
    for await (const { events } of followEvents(client, { cursor })) {
      assert.deepEqual(
        events.map((event) => event.Topic === 'consulta.recibida' && event.Consulta._links.self?.href.endsWith(sid)),
        [true],
      )
      break
    }
  })

  it('works with tokens, and requests another when one is refused', async () => {
    const own = await server.newApp()
    const paths: string[] = []
    const client = clientOf(own, {
      baseUrl: `${server.url}/`,
      auth: 'bearer',
      fetch: (input: string, init: RequestInit) => {
        paths.push(input.slice(server.url.length))
        return fetch(input, init)
      },
    })
    await Promise.all([client.listarColores(), client.listarMarcas()])
    assert.equal(paths.filter((path) => path === '/oauth/token').length, 1)
    const wrong = clientOf(own, { appSecret: 'no', auth: 'bearer' })
    await assert.rejects(wrong.listarColores(), (error) => error instanceof ProblemError && error.status === 401)
    // Its secret is replaced: the token is refused soon, another is requested, and that is refused too.
    await rotateSecret(server.store, server.seal, own.app.id, true)
    await until(() =>
      client.listarColores().then(
        () => undefined,
        (error) => error,
      ),
    )
    assert(paths.filter((path) => path === '/oauth/token').length > 1)
  })

  it('learns the server’s clock if its own is wrong', async () => {
    const late = clientOf(app, { now: () => Date.now() - 3_600_000 })
    assert((await late.listarColores())._entries.length > 0)
  })

  it('calls the site API with its key', async () => {
    const { adminMail, site } = await market(app)
    const { data, location = '' } = await site
      .recibirConsulta(
        {
          AdminMail: adminMail,
          Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' },
          OrigenLead: 'form',
          Interesado: { Nombre: 'Lucía', Email: 'lucia@correo.test' },
        },
        { idempotencyKey: 'una-vez' },
      )
      .withResponse()
    assert.equal(data._links.self?.href, location)
  })
})

describe('client: network failures', () => {
  const answers: ((request: IncomingMessage, response: ServerResponse) => void)[] = []
  let seen: string[] = []
  let url = ''
  const waits: number[] = []
  /** Each test uses another path, because requests of an earlier test may still arrive. */
  let testNumber = 0
  const failingServer = createServer((request, response) => {
    if (!request.url?.startsWith(`/${testNumber}/`)) return void response.destroy()
    seen.push(`${request.method} ${request.headers.authorization}`)
    const answer = answers.shift()
    if (answer) answer(request, response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"_links":{},"_entries":[]}')
  })
  const status =
    (code: number, headers = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(code, headers).end()
  const cut = ({ socket }: IncomingMessage) => void socket.destroy()
  const client = (more = {}) =>
    createClient({ baseUrl: `${url}/${testNumber}`, appKey: 'a'.repeat(32), appSecret: 's', ...more })

  before(async () => {
    await new Promise<void>((resolve) => failingServer.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(failingServer.address() as AddressInfo).port}`
  })
  after(() => {
    failingServer.close()
    failingServer.closeAllConnections() // a token request may still be open
  })
  const prepare = (...next: typeof answers) => {
    testNumber++
    answers.splice(0, answers.length, ...next)
    seen = []
    waits.length = 0
  }

  it('retries a safe call after a cut connection, 500 and 503, each with a new signature', async () => {
    prepare(cut, status(500), status(503, { 'retry-after': '0' }))
    await client().listarColores()
    assert.equal(seen.length, 4)
    assert.equal(new Set(seen).size, 4)
  })

  it('retries a change only after the server’s own 429, which comes before any work', async () => {
    const ours = (code: number) => (_: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(code, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end('{"Type":"http://rodado.test/problemas/demasiadas-solicitudes"}')
    const invite = (options = {}) => client().request('POST', '/v3/agencias', { body: {}, ...options })
    prepare(ours(429), ours(429), status(202))
    await invite()
    assert.equal(seen.length, 3)
    for (const answer of [cut, status(500), ours(503), status(429, { 'retry-after': '0' })]) {
      prepare(answer)
      await assert.rejects(invite({ idempotencyKey: 'no one reads it here' }))
      assert.equal(seen.length, 1)
    }
  })

  it('retries a request with an Idempotency-Key where the server honours it', async () => {
    const site = () => createSiteClient({ baseUrl: `${url}/${testNumber}`, sitioKey: 'k' })
    const Interesado = { Nombre: 'Lucía', Email: 'lucia@correo.test' }
    prepare(cut, status(503))
    await site().recibirConsulta({ Aviso: 1, OrigenLead: 'form', Interesado }, { idempotencyKey: 'una' })
    assert.equal(seen.length, 3)
    prepare(cut)
    await assert.rejects(site().recibirConsulta({ Aviso: 1, OrigenLead: 'form', Interesado }), ConnectionError)
    assert.equal(seen.length, 1)
  })

  it('retries a truncated response, and reports one that is not JSON', async () => {
    const half = (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"_entries":', () => response.socket?.destroy())
    }
    prepare(half)
    assert.deepEqual((await client().listarColores())._entries, [])
    assert.equal(seen.length, 2)
    prepare(half)
    await assert.rejects(client({ retries: 0 }).listarColores(), ConnectionError)
    prepare((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'))
    await assert.rejects(
      client().listarColores(),
      (error) => error instanceof RodadoError && /is not/.test(error.message),
    )
  })

  it('names an address where a website answers instead of the API', async () => {
    const website =
      (code: number, headers = {}) =>
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>')
    prepare(website(200))
    const address = `${url}/${testNumber}/v3/colores`
    await assert.rejects(
      client().listarColores(),
      (error) => error instanceof RodadoError && error.message.startsWith(`${address} answers text/html`),
    )
    prepare(website(200))
    assert.equal(await client().request('GET', '/guia', { headers: { accept: 'text/html' } }), '<html>')
    prepare(website(301, { location: 'https://otra.test/' }))
    await assert.rejects(
      client().listarColores(),
      /^ProblemError: 301 .*\/v3\/colores, moved to https:\/\/otra\.test\//,
    )
  })

  it('forgets a refused request for a token, also for one that has expired', async () => {
    const token = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"t","expires_in":3600}')
    const page = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"_links":{},"_entries":[]}')
    let now = 0
    prepare(token, page, status(503), token, page)
    const rodado = client({ auth: 'bearer', retries: 0, now: () => now })
    await rodado.listarColores()
    now += 7_200_000
    await assert.rejects(rodado.listarColores(), /^ProblemError: 503/)
    await rodado.listarColores()
    assert.equal(seen.length, 5)
  })

  it('waits for a token no longer than for any response, and stops with its call', async () => {
    prepare(() => undefined)
    await assert.rejects(
      client({ auth: 'bearer', timeoutMs: 30, retries: 0 }).listarColores(),
      /no answer within 30 ms/,
    )
    const ended = new AbortController()
    prepare(() => ended.abort())
    await assert.rejects(client({ auth: 'bearer' }).listarColores({}, { signal: ended.signal }), /ended by its signal/)
    prepare((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
    })
    await assert.rejects(
      client({ auth: 'bearer' }).listarColores(),
      (error) => error instanceof ProblemError && error.code === 'invalid_client',
    )
  })

  it('reports missing arguments before anything is sent', async () => {
    prepare()
    assert.throws(() => createClient({ baseUrl: url, appKey: 'a', appSecret: '' }), /appSecret/)
    assert.throws(() => client().request('GET', 'no address'), RodadoError)
    assert.throws(() => client().verAgencia({} as { adminMail: string }), /adminMail is needed/)
    assert.throws(() => client().verPublicacion({ adminMail: 'a@b.test', externalid: '..' }), /no part of an address/)
    assert.equal(seen.length, 0)
  })

  it('refuses an address that is not a server’s', () => {
    for (const baseUrl of [
      '',
      'api.mercado.example',
      'ftp://api.example',
      'https://api.example/?a=1',
      'https://a:b@c.example',
    ])
      assert.throws(() => client({ baseUrl }), /is not a server's address/)
    for (const baseUrl of ['https://api.example/v3', 'https://api.example/puerta/v3/'])
      for (const auth of ['signature', 'bearer'])
        assert.throws(() => client({ baseUrl, auth }), /ends in \/v3: leave that out/)
  })

  it('a call has its own timeout', async () => {
    prepare(() => undefined)
    await assert.rejects(client({ retries: 0 }).listarColores({}, { timeoutMs: 20 }), /no answer within 20 ms/)
  })

  it('tells of each attempt and its outcome', async () => {
    prepare(status(503, { 'retry-after': '0' }), cut)
    const reported: unknown[] = []
    const onRequest = ({ method, path, number }: Attempt) => reported.push([method, path, number])
    const onResponse = ({ number }: Attempt, { status, error, durationMs }: Outcome) =>
      reported.push([number, status, error?.constructor.name, durationMs >= 0])
    await client({ onRequest, onResponse }).listarColores({ q: 'gris' })
    const path = `/${testNumber}/v3/colores?q=gris`
    assert.deepEqual(reported, [
      ['GET', path, 1],
      [1, 503, 'ProblemError', true],
      ['GET', path, 2],
      [2, undefined, 'ConnectionError', true],
      ['GET', path, 3],
      [3, 200, undefined, true],
    ])
  })

  it('waits for the announced limit until its call ends, unless throttle is false', async () => {
    const exhausted = (_: IncomingMessage, response: ServerResponse) => {
      const headers = { 'ratelimit-policy': '"app";q=1;w=60', ratelimit: '"app";r=0;t=60' }
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end('{}')
    }
    prepare(exhausted)
    const throttled = client()
    await throttled.listarColores()
    const ended = new AbortController()
    const waiting = throttled.listarColores({}, { signal: ended.signal })
    ended.abort()
    await assert.rejects(waiting, /ended by its signal/)
    await assert.rejects(throttled.listarColores({}, { signal: AbortSignal.abort() }), /: The call was ended/)
    assert.equal(seen.length, 1)
    prepare(exhausted)
    const free = client({ throttle: false })
    await free.listarColores()
    await free.listarColores()
    assert.equal(seen.length, 2)
  })

  it('waits no longer than its caller allows', async () => {
    prepare(status(429, { 'retry-after': '3600' }))
    const error = await client({ longestWaitMs: 1000 })
      .listarColores()
      .catch((thrown: unknown) => thrown)
    assert(error instanceof ProblemError)
    assert.equal(error.retryAfterSeconds, 3600)
    assert.equal(seen.length, 1)
  })

  it('stops on its signal, and reports what took too long', async () => {
    const ended = new AbortController()
    prepare(() => ended.abort())
    await assert.rejects(client().listarColores({}, { signal: ended.signal }), /ended by its signal/)
    prepare(() => undefined)
    await assert.rejects(client({ timeoutMs: 20, retries: 0 }).listarColores(), /no answer within 20 ms/)
  })

  it('a proxy’s error page is a problem too', async () => {
    prepare((_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>'))
    await assert.rejects(client().listarColores(), (error) => error instanceof ProblemError && error.status === 404)
    for (const body of ['null', '[]', '{"Type":5}', '{"Type":"x","Errors":{"a":"b"}}', '{"Type":"x","Errors":null}']) {
      prepare((_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end(body))
      await assert.rejects(client().listarColores(), (error) => error instanceof ProblemError && error.status === 404)
    }
  })

  it('reports JSON that is no token and no page of the feed, and does not begin the feed anew', async () => {
    const json = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"_entries":[]}')
    prepare(json)
    await assert.rejects(client({ auth: 'bearer', retries: 0 }).listarColores(), /answers no token/)
    prepare(json)
    await assert.rejects(followEvents(client(), { cursor: 'x' }).next(), /no next cursor/)
  })
})

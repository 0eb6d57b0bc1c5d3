import assert from 'node:assert/strict'
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Type from 'typebox'
import { fault, invalid } from '../src/http/problems.ts'
import { send } from './support/caller.ts'
import { createDatabase } from './support/database.ts'
import { openDatabaseProxy } from './support/database-proxy.ts'
import { noteCodes } from './support/seen-codes.ts'
import { startServer, type TestApp, type TestServer } from './support/server.ts'
import { until } from './support/until.ts'

const REF = 'application/vnd.service.ref+json'
const PROBLEM_MEMBERS = ['Type', 'Title', 'Status', 'Detail', 'Instance', 'Extensions']
const MIB = 1_048_576

describe('conventions of every answer', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer({ env: { SUPPORT_MAIL: 'ayuda@rodado.test' } })
    app = await server.newApp()
  })
  after(() => server.stop())

  describe('negotiation', () => {
    it('200: the Content-Type is the type chosen, and the answer varies by Accept', async () => {
      for (const type of ['application/json', 'text/json', 'application/vnd.service.entry+json', REF]) {
        const { status, headers } = await app.get('/v3/colores/9', { accept: type })
        assert.equal(status, 200)
        assert.equal(headers['content-type'], type)
        assert.equal(headers.vary, 'Accept')
      }
      assert.equal((await app.get('/v3/colores/9')).headers['content-type'], 'application/json')
    })

    it('406: a type we do not have, and a ref where no Ref form is listed', async () => {
      for (const [path, accept] of [
        ['/v3/colores', 'text/html'],
        ['/v3', REF],
        ['/v3/colores', 'application/json;q=0'],
      ] as const) {
        const { status, headers, json } = await app.get(path, { accept })
        assert.equal(status, 406)
        assert.match(headers.vary ?? '', /Accept/)
        assert.deepEqual(Object.keys(json), PROBLEM_MEMBERS)
        assert.ok(json.Extensions.Tipos.includes('application/json'))
      }
    })

    it('200: another VENDOR names other types', async () => {
      const other = await startServer({ env: { VENDOR: 'acme', SIGNATURE_PREFIX: 'ACME' } })
      try {
        const caller = await other.newApp()
        const { headers } = await caller.get('/v3/colores/9', { accept: 'application/vnd.acme.ref+json' })
        assert.equal(headers['content-type'], 'application/vnd.acme.ref+json')
      } finally {
        await other.stop()
      }
    })
  })

  describe('problems', () => {
    it('a problem has every member of the specification, in its content type', async () => {
      const { headers, json, status } = await app.get('/v3/colores/77777')
      assert.equal(headers['content-type'], 'application/problem+json')
      assert.deepEqual(json, {
        Type: 'http://rodado.test/problemas/no-existe',
        Title: 'No existe',
        Status: status,
        Detail: 'No existe ese color.',
        Instance: '/v3/colores/77777',
        Extensions: { Codigo: 'no-existe' },
      })
    })

    it('a validation problem has Errors too; Instance is the path without its query', async () => {
      const { json } = await app.get(`/v3/colores?q=${'a'.repeat(101)}`)
      assert.deepEqual(Object.keys(json), ['Errors', ...PROBLEM_MEMBERS])
      assert.equal(json.Instance, '/v3/colores')
    })

    it('400: Codigos has the keys of Errors, and a code for each text', async () => {
      const { json } = await app.call('POST', '/v3/agencias', {
        body: JSON.stringify({ Telefono: 1, Otro: true }),
        headers: { 'content-type': 'application/json' },
      })
      const { Errors, Extensions } = json
      assert.deepEqual(Extensions.Codigos, { AdminMail: ['requerido'], Otro: ['desconocido'], Telefono: ['tipo'] })
      assert.deepEqual(Object.keys(Errors), Object.keys(Extensions.Codigos))
      assert.equal(Extensions.Codigo, undefined)
    })

    it('404: a path that does not exist; 400: one that cannot be decoded', async () => {
      for (const path of ['/v3/nada', '/v3/', '/v3/colores/9/x', `/v3/${'x'.repeat(3000)}`])
        assert.equal((await app.get(path)).status, 404, path)
      for (const path of ['/v3/colores/%zz', '/v3/colores/%00', '/v3/%E0%A4%A']) {
        const { status, json } = await app.get(path)
        assert.equal(status, 400, path)
        assert.deepEqual(Object.keys(json.Errors), ['_'])
      }
      assert.equal((await send(server.url, '/nada')).status, 404)
      assert.equal((await send(server.url, '/%zz')).status, 400)
      for (const query of ['q=%ff', 'q=%zz', 'q=%00'])
        assert.equal((await app.get(`/v3/colores?${query}`)).status, 400, query)
    })

    it('401 and 400: a parameter of any length is refused like any other', async () => {
      const path = `/v3/colores/${'1'.repeat(9000)}`
      assert.equal((await send(server.url, path)).status, 401)
      assert.deepEqual(Object.keys((await app.get(path)).json.Errors), ['id'])
    })

    it('refusals by Node itself have the same shape', async () => {
      const cases: [string, number][] = [
        ['FOO / HTTP/1.1\r\n\r\n', 400],
        [`GET /v3 HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
        ['GET /v3 HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n', 417],
        ['GET /v3 HTTP/1.1\r\nConnection: close\r\n\r\n', 401],
      ]
      for (const [request, expected] of cases) {
        const answer = await overSocket(server.url, request)
        assert.match(answer, new RegExp(`^HTTP/1.1 ${expected} `))
        assert.match(answer, /content-type: application\/problem\+json\r\n/i)
        assert.match(answer, /x-request-id: \S+\r\n/i)
        assert.match(answer, /x-content-type-options: nosniff\r\n/i)
        const body = answer.slice(answer.indexOf('{'))
        assert.equal(JSON.parse(body).Status, expected)
        noteCodes(body)
      }
    })

    it('200 and 400: a refusal by Node itself comes after the answers to earlier requests on the connection', async () => {
      const earlier = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n' // it waits for the database
      for (const [unreadable, expected] of [
        ['FOO / HTTP/1.1\r\n\r\n', '400'],
        [`GET /v3 HTTP/1.1\r\nX: ${'a'.repeat(300_000)}\r\n\r\n`, '431'],
      ]) {
        const answers = await overSocket(server.url, `${earlier}${earlier}${unreadable}`)
        assert.deepEqual(
          [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
          ['200', '200', expected],
        )
      }
    })

    it('408 and 400: a body that is late or has broken chunks is refused, and the connection closes', async () => {
      const node = server.app.server
      const { requestTimeout, headersTimeout } = node
      Object.assign(node, { requestTimeout: 100, headersTimeout: 100 })
      const signed = app.signed('POST', '/v3/agencias', { body: '{}' }) // an unsigned request is refused at once
      const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`)
      const post = `POST /v3/agencias HTTP/1.1\r\nHost: x\r\n${lines.join('')}`
      try {
        const broken = [
          [`${post}Content-Length: 2\r\n\r\n{`, '408'],
          [`${post}X-Slow: `, '408'],
          [`${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, '400'],
        ] as const
        // At once: Node looks for those who are late every few seconds.
        await Promise.all(
          broken.map(async ([text, status]) => {
            const answer = await overSocket(server.url, text)
            assert.equal(answer.slice(9, 12), status, text)
            noteCodes(answer.slice(answer.indexOf('{')))
          }),
        )
      } finally {
        Object.assign(node, { requestTimeout, headersTimeout })
      }
    })

    it('401: a request refused before its body is complete gets no second answer', async () => {
      const refused = 'POST /v3/agencias HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(refused)
      const [first] = await once(socket, 'data')
      assert.match(String(first), /^HTTP\/1.1 401 /)
      socket.write('ZZ\r\n')
      assert.equal(await text(socket), '')
      assert.equal((await overSocket(server.url, `${refused}ZZ\r\n`)).match(/HTTP\/1\.1 \d+/g)?.length, 1)
    })

    it('a client that disconnects before its body is complete does not count as a database failure', async () => {
      const signed = Object.entries(app.signed('POST', '/v3/agencias', { body: '{}' }))
      const lines = signed.map(([name, value]) => `${name}: ${value}\r\n`)
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      const arrived = once(server.app.server, 'request')
      socket.write(`POST /v3/agencias HTTP/1.1\r\nHost: x\r\n${lines.join('')}Content-Length: 2\r\n\r\n{`)
      const [request] = await arrived
      const gone = new Promise((resolve) => request.once('close', resolve))
      socket.destroy()
      await gone
      await app.get('/v3/colores/9') // no answer says that the request has ended
      assert.doesNotMatch(server.logged(), /the database is unavailable/)
    })

    it('200: an absolute URL as the target means its path', async () => {
      const headers = { ...app.signed('GET', '/v3/colores/9'), connection: 'close' }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      assert.match(
        await overSocket(server.url, `GET http://rodado.test/v3/colores/9 HTTP/1.1\r\n${lines.join('')}\r\n`),
        /^HTTP\/1.1 200 /,
      )
    })
  })

  describe('methods', () => {
    it('405: with Allow', async () => {
      for (const [path, allow] of [
        ['/v3', 'GET, HEAD, OPTIONS'],
        ['/v3/colores/9', 'GET, HEAD, OPTIONS'],
      ] as const) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const { status, headers } = await app.call(method, path)
          assert.equal(status, 405)
          assert.equal(headers.allow, allow)
        }
        const options = await app.call('OPTIONS', path)
        assert.equal(options.status, 204)
        assert.equal(options.headers.allow, allow)
      }
    })

    it('405: also for unusual methods and outside /v3; an unknown path stays 404', async () => {
      // CONNECT names an authority, not a path.
      const unusual = METHODS.filter((each) => !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT)$/.test(each))
      for (const method of unusual) {
        const { status, headers } = await app.call(method, '/v3/colores/9')
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], method)
        assert.equal((await app.call(method, '/v3/nada')).status, 404)
        assert.equal((await send(server.url, '/v3/colores/9', { method })).status, 401, method)
        for (const path of [
          '/health/live',
          '/openapi.json',
          '/interno/openapi.json',
          '/docs',
          '/entrar',
          '/oauth/token',
        ])
          assert.equal((await send(server.url, path, { method })).status, 405, `${method} ${path}`)
      }
      for (const path of [
        '/health/live',
        '/health/ready',
        '/openapi.json',
        '/openapi.yaml',
        '/openapi-3.0.json',
        '/interno/openapi.json',
        '/.well-known/api-catalog',
        '/.well-known/jwks.json',
        '/docs',
        '/problemas/conflicto',
      ]) {
        assert.equal((await send(server.url, path, { method: 'HEAD' })).status, 200, path)
        const options = await send(server.url, path, { method: 'OPTIONS' })
        assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'], path)
        assert.equal((await send(server.url, path, { method: 'DELETE' })).status, 405, path)
      }
      const xml = { 'content-type': 'application/xml' }
      for (const method of ['POST', 'QUERY'])
        assert.equal((await send(server.url, '/docs', { method, headers: xml, body: '<a/>' })).status, 405, method)
      assert.equal((await send(server.url, '/nada', { method: 'POST', headers: xml, body: '<a/>' })).status, 404)
      const token = await send(server.url, '/oauth/token')
      assert.deepEqual([token.status, token.headers.allow], [405, 'POST, OPTIONS'])
    })

    it('HEAD: the headers of GET without its body, 304 too', async () => {
      for (const path of ['/v3', '/v3/colores', '/v3/colores/9']) {
        const get = await app.get(path)
        const head = await app.call('HEAD', path)
        assert.equal(head.status, 200)
        assert.equal(head.bytes.length, 0)
        for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control'])
          assert.equal(head.headers[name], get.headers[name])
        const again = await app.call('HEAD', path, { headers: { 'if-none-match': get.headers.etag ?? '' } })
        assert.equal(again.status, 304)
      }
      assert.equal((await app.call('HEAD', '/v3/colores/4000')).status, 404)
    })
  })

  describe('ETag and compression', () => {
    it('compressed forms have their own ETag, any of which is a match', async () => {
      const plain = await app.get('/v3/colores')
      assert.equal(plain.headers['content-encoding'], undefined)
      for (const [coding, open] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await app.get('/v3/colores', { 'accept-encoding': coding })
        assert.equal(packed.headers['content-encoding'], coding)
        assert.equal(packed.headers.etag, plain.headers.etag?.replace(/"$/, `-${coding}"`))
        assert.equal(packed.headers.vary, 'Accept, Accept-Encoding')
        assert.deepEqual(open(packed.bytes), plain.bytes)
        for (const etag of [packed.headers.etag, plain.headers.etag]) {
          const again = await app.get('/v3/colores', { 'accept-encoding': coding, 'if-none-match': etag ?? '' })
          assert.equal(again.status, 304)
          assert.equal(again.headers.etag, packed.headers.etag)
          assert.equal(again.bytes.length, 0)
        }
      }
    })

    it('an answer of up to 1 KiB is sent as it is', async () => {
      const { headers } = await app.get('/v3/colores/9', { 'accept-encoding': 'br' })
      assert.equal(headers['content-encoding'], undefined)
    })

    it('an ETag does not depend on the caller', async () => {
      const other = await server.newApp()
      assert.equal((await other.get('/v3')).headers.etag, (await app.get('/v3')).headers.etag)
    })

    it('200: another ETag is no match; a 304 keeps the headers a cache needs', async () => {
      assert.equal((await app.get('/v3', { 'if-none-match': '"other"' })).status, 200)
      const { headers } = await app.get('/v3', { 'if-none-match': '*' })
      assert.equal(headers['cache-control'], 'private, no-cache')
      assert.match(headers.vary ?? '', /^Accept/)
    })
  })

  it('every answer has its own X-Request-Id', async () => {
    const answers = [
      await app.get('/v3'),
      await app.get('/v3/nada'),
      await send(server.url, '/v3'),
      await send(server.url, '/health/live'),
    ]
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.every((id) => id && id.length >= 16))
  })

  it('every answer has X-Content-Type-Options: nosniff, also a cached one and a 304', async () => {
    const colores = await app.get('/v3/colores')
    for (const { status, headers } of [
      colores,
      await app.get('/v3/colores'),
      await app.get('/v3/colores', { 'if-none-match': colores.headers.etag ?? '' }),
      await app.call('POST', '/v3/agencias', { body: '{}' }),
      await app.call('OPTIONS', '/v3/colores'),
      await app.get('/v3/nada'),
      await send(server.url, '/v3'),
      await send(server.url, '/interno/v1/avisos'),
      await send(server.url, '/oauth/token', { method: 'POST' }),
      await send(server.url, '/.well-known/jwks.json'),
      await send(server.url, '/health/live'),
      await send(server.url, '/openapi.json'),
      await send(server.url, '/nada'),
    ])
      assert.equal(headers['x-content-type-options'], 'nosniff', String(status))
  })

  it('logs one line for each request, with route and app; neither the URL nor its query is logged', async () => {
    await app.get('/v3/colores?q=juan.perez%40example.test')
    const line =
      server
        .logged()
        .split('\n')
        .filter((each) => each.includes('"request"'))
        .at(-1) ?? ''
    const { method, route, status, app: appKey } = JSON.parse(line)
    assert.deepEqual(
      { method, route, status, appKey },
      { method: 'GET', route: '/v3/colores', status: 200, appKey: app.app.appKey },
    )
    assert.ok(!/juan|perez|q=/.test(server.logged()))
  })

  it('measures answers by route', async () => {
    await app.get('/v3/colores/9')
    const text = await server.metrics.metrics()
    assert.match(
      text,
      /rodado_http_request_duration_seconds_count\{method="GET",route="\/v3\/colores\/:id",status="200"\} \d+/,
    )
  })
})

/** The response to these bytes. */
async function overSocket(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

describe('bodies and the order of refusals', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    // A route of the test's own shows what any route with a body does; the specification's own come with later resources.
    server = await startServer({
      routes: (v3) =>
        v3.post(
          '/eco/:id',
          {
            bodyLimit: MIB,
            schema: {
              params: Type.Object({ id: Type.Integer() }),
              body: Type.Object(
                {
                  Nombre: Type.String({ minLength: 1, maxLength: 5 }),
                  Precio: Type.Optional(
                    Type.Union([Type.Object({ Importe: Type.Number() }, { additionalProperties: false }), Type.Null()]),
                  ),
                  Fotos: Type.Optional(Type.Array(Type.String({ format: 'uri' }))),
                  Activo: Type.Optional(Type.Boolean({ default: true })),
                },
                { additionalProperties: false },
              ),
              response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } },
            },
          },
          (request) => {
            if ((request.body as { Nombre: string }).Nombre === 'choca')
              throw invalid({ Nombre: [fault('formato', 'No.')] })
            return request.body
          },
        ),
    })
    app = await server.newApp()
  })
  after(() => server.stop())

  const post = (body: string | Buffer, headers: Record<string, string> = {}, path = '/v3/eco/1') =>
    app.call('POST', path, { body, headers })

  it('200: application/json and text/json, with a charset or a byte order mark; defaults are filled in', async () => {
    for (const type of ['application/json', 'text/json', 'application/json; charset=utf-8', 'TEXT/JSON']) {
      const { status, json } = await post('{"Nombre":"á"}', { 'content-type': type })
      assert.equal(status, 200, type)
      assert.deepEqual(json, { Nombre: 'á', Activo: true })
    }
    assert.equal((await post('\ufeff{"Nombre":"a"}')).status, 200)
  })

  it('415: a body of another type, or of none, or compressed', async () => {
    assert.equal((await post('{"Nombre":"a"}', { 'content-encoding': 'gzip' })).status, 415)
    for (const type of ['text/plain', 'application/xml', 'application/vnd.service.entry+json', 'nonsense', ''])
      assert.equal((await post('{"Nombre":"a"}', { 'content-type': type })).status, 415, type)
  })

  it('400: broken JSON, wrong encoding, NUL, or an empty body', async () => {
    for (const body of [
      '{',
      '{"Nombre":}',
      '[]',
      '"x"',
      'null',
      Buffer.from([0x7b, 0xff, 0x7d]),
      '{"Nombre":"\\u0000"}',
      '',
    ]) {
      const { status, json } = await post(body)
      assert.equal(status, 400, String(body))
      assert.deepEqual(Object.keys(json.Errors), ['_'])
    }
    assert.equal((await post('{"Nombre":"\\\\u00"}')).status, 200, 'a backslash before u0000 is not NUL')
  })

  it('400: JSON nested more than 32 deep, in lists or objects; 32 is accepted', async () => {
    const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)
    const tooDeep = ['El cuerpo puede tener hasta 32 niveles anidados.']
    for (const body of [nested(33), nested(20_000), nested(400_000), '['.repeat(20_000), nested(33, '{"a":', '}')]) {
      const { status, json } = await post(body)
      assert.equal(status, 400)
      assert.deepEqual(json.Errors, { _: tooDeep })
    }
    assert.deepEqual((await post(nested(32))).json.Errors, { _: ['Debe ser un objeto.'] })
    const text = JSON.stringify({ Nombre: `"${'['.repeat(40)}` })
    assert.deepEqual((await post(text)).json.Errors, { Nombre: ['Puede tener hasta 5 caracteres.'] }, 'in a text')
  })

  it('400: every error at once, by member, in Spanish', async () => {
    const { json } = await post(
      '{"Precio":{"Importe":"1","x":1},"Fotos":["https://a.test/1","no"],"Otro":1,"__proto__":1,"Activo":"si"}',
    )
    assert.deepEqual(json.Errors, {
      Nombre: ['Falta este dato.'],
      Otro: ['Este campo no existe.'],
      ['__proto__']: ['Este campo no existe.'],
      'Precio.x': ['Este campo no existe.'],
      'Precio.Importe': ['Debe ser un número.'],
      'Fotos[1]': ['Debe ser una dirección (URI) completa.'],
      Activo: ['Debe ser true o false.'],
    })
    assert.deepEqual((await post('{"Nombre":"demasiado","Precio":3}')).json.Errors, {
      Nombre: ['Puede tener hasta 5 caracteres.'],
      Precio: ['Debe ser un objeto.'],
    })
    assert.deepEqual((await post('{"Nombre":7,"Precio":null}')).json.Errors, { Nombre: ['Debe ser un texto.'] })
  })

  it('413: over 1 MiB, by Content-Length or while reading; exactly 1 MiB is accepted', async () => {
    const big = `{"Nombre":"${'a'.repeat(MIB)}"}`
    assert.equal((await post(big)).status, 413)
    const chunked = await post(big, { 'transfer-encoding': 'chunked' })
    assert.equal(chunked.status, 413)
    const elsewhere = await post(big, { 'transfer-encoding': 'chunked' }, '/v3/nada')
    assert.deepEqual([elsewhere.status, elsewhere.headers.connection], [404, 'close'], 'nobody waits for the rest')
    assert.equal((await post(`${' '.repeat(MIB - 16)}{"Nombre":"a"}`)).status, 200)
  })

  it('refusals come in the order 401, 404/405, 406, 415, 413, 400', async () => {
    const wrong = { accept: 'text/html', 'content-type': 'text/plain' }
    const big = 'x'.repeat(MIB + 1)
    assert.equal((await send(server.url, '/v3/nada', { method: 'POST', headers: wrong, body: big })).status, 401)
    assert.equal((await post(big, wrong, '/v3/nada')).status, 404)
    assert.equal((await post(big, wrong, '/v3/colores')).status, 405)
    assert.equal((await post(big, wrong)).status, 406)
    assert.equal((await post(big, { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await post(big)).status, 413)
    assert.equal((await post('{}', {}, '/v3/eco/x')).status, 400)
    assert.equal((await post('{"Nombre":"choca"}')).status, 400)
  })
})

describe('rate limit', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ env: { RATE_PER_SECOND: '1', RATE_BURST: '5' }, nowMs: () => 0 })
  })
  after(() => server.stop())

  it('429: over the burst, with Retry-After; every answer has the limit and the remainder', async () => {
    const app = await server.newApp()
    const answers = []
    for (let sent = 0; sent < 7; sent++) answers.push(await app.get('/v3'))
    assert.deepEqual(answers.map(({ status }) => status).slice(0, 5), [200, 200, 200, 200, 200])
    const last = answers.at(-1)
    assert.equal(last?.status, 429)
    assert.ok(Number(last?.headers['retry-after']) >= 1)
    assert.equal(last?.headers['ratelimit-policy'], '"app";q=5;w=5')
    assert.match(answers[0]?.headers.ratelimit ?? '', /^"app";r=4;t=1$/)
    assert.equal((await (await server.newApp()).get('/v3')).status, 200, 'another app has its own limit')
  })

  it('304: a conditional request costs nothing', async () => {
    const app = await server.newApp()
    const { headers } = await app.get('/v3')
    for (let sent = 0; sent < 20; sent++)
      assert.equal((await app.get('/v3', { 'if-none-match': headers.etag ?? '' })).status, 304)
  })

  it('429: conditional requests are limited to ten times the limit', async () => {
    const app = await server.newApp()
    const { headers } = await app.get('/v3')
    const statuses = []
    for (let sent = 0; sent < 80; sent++)
      statuses.push((await app.get('/v3', { 'if-none-match': headers.etag ?? '' })).status)
    assert.ok(statuses.includes(429))
  })
})

describe('database unreachable', () => {
  it('503 with Retry-After meanwhile, and ready again without a restart', async () => {
    const database = await createDatabase()
    const proxy = await openDatabaseProxy(database.connection)
    const server = await startServer({ connection: proxy.connection })
    try {
      const app = await server.newApp()
      const ready = async () => (await send(server.url, '/health/ready')).status
      for (const path of ['/health/live', '/health/ready']) {
        const { headers } = await send(server.url, path)
        assert.deepEqual([headers['cache-control'], headers.etag], ['no-store', undefined], path)
      }
      assert.equal(await ready(), 200)
      const checks = { database: 'ok', writes: 'ok', disk: 'ok', clock: 'ok' }
      assert.deepEqual((await send(server.url, '/health/ready')).json, { status: 'ready', checks })

      proxy.cut()
      await until(async () => (await ready()) === 503)
      await until(async () => (await app.get('/v3/colores')).status === 503)
      const away = await app.call('POST', '/v3/colores')
      assert.equal(away.status, 503)
      assert.ok(Number(away.headers['retry-after']) > 0)
      assert.equal(away.json.Title, 'El servicio no está disponible por ahora')
      assert.equal((await send(server.url, '/health/live')).status, 200)

      proxy.restore()
      await until(async () => (await ready()) === 200)
      await until(async () => (await app.get('/v3/colores')).status === 200)
    } finally {
      await server.stop()
      await proxy.close()
      await database.drop()
    }
  })
})

describe('server error', () => {
  it('500: contains only the request id', async () => {
    const server = await startServer({
      routes: (v3) =>
        v3.get(
          '/falla',
          { schema: { response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } } } },
          () => {
            throw new Error('an internal secret')
          },
        ),
    })
    try {
      const app = await server.newApp()
      const { status, text, json, headers } = await app.get('/v3/falla')
      assert.equal(status, 500)
      assert.ok(!text.includes('secret'))
      assert.deepEqual(json.Extensions, { Codigo: 'error-interno', RequestId: headers['x-request-id'] })
      assert.match(server.logged(), /an internal secret/)
    } finally {
      await server.stop()
    }
  })
})

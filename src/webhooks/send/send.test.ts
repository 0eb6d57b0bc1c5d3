import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import fc from 'fast-check'
import { freePort } from '../../../tests/support/free-port.ts'
import { certificate, openReceiver, type Receiver, receiverCa } from '../../../tests/support/receiver.ts'
import { until } from '../../../tests/support/until.ts'
import { readConfig } from '../../config.ts'
import { retryAfterSeconds } from './explain.ts'
import { openSender, type Sender } from './send.ts'

const NOW = new Date('2025-03-04T12:00:00Z')
const BODY = '{"a":1}'
const senders: Sender[] = []

let nowMs = 0
const sender = (ranges: string[] = ['127.0.0.0/8', '::1'], ca?: string, env: Record<string, string> = {}) => {
  const config = readConfig({ PORT: '0', ALLOW_PRIVATE_CALLBACKS: ranges.join(), ...env })
  const made = openSender({ config, clock: () => NOW, nowMs: () => nowMs, ca })
  senders.push(made)
  return made
}
const target = (url: string, headers: string[] = [], appRanges: string[] = []) => ({
  key: url,
  origin: new URL(url).origin,
  path: new URL(url).pathname,
  headers,
  appRanges,
})
const post = (by: Sender, url: string, signal = new AbortController().signal) =>
  by.send(target(url), ['webhook-id', 'x'], BODY, signal)

describe('a call', () => {
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
  })
  afterEach(() => {
    for (const each of senders.splice(0)) each.close()
    receiver.release()
    receiver.received.length = 0
  })
  after(() => receiver.close())

  it('that is answered tells the address, the status and the beginning of the answer', async () => {
    receiver.answer({ status: 202, body: 'gracias' })
    const call = await post(sender(), `${receiver.url}/hook`)
    assert.deepEqual(call, {
      address: '127.0.0.1',
      status: 202,
      answer: 'gracias',
      error: null,
      code: null,
      retryAfterSeconds: undefined,
    })
    const [received] = receiver.received
    assert.deepEqual([received?.path, received?.body, received?.headers['webhook-id']], ['/hook', '{"a":1}', 'x'])
  })

  it('uses one connection after the other call is over, and opens as many as there are at a time', async () => {
    const by = sender()
    const before = receiver.connections()
    for (let turn = 0; turn < 5; turn++) await post(by, receiver.url)
    assert.equal(receiver.connections() - before, 1)
    receiver.answer('hang')
    const calls = [post(by, receiver.url), post(by, receiver.url), post(by, receiver.url)]
    await until(() => receiver.hanging() === 3)
    receiver.release()
    await Promise.all(calls)
    assert.equal(receiver.connections() - before, 3)
  })

  it('is made again at once where the other side had just closed the connection that was kept', async () => {
    const by = sender()
    await post(by, receiver.url)
    const answers = ['reset', 202] as const
    receiver.answer(() => answers[receiver.received.length - 2] ?? 500)
    assert.equal((await post(by, receiver.url)).status, 202)
    assert.equal(receiver.received.length, 3)
  })

  it('that ends after its sender was closed leaves no connection behind', async () => {
    const open = new Set<Socket>()
    let connections = 0
    let due: (() => void) | undefined
    const server = createServer((socket) => {
      const isFirst = ++connections === 1
      open.add(socket.on('close', () => open.delete(socket)))
      const answer = () => socket.write('HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=1\r\n\r\n')
      socket.on('data', () => {
        if (isFirst) answer()
        else due = answer
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const by = sender()
    await post(by, `${url}/first`)
    const last = post(by, `${url}/last`)
    await until(() => due)
    by.close()
    due?.()
    assert.equal((await last).status, 204)
    await until(() => open.size === 0)
    server.close()
  })

  it('is made once where the connection that was kept is lost later, or with a part of the answer', async () => {
    const by = sender()
    await post(by, receiver.url)
    receiver.answer(() => {
      nowMs += 250
      return 'reset'
    })
    const late = await post(by, receiver.url)
    assert.deepEqual([late.status, late.code, receiver.received.length], [null, 'ECONNRESET', 2])

    let calls = 0
    const server = createServer((socket) =>
      socket.on('data', () => {
        calls++
        if (calls === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        else socket.end('HTTP/1.1 2')
      }),
    ).listen(0)
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    assert.equal((await post(by, url)).status, 200)
    const cut = await post(by, url)
    assert.deepEqual([cut.status, cut.code, calls], [null, 'closed', 2])
    server.close()
  })

  it('that is refused says so, in Spanish', async () => {
    for (const [status, words] of [
      [500, 'El receptor respondió 500.'],
      [301, 'El receptor respondió 301: las redirecciones no se siguen.'],
      [410, 'El receptor respondió 410: no quiere recibir más notificaciones.'],
    ] as const) {
      receiver.answer({ status, headers: { location: `${receiver.url}/elsewhere` } })
      const call = await post(sender(), receiver.url)
      assert.deepEqual([call.status, call.error], [status, words])
    }
    assert.ok(receiver.received.every(({ path }) => path === '/'))
  })

  it('keeps 4 KiB of an answer without end, and reads it no further', async () => {
    receiver.answer('endless')
    const call = await post(sender(), receiver.url)
    assert.deepEqual([call.status, call.error, call.answer?.length], [200, null, 4_096])
  })

  it('says that an answer is compressed, instead of its bytes', async () => {
    const headers = { 'content-encoding': 'gzip' }
    receiver.answer({ status: 500, headers, body: '\u001f\u008b' })
    assert.equal(
      (await post(sender(), receiver.url)).answer,
      'El receptor respondió con un cuerpo comprimido (gzip), que no se muestra.',
    )
    receiver.answer({ status: 500, headers: { 'content-encoding': 'Identity' }, body: 'legible' })
    assert.equal((await post(sender(), receiver.url)).answer, 'legible')
  })

  it('keeps an answer in a form that the database takes', async () => {
    receiver.answer({ status: 500, body: `\0a${'ñ'.repeat(4_000)}` })
    const call = await post(sender(), receiver.url)
    assert.equal(call.answer, `\uFFFDa${'ñ'.repeat(2_047)}`)
  })

  it('tells what the receiver asks us to wait', async () => {
    receiver.answer({ status: 429, headers: { 'retry-after': '7' } })
    assert.equal((await post(sender(), receiver.url)).retryAfterSeconds, 7)
    receiver.answer({ status: 503, headers: { 'retry-after': 'Tue, 04 Mar 2025 12:02:00 GMT' } })
    assert.equal((await post(sender(), receiver.url)).retryAfterSeconds, 120)
  })

  it('that gets no answer tells why', async () => {
    const closed = await freePort()
    const failing: [string, RegExp, string, string | null][] = [
      [`http://127.0.0.1:${closed}/`, /rechazó la conexión/, 'ECONNREFUSED', '127.0.0.1'],
      [`http://localhost:${closed}/`, /rechazó la conexión/, 'ECONNREFUSED', '127.0.0.1'],
      ['https://receptor.invalid/', /su nombre no existe/, 'ENOTFOUND', null],
      [receiver.url.replace('http:', 'https:'), /TLS/, 'ERR_SSL_WRONG_VERSION_NUMBER', null],
    ]
    for (const [url, words, code, address] of failing) {
      const call = await post(sender(), url)
      assert.deepEqual([call.status, call.code, call.address], [null, code, address], url)
      assert.match(call.error ?? '', words)
    }
    receiver.answer('reset')
    assert.match((await post(sender(), receiver.url)).error ?? '', /se cortó/)
    receiver.answer('babble')
    assert.match((await post(sender(), receiver.url)).error ?? '', /no es HTTP/)
  })

  it('by TLS takes a certificate that is trusted and no other', async () => {
    const secure = await openReceiver({ tls: true })
    assert.equal((await post(sender(['127.0.0.0/8'], receiverCa()), secure.url)).status, 200)
    const call = await post(sender(), secure.url)
    assert.deepEqual([call.status, call.code, secure.received.length], [null, 'DEPTH_ZERO_SELF_SIGNED_CERT', 1])
    assert.match(call.error ?? '', /autoridad conocida/)
    await secure.close()
  })

  it('by TLS makes one handshake, though the server asks for another', async () => {
    const options = { key: certificate('key'), cert: certificate('cert'), maxVersion: 'TLSv1.2' } as const
    const server = createTlsServer(options)
    const refused = new Promise<Error | null>((resolve) => {
      server.on('secureConnection', (socket) => {
        socket.on('error', resolve)
        socket.once('data', () => socket.renegotiate({}, resolve))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const call = post(sender(undefined, receiverCa()), `https://127.0.0.1:${port}/`)
    assert.equal(((await refused) as NodeJS.ErrnoException | null)?.code, 'ERR_SSL_NO_RENEGOTIATION')
    assert.equal((await call).status, null)
    server.close()
  })

  it('counts as answered once there is a status, though the rest never comes', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nHola')).listen(0)
    const { port } = server.address() as { port: number }
    const { status, answer, error } = await post(sender(), `http://127.0.0.1:${port}/`)
    assert.deepEqual([status, answer, error], [500, 'Hola', 'El receptor respondió 500.'])
    server.close()
  })

  it('that took longer than the connection may rest leaves one that is closed all the same', async () => {
    let [calls, closed] = [0, false]
    const server = createServer((socket) => {
      const answer = () => socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 0\r\n\r\n')
      socket.on('data', () => (++calls === 1 ? answer() : setTimeout(answer, 1_200)))
      socket.on('close', () => {
        closed = true
      })
    }).listen(0)
    const { port } = server.address() as { port: number }
    const by = sender()
    for (const status of [200, 200]) assert.equal((await post(by, `http://127.0.0.1:${port}/`)).status, status)
    assert.equal(closed, false)
    await until(() => closed)
    server.close()
  })

  it('with a header that HTTP does not take is not made', async () => {
    const call = await sender().send(
      target(receiver.url, ['X-Clave', 'a\r\nX-Otra: b']),
      [],
      BODY,
      new AbortController().signal,
    )
    assert.deepEqual([call.status, call.code, receiver.received.length], [null, 'bad-header', 0])
  })

  it('is let go when nobody waits for it any longer', async () => {
    receiver.answer('hang')
    const controller = new AbortController()
    const call = post(sender(), receiver.url, controller.signal)
    await until(() => receiver.hanging() === 1)
    controller.abort()
    assert.equal((await call).code, 'stopped')
    await until(() => receiver.hanging() === 0)
  })

  it('never reaches a closed address, as a literal or under a name', async () => {
    let knocks = 0
    const server = createServer(() => knocks++).listen(0)
    const { port } = server.address() as { port: number }
    const by = sender([])
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0', '169.254.169.254'])
      for (const scheme of ['http', 'https']) {
        const call = await post(by, `${scheme}://${host}:${port}/`)
        assert.deepEqual([call.code, call.address], ['blocked-address', null], host)
      }
    assert.equal(knocks, 0)
    server.close()
  })

  it('under a name that does not exist and under one that leads to a closed address: the same to the partner', async () => {
    const by = sender([])
    const unknown = await post(by, 'https://receptor.invalid/')
    const closed = await post(by, 'https://localhost/')
    assert.deepEqual([unknown.code, closed.code], ['ENOTFOUND', 'blocked-address'], 'the log tells them apart')
    assert.deepEqual({ ...unknown, code: null }, { ...closed, code: null })
  })

  it('never reaches our own PostgreSQL or mail server, by address or by name, whatever is allowed', async () => {
    const { port } = new URL(receiver.url)
    const before = receiver.connections()
    for (const env of [
      { DATABASE_URL: `postgres://localhost:${port}/db`, MASTER_KEY: 'ab'.repeat(32) },
      { SMTP_URL: `smtp://localhost:${port}` },
      { PORT: port },
      { METRICS_PORT: port },
    ])
      for (const host of ['127.0.0.1', 'localhost', '127.0.0.2']) {
        const call = await post(
          sender(['127.0.0.0/8', '::1'], undefined, env as Record<string, string>),
          `http://${host}:${port}/`,
        )
        assert.deepEqual([call.code, call.address], ['blocked-address', null], `${Object.keys(env)} ${host}`)
      }
    assert.equal(receiver.connections(), before)
  })

  it('is not made where the name of our own PostgreSQL, on that port, does not resolve', async () => {
    const { port } = new URL(receiver.url)
    const env = { DATABASE_URL: `postgres://base.invalid:${port}/db`, MASTER_KEY: 'ab'.repeat(32) }
    assert.equal((await post(sender(['127.0.0.0/8'], undefined, env), receiver.url)).code, 'blocked-address')
  })

  it('reaches what was appRanges to its app, and the same address for another app stays closed', async () => {
    const { port } = new URL(receiver.url)
    const by = sender([])
    const appRanges = target(receiver.url, [], [`127.0.0.1:${port}`])
    assert.equal((await by.send({ ...appRanges, key: 'a' }, [], BODY, new AbortController().signal)).status, 200)
    assert.equal(
      (await by.send({ ...target(receiver.url), key: 'b' }, [], BODY, new AbortController().signal)).code,
      'blocked-address',
    )
  })

  it('reaches an opened address under a name', async () => {
    const { port } = new URL(receiver.url)
    assert.equal((await post(sender(), `http://localhost:${port}/`)).address, '127.0.0.1')
  })
})

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nHola\r\n5;a=b\r\n, vos\r\n0\r\nX-Trailer: 1\r\n\r\n`

describe('a response', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const each of senders.splice(0)) each.close()
    for (const each of servers.splice(0)) each.close()
  })

  /** Answers every request with these bytes; with `again`, then sends that over and over until the connection closes. */
  async function answering(bytes: string, { again, end }: { again?: string; end?: boolean } = {}) {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.on('error', () => undefined)
      socket.on('data', () => {
        socket.write(bytes, 'latin1')
        if (end) socket.end()
        const more = () => {
          while (again && !socket.destroyed && socket.write(again, 'latin1'));
        }
        socket.on('drain', more)
        more()
      })
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return { url, connections: () => connections }
  }

  it('ends where its length, its chunks or its status say, and the connection is used again', async () => {
    const whole: [string, number, string | null][] = [
      [`${OK}Content-Length: 4\r\n\r\nHola`, 200, 'Hola'],
      [`${OK}content-length:0\r\n\r\n`, 200, null],
      [CHUNKED, 200, 'Hola, vos'],
      ['HTTP/1.1 204 No Content\r\n\r\n', 204, null],
      ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 1\r\n\r\nx', 202, 'x'],
    ]
    for (const [bytes, status, text] of whole) {
      const { url, connections } = await answering(bytes)
      const by = sender()
      for (let time = 0; time < 2; time++) {
        const call = await post(by, url)
        assert.deepEqual([call.status, call.answer], [status, text], bytes)
      }
      assert.equal(connections(), 1, bytes)
    }
  })

  it('without a length ends with the connection', async () => {
    const { url } = await answering(`${OK}\r\nHola`, { end: true })
    const { status, answer, error } = await post(sender(), url)
    assert.deepEqual([status, answer, error], [200, 'Hola', null])
  })

  it('costs the connection where its end is in doubt', async () => {
    for (const bytes of [
      `${OK}Content-Length: 2\r\n\r\nHola`,
      `${OK}Content-Length: 2\r\n\r\nok${OK}`,
      `${OK}Content-Length: 0\r\nConnection: Keep-Alive, Close\r\n\r\n`,
      'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok',
    ]) {
      const { url, connections } = await answering(bytes)
      const by = sender()
      for (let time = 0; time < 2; time++) {
        const { status } = await post(by, url)
        assert.ok(status === 200 || status === 204, bytes)
      }
      assert.equal(connections(), 2, bytes)
    }
  })

  it('that is not HTTP is no status', async () => {
    for (const bytes of [
      '220 mail.test ESMTP\r\n',
      'HTTP/2 200\r\n\r\n',
      'HTTP/1.1 20 OK\r\n\r\n',
      `${OK}no colon\r\n\r\n`,
      `${OK}Content-Length : 2\r\n\r\n`,
      `${OK}: 2\r\n\r\n`,
      `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      `${OK}Content-Length: -1\r\n\r\n`,
    ]) {
      const { url } = await answering(bytes, { end: true })
      const { status, code } = await post(sender(), url)
      assert.deepEqual([status, code], [null, 'not-http'], bytes)
    }
  })

  it('to another protocol than was asked for is no status', async () => {
    for (const [headers, code] of [
      ['Connection: upgrade\r\nUpgrade: ws\r\n', 'closed'],
      ['', 'not-http'],
    ]) {
      const { url } = await answering(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)
      const sent = await post(sender(), url)
      assert.deepEqual([sent.status, sent.code], [null, code])
    }
  })

  it('is delivered after unrequested interim responses, on one connection', async () => {
    for (const interim of ['100 Continue', '102 Processing', '103 Early Hints\r\nLink: </a>']) {
      const { url, connections } = await answering(`HTTP/1.1 ${interim}\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`)
      const by = sender()
      for (let turn = 0; turn < 2; turn++) {
        const { status, answer, error } = await post(by, url)
        assert.deepEqual([status, answer, error], [200, 'ok', null], interim)
      }
      assert.equal(connections(), 1, interim)
    }
  })

  it('with a header over 16 KiB, or with interim responses without end, is given up', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
    for (const again of ['x'.repeat(1_000), hint]) {
      const { url } = await answering(again === hint ? '' : `${OK}X: `, { again })
      const { status, code } = await post(sender(), url)
      assert.deepEqual([status, code], [null, 'long-headers'])
    }
  })

  it('without end in its chunks or trailers is over where there is more than anybody needs', async () => {
    const begun = `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`
    for (const [before, again] of [
      [`${begun}0\r\n`, `X-Trailer: ${'x'.repeat(900)}\r\n`],
      [begun, `1;a=${'x'.repeat(900)}\r\nx\r\n`],
      [`${begun}1;a=`, 'x'.repeat(900)],
    ] as const) {
      const { url } = await answering(before, { again })
      const { status, answer, error } = await post(sender(), url)
      assert.deepEqual([status, answer?.[0], error], [200, 'x', null])
    }
  })

  it('of any bytes is an outcome, and never a status', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        const { url } = await answering(Buffer.from(bytes).toString('latin1'), { end: true })
        assert.equal((await post(sender(), url)).status, null)
      }),
      { numRuns: 30 },
    )
  })
})

describe('Retry-After', () => {
  it('is a number of seconds or a date, at most a day, and nothing where it is neither', () => {
    const now = NOW.getTime()
    assert.equal(retryAfterSeconds('120', now), 120)
    assert.equal(retryAfterSeconds('999999', now), 86_400)
    assert.equal(retryAfterSeconds('Tue, 04 Mar 2025 11:00:00 GMT', now), 0)
    assert.equal(retryAfterSeconds('Fri, 07 Mar 2025 12:00:00 GMT', now), 86_400)
    for (const inAMinute of [
      'Tue, 04 Mar 2025 12:01:00 GMT',
      'Tuesday, 04-Mar-25 12:01:00 GMT',
      'Tue Mar  4 12:01:00 2025',
    ])
      assert.equal(retryAfterSeconds(inAMinute, now), 60)
    for (const nothing of [undefined, '', 'soon', '-5 minutes', '1.5', '-1', '1e3', '2025-03-04', 'Tue, nothing'])
      assert.equal(retryAfterSeconds(nothing, now), undefined)
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = retryAfterSeconds(text, now)
        assert.ok(seconds === undefined || (seconds >= 0 && seconds <= 86_400))
      }),
    )
  })
})

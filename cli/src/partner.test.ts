import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook, WebhookError } from '@rodado/client'
import { freePort } from '../../tests/support/free-port.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { run } from './run.ts'

const SECRET = 'un secreto de al menos dieciseis'

describe('what partners type', () => {
  let server: TestServer
  let app: TestApp
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.1' } })
    app = await server.newApp()
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  /** A command under way: what it said so far, and the way to end it. */
  function start(...args: string[]) {
    return startIn({}, ...args)
  }
  function startIn(env: Record<string, string>, ...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const said = { out: '', err: '' }
    out.on('data', (chunk) => (said.out += chunk))
    err.on('data', (chunk) => (said.err += chunk))
    const ended = run(args, { out, err, env })
    return { said, ended, leave: () => void out.destroy(new Error('the reader has gone')) }
  }
  const as = (own: TestApp) => ['--app', own.app.appKey, '--secret', own.secret, '--url', server.url]
  const rodado = (...args: string[]) => rodadoIn({}, ...args)
  async function rodadoIn(env: Record<string, string>, ...args: string[]) {
    const { said, ended } = startIn(env, ...args)
    const code = await ended
    return { code, ...said }
  }

  it('call: the same POST twice in a second is two requests', async () => {
    const twice = [1, 2].map(() => rodado('call', 'POST', '/v3/agencias', '--body', '{}', '--json', ...as(app)))
    const answers = (await Promise.all(twice)).map(({ out }) => JSON.parse(out))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400],
    )
  })

  it('call: a path in --url stays before the path that is signed; signs what is sent', async () => {
    const gate = await openReceiver()
    await rodado('call', 'GET', '/v3/marcas?q=ñandú', ...as(app), '--url', `${new URL(gate.url).origin}/puerta/`)
    await gate.close()
    assert.equal(gate.received[0]?.path, '/puerta/v3/marcas?q=%C3%B1and%C3%BA')
    const { code, err } = await rodado('call', 'GET', '/v3/marcas?q=ñandú', ...as(app))
    assert.equal(code, 0, err)
    const elsewhere = await rodado('call', 'GET', '/v3', '--app=x', '--secret=y', '--url=ftp://x.test')
    assert.match(elsewhere.err, /--url must be an http or https address/)
  })

  it('takes who asks and where from the environment, and what is typed before it', async () => {
    const env = { RODADO_URL: server.url, RODADO_APP_KEY: app.app.appKey, RODADO_APP_SECRET: app.secret }
    assert.equal((await rodadoIn(env, 'call', 'GET', '/v3/agencias')).code, 0)
    assert.equal((await rodadoIn(env, 'events')).code, 0)
    assert.match((await rodadoIn(env, 'call', 'GET', '/v3/agencias', '--secret', 'otro')).err, /^401/)
    const { RODADO_APP_KEY: key, ...keyless } = env
    assert.equal((await rodadoIn(keyless, 'call', 'GET', '/v3/agencias', '--app', key)).code, 0)
  })

  it('a secret without its AppKey is refused', async () => {
    for (const [env, ...args] of [
      [{}, '--secret', SECRET],
      [{ RODADO_APP_SECRET: SECRET }],
      [{}, '--app', 'x', '--secret', ''],
    ] as [Record<string, string>, ...string[]][]) {
      const { code, err } = await rodadoIn(env, 'call', 'GET', '/v3', '--url', server.url, ...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(err, /a secret needs the AppKey it belongs to/)
    }
  })

  it('a value that begins with a dash is taken as it is typed; an option that was forgotten is not', async () => {
    assert.match((await rodado('call', 'GET', '/v3', ...as({ ...app, secret: '-otro' }))).err, /^401/)
    const forgotten = await rodado('call', 'GET', '/v3', '--app', app.app.appKey, '--secret', '--json')
    assert.equal(forgotten.code, 2)
    assert.match(forgotten.err, /'--secret' argument is ambiguous/)
  })

  it('says which property was refused, and why', async () => {
    const { code, err } = await rodado('events', '--cursor', 'nada', ...as(app))
    assert.equal(code, 1)
    assert.match(err, /^rodado events: 400 [^\n]+\n {2}http\S+\/v3\/eventos\n {2}cursor: \S/)
  })

  it('listen --topic: is configured, verifies and shows what comes, and leaves nothing behind', async () => {
    const listening = start('listen', '--port', '0', '--topic', 'consulta.recibida,webhook.prueba', ...as(app))
    await until(() => listening.said.err.includes('Listening at'))
    const { code, out } = await rodado('trigger', 'consulta.recibida', ...as(app))
    assert.equal(code, 0, out)
    assert.match(out, /204 +\d+ ms\nDelivered\.\n$/)
    await until(() => listening.said.out.includes('\n'))
    assert.match(listening.said.out, /^✓ 204 {2}consulta\.recibida +\w{26} {2}\S+ {2}Fiat Cronos, nueva {2}\(test\)\n$/)

    const url = /at (\S+);/.exec(listening.said.err)?.[1] ?? ''
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
    await until(() => listening.said.out.includes('✗ 401  no-signature'))
    listening.leave()
    assert.equal(await listening.ended, 0)
    assert.equal((await app.get('/v3/appnotificaciones/consulta.recibida')).status, 404)
  })

  it('listen --forward-to: hands it on as it came, and answers what the program answers', async () => {
    const own = await server.newApp()
    receiver.answer({ status: 503, headers: { 'retry-after': '7200' }, body: 'mañana' })
    const listening = start(
      'listen',
      '--port=0',
      '--topic=webhook.prueba',
      '--json',
      '--forward-to',
      receiver.url,
      ...as(own),
    )
    await until(() => listening.said.err.includes('forwarding'))
    const refused = await rodado('trigger', 'webhook.prueba', '--json', ...as(own))
    assert.equal(refused.code, 1)
    const { Intentos, ProximoIntento } = JSON.parse(refused.out)
    assert.equal(Intentos[0].Status, 503)
    assert.ok(Date.parse(ProximoIntento) - Date.now() > 7_000_000, 'Retry-After comes through')
    const [delivery] = await receiver.waitFor(1)
    await until(() => listening.said.out.includes('\n'))
    assert.deepEqual(
      JSON.parse(listening.said.out.split('\n')[0] as string).event,
      JSON.parse(delivery?.body as string),
    )
    assert.ok(delivery?.headers['webhook-signature'])
    listening.leave()
    await listening.ended
    receiver.release()
  })

  it('listen: takes the place of one that was killed, which does not take it away any more', async () => {
    const own = await server.newApp()
    const begin = async () => {
      const listening = start('listen', '--port=0', '--topic=webhook.prueba', ...as(own))
      await until(() => listening.said.err.includes('Listening at'))
      return listening
    }
    const killed = await begin()
    const next = await begin()
    assert.match(next.said.err, /still pointed to an earlier `rodado listen`/)
    killed.leave()
    assert.equal(await killed.ended, 0)
    assert.equal((await rodado('trigger', 'webhook.prueba', ...as(own))).code, 0)
    next.leave()
    assert.equal(await next.ended, 0)
    assert.equal((await own.get('/v3/appnotificaciones/webhook.prueba')).status, 404)
  })

  it('listen: says what stands in its way', async () => {
    assert.match((await rodado('listen')).err, /--topic configures webhooks, --firma names/)
    assert.match((await rodado('listen', '--topic', 'nada')).err, /The topics are: agencia\.registrada/)
    const forwarding = await rodado('listen', '--firma', SECRET, '--forward-to', 'localhost:8080/x')
    assert.match(forwarding.err, /--forward-to must be an http or https address/)
    const taken = ['--port', String((server.app.server.address() as AddressInfo).port)]
    assert.match((await rodado('listen', ...taken, '--firma', SECRET)).err, /cannot listen on port \d+ \(EADDRINUSE\)/)
    const elsewhere = JSON.stringify({ Callback: receiver.url })
    await app.call('POST', '/v3/appnotificaciones/agencia.registrada', { body: elsewhere })
    const { code, err } = await rodado('listen', '--port=0', '--topic=agencia.registrada', ...as(app))
    assert.equal(code, 1)
    assert.match(err, /agencia\.registrada already has another address/)
  })

  it('trigger: says where there is no webhook', async () => {
    const { code, err } = await rodado('trigger', 'agencia.modificada', ...as(app))
    assert.equal(code, 1)
    assert.match(err, /the app has no webhook for agencia\.modificada/)
  })

  it('events: shows the feed once, goes on from a cursor, and follows it', async () => {
    const own = await server.newApp()
    const body = JSON.stringify({ Callback: receiver.url })
    await own.call('POST', '/v3/appnotificaciones/webhook.prueba', { body })
    const send = () => own.call('POST', '/v3/appnotificaciones/webhook.prueba/prueba')
    // The feed waits for every transaction that is older, also of another test.
    const inFeed = (count: number) => until(async () => (await own.get('/v3/eventos')).json._entries.length === count)
    assert.deepEqual(JSON.parse((await rodado('events', '--json', ...as(own))).out), [])
    await send()
    await inFeed(1)
    const first = await rodado('events', '--json', ...as(own))
    assert.equal(first.code, 0, first.err)
    assert.deepEqual(
      JSON.parse(first.out).map(({ Topic }: { Topic: string }) => Topic),
      ['webhook.prueba'],
    )
    const cursor = /cursor: (\S+)/.exec(first.err)?.[1] as string
    await send()
    await inFeed(2)
    const next = await rodado('events', '--cursor', cursor, ...as(own))
    assert.match(next.out, /^\S+ {2}webhook\.prueba +\w{26} .*\(test\)\n$/)
    assert.equal(JSON.parse((await rodado('events', '--json', ...as(own))).out).length, 2)

    const following = start('events', '--follow', '--topic', 'webhook.prueba', '--json', ...as(own))
    await until(() => following.said.err.includes('Waiting'))
    await until(async () => (await send()) && following.said.out.endsWith('\n')) // it begins with what comes after it asked
    following.leave()
    assert.equal(await following.ended, 0)
    for (const line of following.said.out.trimEnd().split('\n')) assert.equal(JSON.parse(line).Topic, 'webhook.prueba')
  })

  describe('certify', () => {
    const stands: Server[] = []
    after(() => void stands.map((stand) => stand.close()))

    /** A receiver as partners write them, with one thing wrong. */
    async function stand(answer: (verified: () => Promise<unknown>, body: Buffer) => Promise<number>): Promise<string> {
      const listener: RequestListener = async (request, response) => {
        const body = Buffer.concat(await request.toArray())
        response.writeHead(await answer(() => verifyWebhook(request.headers, body, SECRET), body)).end()
      }
      const made = createServer(listener).listen(0, '127.0.0.1')
      stands.push(made)
      await until(() => made.listening)
      return `http://127.0.0.1:${(made.address() as AddressInfo).port}`
    }
    const certify = (url: string) => rodado('certify', '--receiver', url, '--firma', SECRET, '--json')
    const wrongOf = (out: string) =>
      (JSON.parse(out).results as { name: string; right: boolean }[]).flatMap(({ name, right }) =>
        right ? [] : [name],
      )

    it('passes one that does everything right', async () => {
      const url = await stand(async (verified) => {
        try {
          await verified()
          return 204
        } catch (error) {
          return error instanceof WebhookError ? 401 : 500
        }
      })
      const { code, out } = await certify(url)
      assert.deepEqual([code, wrongOf(out)], [0, []])
      assert.match((await rodado('certify', '--receiver', url, '--firma', SECRET)).out, /All 15 passed/)
    })

    it('finds one that verifies nothing', async () => {
      const { code, out } = await certify(await stand(async () => 200))
      assert.equal(code, 1)
      assert.equal(wrongOf(out).length, 5)
    })

    it('finds one that answers 409 to what it has already', async () => {
      const seen = new Set<string>()
      const url = await stand(async (verified, body) => {
        if (
          await verified().then(
            () => false,
            () => true,
          )
        )
          return 401
        const { Id } = JSON.parse(String(body))
        return seen.size === seen.add(Id).size ? 409 : 200
      })
      assert.deepEqual(wrongOf((await certify(url)).out), [
        'a retry is accepted: same id, later time, attempt 2',
        'a retry while the first attempt is still at work is accepted',
        'the same event five times at once is accepted each time',
      ])
    })

    it('finds one that forges a crash of every refusal', async () => {
      const url = await stand((verified) =>
        verified().then(
          () => 200,
          () => 500,
        ),
      )
      assert.equal(wrongOf((await certify(url)).out).length, 5)
    })

    it('says that nobody answers', async () => {
      const nobody = `http://127.0.0.1:${await freePort()}`
      const { code, err } = await rodado('certify', '--receiver', nobody, '--firma', SECRET)
      assert.equal(code, 1)
      assert.match(err, /does not answer \(ECONNREFUSED\)/)
    })

    it('says what it needs', async () => {
      assert.match((await rodado('certify', '--firma', SECRET)).err, /--receiver is needed/)
      assert.match((await rodado('certify', '--receiver', 'http://x.test')).err, /--firma is needed/)
    })
  })
})

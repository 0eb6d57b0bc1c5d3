import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
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
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-partner-'))
    receiver = await openReceiver()
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.1' } })
    app = await server.newApp()
  })
  after(async () => {
    await server.stop()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A command under way: what it said so far, and the way to end it. */
  function start(...args: string[]) {
    return startIn({}, ...args)
  }
  function startIn({ input, ...env }: Record<string, string>, ...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const said = { out: '', err: '' }
    out.on('data', (chunk) => (said.out += chunk))
    err.on('data', (chunk) => (said.err += chunk))
    const ended = run(args, { out, err, env, input: Readable.from([Buffer.from(input ?? '')]) })
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

  it('call: sends the headers and the body it is given, from a file or the input too', async () => {
    const ref = await rodado(
      'call',
      'GET',
      '/v3/colores/9',
      '-H',
      'Accept: application/vnd.service.ref+json',
      ...as(app),
    )
    assert.deepEqual(Object.keys(JSON.parse(ref.out)), ['href', 'title'])
    const etag = /^etag: (.+)$/m.exec(ref.err)?.[1] ?? ''
    const headers = ['-H', 'Accept: application/vnd.service.ref+json', '--header', `If-None-Match: ${etag}`]
    assert.match((await rodado('call', 'GET', '/v3/colores/9', ...headers, ...as(app))).err, /^304/)

    const file = join(folder, 'agencia.json')
    await writeFile(file, '{"Nombre":"Año Ñandú"}')
    for (const body of [`@${file}`, '@-']) {
      const input = await readFile(file, 'utf8')
      const { err, out } = await rodadoIn({ input }, 'call', 'POST', '/v3/agencias', '-d', body, ...as(app))
      assert.match(err, /^400/)
      assert.ok('AdminMail' in JSON.parse(out).Errors, out)
      assert.ok(!('Nombre' in JSON.parse(out).Errors), out)
    }
    const gate = await openReceiver()
    const typed = ['-H', 'content-type: text/plain', '-d', 'hola']
    await rodado('call', 'POST', '/x', ...typed, ...as(app), '--url', gate.url)
    await gate.close()
    assert.deepEqual([gate.received[0]?.headers['content-type'], gate.received[0]?.body], ['text/plain', 'hola'])
  })

  it('2, call: a header that the signature makes, one without a colon, a file that is not there', async () => {
    for (const [args, why] of [
      [['-H', 'Authorization: x'], /-H cannot set Authorization/],
      [['-H', 'X-SVC-Date: x'], /-H cannot set X-SVC-Date/],
      [['-H', 'Accept'], /-H takes "Name: value"/],
      [['-d', '@/no/such/file'], /\/no\/such\/file cannot be read \(ENOENT\)/],
      [['-d', '{}'], /the request cannot be sent: .*GET\/HEAD method cannot have body/],
      [['-H', 'X-Nombre: €'], /the request cannot be sent: .*ByteString/],
    ] as const) {
      const { code, err } = await rodado('call', 'GET', '/v3', ...args, ...as(app))
      assert.equal(code, 2, args.join(' '))
      assert.match(err, why)
    }
  })

  it('errors name the address and what to do', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    for (const args of [['call', 'GET', '/v3'], ['events'], ['trigger', 'webhook.prueba']]) {
      const { code, err } = await rodado(...args, ...as(app), '--url', nobody)
      assert.equal(code, 1)
      assert.ok(err.includes(`${nobody} does not answer (ECONNREFUSED). Nothing listens there`), err)
      assert.match(err, /The address is from --url\./)
    }
    const fromEnvironment = await rodadoIn({ RODADO_URL: nobody }, 'events', '--app', 'a', '--secret', 'b')
    assert.match(fromEnvironment.err, /The address is from RODADO_URL\./)
    const noAddress = await rodadoIn({ RODADO_URL: 'api.mercado.example' }, 'events', '--app', 'a', '--secret', 'b')
    assert.match(noAddress.err, /: RODADO_URL must be an http or https address\./)
    const stranger = await rodado('events', ...as({ ...app, secret: 'otro' }))
    assert.match(stranger.err, /401 .*\n {2}http\S+\/v3\/eventos\n {2}Check --app and --secret/)
    const otherPath = await rodado('events', ...as(app), '--url', `${server.url}/nada`)
    assert.ok(
      otherPath.err.includes(`\n  ${server.url}/nada/v3/eventos\n  Check --url: it is the marketplace's address`),
      otherPath.err,
    )
    const twice = await rodado('events', ...as(app), '--url', `${server.url}/v3/`)
    assert.match(twice.err, /--url ends in \/v3: leave that out/)
    assert.match((await rodado('events', '--app', 'a', '--secret', 'b')).err, /name the marketplace: --url/)
    assert.match((await rodado('events', '--url', nobody)).err, /an app is needed: --app and --secret/)
    assert.match((await rodado('evnets')).err, /there is no command "evnets"\. Did you mean events\?/)
    assert.equal((await rodado('help', 'events')).out, (await rodado('events', '--help')).out)
    assert.match((await rodado('events', '--topik', 'x')).err, /there is no option --topik\. Did you mean --topic\?/)
    assert.match((await rodado('trigger', 'consulta.recibid')).err, /Did you mean consulta\.recibida\?/)
  })

  it('takes who asks and where from the environment, and what is typed before it', async () => {
    const env = { RODADO_URL: server.url, RODADO_APP_KEY: app.app.appKey, RODADO_APP_SECRET: app.secret }
    assert.equal((await rodadoIn(env, 'call', 'GET', '/v3/agencias')).code, 0)
    assert.equal((await rodadoIn(env, 'events')).code, 0)
    assert.match((await rodadoIn(env, 'call', 'GET', '/v3/agencias', '--secret', 'otro')).err, /^401/)
    const { RODADO_APP_KEY: key, ...keyless } = env
    assert.equal((await rodadoIn(keyless, 'call', 'GET', '/v3/agencias', '--app', key)).code, 0)
  })

  it('an empty file of a secret is named', async () => {
    const file = join(folder, 'empty')
    await writeFile(file, '\n')
    const { code, err } = await rodadoIn({ RODADO_APP_SECRET_FILE: file }, 'events', '--app', 'x', '--url', server.url)
    assert.equal(code, 2)
    assert.match(err, /RODADO_APP_SECRET_FILE names an empty file/)
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
    assert.match(err, /^rodado events: 400 cursor: [^\n]+\n {2}http\S+\/v3\/eventos\n$/)
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

  it('listen: says what prevents it', async () => {
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

  describe('events --forward-to', () => {
    /** An app with events in its feed. */
    async function withEvents(count: number) {
      const own = await server.newApp()
      await own.call('POST', '/v3/appnotificaciones/webhook.prueba', {
        body: JSON.stringify({ Callback: receiver.url }),
      })
      let sent = 0
      const send = async () => {
        assert.equal((await own.call('POST', '/v3/appnotificaciones/webhook.prueba/prueba')).status, 202)
        sent++
        await until(async () => (await own.get('/v3/eventos')).json._entries.length === sent)
      }
      for (let at = 0; at < count; at++) await send()
      return { own, send }
    }
    const forward = (own: TestApp, target: string, ...more: string[]) =>
      start('events', '--follow', '--forward-to', target, '--firma', SECRET, ...more, ...as(own))

    it('is signed as the webhook is, in order, retried until it is accepted, and continued after a stop', async () => {
      const { own, send } = await withEvents(3)
      const target = await openReceiver()
      let refused = ''
      target.answer(({ id }, turn) => {
        refused ||= id
        return id === refused && turn === 1 ? { status: 503, headers: { 'retry-after': '0' } } : 204
      })
      const file = join(folder, 'cursor.txt')
      const following = forward(own, target.url, '--cursor-file', file)
      const [first, again, second, third] = await target.waitFor(4)
      assert.ok(first && again && second && third)
      assert.deepEqual([first.id, again.headers['webhook-attempt']], [again.id, '2'])
      assert.equal(new Set([first.id, second.id, third.id]).size, 3)
      const feed = (await own.get('/v3/eventos')).json._entries
      assert.deepEqual(
        [first, second, third].map(({ body }) => JSON.parse(body)),
        feed,
      )
      for (const delivery of [first, again, second, third]) {
        assert.equal((await verifyWebhook(delivery.headers, delivery.body, SECRET)).Id, delivery.id)
        assert.equal(delivery.headers['notification-topic'], 'webhook.prueba')
        assert.ok(delivery.headers['notification-signature'])
      }
      assert.match(following.said.err, /answered 503\. Trying again/)
      await until(() => readFile(file, 'utf8').catch(() => ''))
      following.leave()
      assert.equal(await following.ended, 0)

      await send()
      const later = forward(own, target.url, '--cursor-file', file)
      const last = (await target.waitFor(5)).at(-1)
      later.leave()
      await later.ended
      assert.deepEqual(
        JSON.parse(last?.body ?? ''),
        (await own.get('/v3/eventos')).json._entries.at(-1),
        'what came meanwhile, and nothing twice',
      )
      await target.close()
    })

    it('an unreachable receiver is waited for: nothing is skipped', async () => {
      const { own } = await withEvents(2)
      const port = await freePort()
      const file = join(folder, 'unreachable.txt')
      const following = forward(own, `http://127.0.0.1:${port}/hook`, '--cursor-file', file)
      await until(() => following.said.err.includes('does not answer (ECONNREFUSED)'))
      assert.match(following.said.err, /The address is from --forward-to\. Trying again in 1 s/)
      const ids: unknown[] = []
      const late = createServer((request, response) => {
        ids.push(request.headers['webhook-id'])
        response.writeHead(204).end()
      }).listen(port, '127.0.0.1')
      await until(() => ids.length === 2)
      await until(() => following.said.out.split('\n').length === 3)
      following.leave()
      await following.ended
      late.closeAllConnections()
      late.close()
      const feed = (await own.get('/v3/eventos')).json._entries
      assert.deepEqual(
        ids,
        feed.map(({ Id }: { Id: string }) => Id),
      )
    })

    it('stopped while a receiver refuses: the cursor stays before what was not accepted', async () => {
      const { own } = await withEvents(1)
      const target = await openReceiver()
      target.answer(500)
      const following = forward(own, target.url, '--cursor-file', join(folder, 'refused.txt'))
      await target.waitFor(1)
      following.leave()
      assert.equal(await following.ended, 0)
      assert.doesNotMatch(following.said.err, /cursor:/)
      await assert.rejects(readFile(join(folder, 'refused.txt')))
      await target.close()
    })

    it('1: stopped without --follow, because events are missing', async () => {
      const { own } = await withEvents(1)
      const target = await openReceiver()
      target.answer(500)
      const reading = start('events', '--json', '--forward-to', target.url, '--firma', SECRET, ...as(own))
      await target.waitFor(1)
      reading.leave()
      assert.equal(await reading.ended, 1)
      assert.match(reading.said.err, /Interrupted: not all events were read\.\n$/)
      await target.close()
    })

    it('2: without the secret, or with two cursors', async () => {
      const without = await rodado('events', '--forward-to', 'http://x.test', ...as(app))
      assert.deepEqual([without.code, /--forward-to needs --firma/.test(without.err)], [2, true])
      const two = await rodado('events', '--cursor', 'a', '--cursor-file', 'b', ...as(app))
      assert.deepEqual([two.code, /not both/.test(two.err)], [2, true])
    })
  })

  describe('bestmatch', () => {
    const bestmatch = (env: Record<string, string>, ...args: string[]) =>
      rodadoIn(env, 'bestmatch', ...args, ...as(app))

    it('asks the marketplace: one value, JSON, JSON lines', async () => {
      const one = await bestmatch({}, '--kind', 'city', '--state', 'Bs As', 'Temperly')
      assert.equal(one.code, 0, one.err)
      assert.match(one.out, /^Temperley\b.*, id \d+\nrule=similar, score=0\.\d+\n$/)
      const none = await bestmatch({}, '--kind', 'city', '--state', 'Mendoza', '--json', 'Villa')
      const { id, parameter, candidates } = JSON.parse(none.out)
      assert.deepEqual([none.code, id, parameter, candidates.length > 0], [1, null, 'city', true])
      const input = '{"id":"a","make":"VW","model":"gol trend"}\n{"id":"b","make":"VW","model":"zzz"}\n'
      const lines = (await bestmatch({ input }, '--kind', 'model', '--stdin')).out.trim().split('\n')
      assert.deepEqual(
        lines.map((line) => [JSON.parse(line).id, JSON.parse(line).rule === null]),
        [
          ['a', false],
          ['b', true],
        ],
      )
    })

    it('CSV: keeps rows, columns and delimiter, and adds match, score and alternatives', async () => {
      const input = 'ref;Localidad;Provincia\n1;Temperly;Bs As\n2;"Villa; la";Mendoza\n\n3;Godoy Crus;Mendoza\n'
      const columns = ['--columns', 'city=Localidad,state=Provincia']
      const { code, out, err } = await bestmatch({ input }, '--kind', 'city', '--csv', '-', ...columns)
      assert.equal(code, 0, err)
      assert.match(err, /3 rows: 2 matched, 1 not\./)
      const [heading, first, second, third] = out.split('\n')
      assert.equal(
        heading,
        'ref;Localidad;Provincia;match_id;match_name;match_score;match_rule;match_reason;match_alternatives',
      )
      assert.match(first ?? '', /^1;Temperly;Bs As;\d+;Temperley[^;]*;0\.\d\d;similar;;$/)
      assert.match(second ?? '', /^2;"Villa; la";Mendoza;;;;;/)
      assert.match(third ?? '', /^3;Godoy Crus;Mendoza;\d+;Godoy Cruz/)
      const single = await bestmatch({ input: 'make\nFiat\n' }, '--kind', 'make', '--csv', '-')
      assert.match(single.err, /^1 row: 1 matched, 0 not\./m)
      const again = await bestmatch({ input: out }, '--kind', 'city', '--csv', '-', ...columns)
      assert.equal(again.out, out, 'its own columns are replaced')
    })

    it('CSV: more rows than one request takes, and rows that the API refuses, each in its place', async () => {
      const rows = Array.from({ length: 1_001 }, (_, at) => (at % 250 === 7 ? `${at},` : `${at},Fiat`))
      const input = `n,make\n${rows.join('\n')}\n`
      const { code, out, err } = await bestmatch({ input }, '--kind', 'make', '--csv', '-')
      assert.equal(code, 0, err)
      assert.match(err, /1001 rows: 997 matched, 4 not\./)
      const lines = out.trimEnd().split('\n').slice(1)
      assert.equal(lines.length, rows.length)
      for (const [at, line] of lines.entries())
        assert.match(line, at % 250 === 7 ? new RegExp(`^${at},,,,,,\\S`) : new RegExp(`^${at},Fiat,\\d+,Fiat,1\\.00,`))
    })

    it('CSV: what Excel writes on Windows, with a fixed make', async () => {
      const file = join(folder, 'modelos.csv')
      await writeFile(file, Buffer.from('model,a\u00f1o\r\nGol Trend,2019\r\n', 'latin1'))
      const { out } = await bestmatch({}, '--kind', 'model', '--make', 'VW', '--csv', file)
      assert.match(out, /^\uFEFFmodel,año,match_id.*\nGol Trend,2019,\d+,/)
    })

    it('2, CSV: a column that is not there, a row that is too long, an open quote', async () => {
      for (const [input, args, why] of [
        ['a,b\n1,2\n', [], /no column is called city: say which with --columns city=NAME\. There are: a, b/],
        ['city\nx\n', ['--columns', 'city=ciy'], /there is no column ciy\. .*There are: city/],
        ['city\nx\n', ['--columns', 'cty=city'], /there is no parameter cty\. Did you mean city\?/],
        ['city,b\n1,2,3\n', [], /row 2 has more values/],
        ['city,b\n"x,2\n', [], /row \d is not CSV/],
      ] as const) {
        const { code, err, out } = await bestmatch({ input }, '--kind', 'city', '--csv', '-', ...args)
        assert.deepEqual([code, out], [2, ''], err)
        assert.match(err, why)
      }
    })
  })

  describe('certify', () => {
    const receivers: Server[] = []
    after(() => void receivers.map((each) => each.close()))

    /** A receiver as partners write them, with one thing wrong. */
    async function startReceiver(
      answer: (verified: () => Promise<unknown>, body: Buffer) => Promise<number>,
    ): Promise<string> {
      const listener: RequestListener = async (request, response) => {
        const body = Buffer.concat(await request.toArray())
        response.writeHead(await answer(() => verifyWebhook(request.headers, body, SECRET), body)).end()
      }
      const receiver = createServer(listener).listen(0, '127.0.0.1')
      receivers.push(receiver)
      await until(() => receiver.listening)
      return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    }
    const certify = (url: string) => rodado('certify', '--receiver', url, '--firma', SECRET, '--json')
    const wrongOf = (out: string) =>
      (JSON.parse(out).results as { name: string; right: boolean }[]).flatMap(({ name, right }) =>
        right ? [] : [name],
      )

    it('passes one that does everything right', async () => {
      const url = await startReceiver(async (verified) => {
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
      const { code, out } = await certify(await startReceiver(async () => 200))
      assert.equal(code, 1)
      assert.equal(wrongOf(out).length, 5)
    })

    it('finds one that answers 409 to what it has already', async () => {
      const seen = new Set<string>()
      const url = await startReceiver(async (verified, body) => {
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
      const url = await startReceiver((verified) =>
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

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { REF } from '../../../tests/support/names.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { setTopics } from '../../apps/store.ts'
import { TOPICS, type Topic } from '../../webhooks/topics.ts'

const LIST = '/v3/appnotificaciones'
const CALLBACK = 'https://crm.example/avisos'
const SECRET = '96d0300081d644d3bdceae8fbfc77955'

describe('appnotificaciones', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())
  const at = (topic: string) => `${LIST}/${topic}`
  const send = (method: string, topic: string, body?: object, headers: Record<string, string> = {}) =>
    app.call(method, at(topic), { headers, ...(body && { body: JSON.stringify(body) }) })
  const post = (topic: string, body: object) => send('POST', topic, body)
  const put = (topic: string, body: object, headers = {}) => send('PUT', topic, body, headers)
  const read = (topic: string) => app.get(at(topic))
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()
  const rowOf = async (topic: string) => {
    const [row] = await server.store.query<Record<string, unknown>>(
      sql`select * from webhooks where app_id = ${app.app.id} and topic = ${topic}`,
    )
    return row
  }
  /** A webhook of a new app, so that no test sees another's. */
  const configured = async (topic: Topic = 'consulta.recibida', body: object = {}) => {
    app = await server.newApp()
    const made = await post(topic, { Callback: CALLBACK, Secret: SECRET, ...body })
    assert.equal(made.status, 201, made.text)
    return made
  }
  const withTopics = async (topics: Topic[] | null, expected: number) => {
    await setTopics(server.store, app.app.appKey, topics)
    await until(async () => (await app.get(LIST)).json._entries.length === expected)
  }

  it('200, 201: every answer has the shape that the document promises', async () => {
    const check = await schemaCheck(server)
    check('AppWebhook', (await configured('consulta.recibida', { HeaderCustom02: { Name: 'X-A', Value: 'b' } })).json)
    const { json } = await read('consulta.recibida')
    check('AppWebhook', json)
    check('AppWebhookUpsert', json)
    check('AppWebhooks', (await app.get(LIST)).json)
    check('AppWebhookPrueba', (await send('POST', 'consulta.recibida/prueba')).json)
    check('AppWebhook', (await put('consulta.recibida', json)).json)
  })

  describe('GET /v3/appnotificaciones', () => {
    it('200: every topic, configured or not, with what can be done about it', async () => {
      await configured('consulta.recibida')
      const { json, headers } = await app.get(LIST)
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual(
        json._entries.map(({ Topic }: { Topic: string }) => Topic),
        TOPICS,
      )
      for (const { Topic, Descripcion, Configurado, Webhook, _links } of json._entries) {
        const isConfigured = Topic === 'consulta.recibida'
        assert.ok(Descripcion.length > 10)
        assert.equal(Configurado, isConfigured)
        assert.equal(Webhook?.Topic, isConfigured ? Topic : undefined)
        const offered = isConfigured
          ? ['self', 'editar', 'eliminar', 'prueba', 'entregas', 'reenviar', 'destinos']
          : ['configurar', 'entregas', 'destinos']
        assert.deepEqual(Object.keys(_links), offered)
      }
      assert.deepEqual(json._entries[0]._links.configurar, { href: at('agencia.registrada'), method: 'POST' })
    })

    it('200: only the topics of the app; one withdrawn later stays listed, and only DELETE works on it', async () => {
      await configured('agencia.registrada')
      await withTopics(['consulta.recibida'], 2)
      const [withdrawn, other] = (await app.get(LIST)).json._entries
      assert.deepEqual(
        [withdrawn.Topic, withdrawn.Configurado, withdrawn.Webhook.Callback],
        ['agencia.registrada', true, CALLBACK],
      )
      assert.deepEqual(Object.keys(withdrawn._links), ['eliminar'])
      assert.equal(other.Topic, 'consulta.recibida')

      const upsert = { Callback: CALLBACK }
      assert.equal((await read('agencia.registrada')).status, 404)
      assert.equal((await put('agencia.registrada', upsert)).status, 404)
      assert.equal((await post('agencia.registrada', upsert)).status, 403)
      assert.equal((await send('POST', 'agencia.registrada/prueba')).status, 404)
      assert.equal((await app.get(at('agencia.registrada/entregas'))).status, 404)
      assert.equal((await send('POST', 'agencia.registrada/entregas/reenviar?todo=true')).status, 404)
      assert.equal((await send('DELETE', 'agencia.registrada')).status, 204)
      assert.equal((await app.get(LIST)).json._entries.length, 1)
      assert.equal((await send('DELETE', 'agencia.registrada')).status, 404)
    })

    it('304: nothing changed', async () => {
      await configured()
      const { headers } = await app.get(LIST)
      assert.equal((await app.get(LIST, { 'if-none-match': headers.etag ?? '' })).status, 304)
    })

    it('406: there is no Ref form', async () => {
      await configured()
      for (const path of [LIST, at('consulta.recibida')])
        assert.equal((await app.get(path, { accept: REF })).status, 406)
    })
  })

  describe('POST', () => {
    it('201: a relative Location, the webhook, and a secret of ours that is shown this once', async () => {
      app = await server.newApp()
      const { status, headers, json } = await post('consulta.recibida', { Callback: CALLBACK })
      assert.equal(status, 201)
      assert.equal(headers.location, at('consulta.recibida'))
      assert.equal(headers['cache-control'], 'no-store')
      assert.match(json.Secret, /^whsec_[\w+/]{43}=$/)
      assert.deepEqual(
        { ...json, Secret: undefined, _links: undefined },
        {
          Topic: 'consulta.recibida',
          Callback: CALLBACK,
          Secret: undefined,
          Description: null,
          Activo: true,
          HeaderCustom01: null,
          HeaderCustom02: null,
          HeaderCustom03: null,
          Salud: { Estado: 'sin-entregas', FallasSeguidas: 0, UltimaEntrega: null, UltimoError: null },
          _links: undefined,
        },
      )
      const again = await read('consulta.recibida')
      assert.equal(headers.etag, again.headers.etag, 'it can be edited under If-Match at once')
      assert.equal(again.json.Secret, `********${json.Secret.slice(-4)}`)
      assert.ok(!again.text.includes(json.Secret.slice(0, -4)))
      assert.ok(!server.logged().includes(json.Secret))
    })

    it('201: a secret of the app’s own is not repeated, null means unsigned', async () => {
      assert.equal((await configured()).json.Secret, '********7955')
      assert.equal((await configured('consulta.recibida', { Secret: null })).json.Secret, null)
      assert.equal((await read('consulta.recibida')).json.Secret, null)
    })

    it('201: of the app’s own, SecretEstandar has the form of Standard Webhooks, this once', async () => {
      const standard = `whsec_${Buffer.from(SECRET).toString('base64')}`
      const { json, headers } = await configured()
      assert.deepEqual([json.SecretEstandar, headers['cache-control']], [standard, 'no-store'])
      const list = await app.get(LIST)
      for (const { text } of [await read('consulta.recibida'), list]) assert.ok(!/SecretEstandar|whsec_/.test(text))
      assert.ok(!server.logged().includes(standard))
      const already = `whsec_${Buffer.from('ñandú y otros bytes').toString('base64')}`
      assert.equal((await configured('consulta.recibida', { Secret: already })).json.SecretEstandar, already)
      const accented = (await configured('consulta.recibida', { Secret: 'una señal 🔑 de ñandú' })).json.SecretEstandar
      assert.equal(Buffer.from(accented.slice('whsec_'.length), 'base64').toString(), 'una señal 🔑 de ñandú')
      for (const Secret of [null, undefined])
        assert.ok(!('SecretEstandar' in (await configured('consulta.recibida', { Secret })).json), 'no own Secret')
    })

    it('201: the last four are characters, not halves of them', async () => {
      const { json } = await configured('consulta.recibida', { Secret: '🔑'.repeat(16) })
      assert.equal(json.Secret, `********${'🔑'.repeat(4)}`)
      assert.equal((await put('consulta.recibida', json)).json.Secret, json.Secret)
    })

    it('403: a topic that the app may not use, or that there is not, as ProblemDetails', async () => {
      await configured('agencia.registrada')
      await withTopics(['agencia.registrada'], 1)
      for (const topic of ['consulta.recibida', 'consulta.inventada', '__proto__', 'constructor']) {
        const { status, json } = await post(topic, { Callback: CALLBACK })
        assert.equal(status, 403, topic)
        assert.equal(json.Errors, undefined)
        assert.equal((await read(topic)).status, 404)
      }
    })

    it('403 before what the values mean, 400 before 409', async () => {
      await configured()
      assert.equal((await post('consulta.inventada', { Callback: 'http://crm.example' })).status, 403)
      assert.equal((await post('consulta.recibida', { Callback: 'http://crm.example' })).status, 400)
      assert.equal((await post('consulta.inventada', {})).status, 400)
    })

    it('409: already configured, as ValidationProblemDetails that names PUT', async () => {
      await configured()
      const { status, json } = await post('consulta.recibida', { Callback: CALLBACK })
      assert.equal(status, 409)
      assert.deepEqual(errorsOf(json), ['_'])
      assert.match(json.Detail, /PUT/)
    })

    it('409: of two at the same moment, one is made', async () => {
      app = await server.newApp()
      const both = await Promise.all([1, 2, 3, 4].map(() => post('consulta.recibida', { Callback: CALLBACK })))
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409, 409, 409])
    })

    it('400: what is missing, unknown, of the wrong type or too long is named', async () => {
      app = await server.newApp()
      const faults: [object, string[]][] = [
        [{}, ['Callback']],
        [{ Callback: 'crm.example' }, ['Callback']],
        [{ Callback: `https://crm.example/${'a'.repeat(1010)}` }, ['Callback']],
        [{ Callback: null, Otro: 1 }, ['Callback', 'Otro']],
        [{ Callback: CALLBACK, Secret: 'corto' }, ['Secret']],
        [{ Callback: CALLBACK, Secret: 'a'.repeat(257) }, ['Secret']],
        [{ Callback: CALLBACK, Secret: '********abcd' }, ['Secret']],
        [{ Callback: CALLBACK, Secret: 'whsec_no es base64' }, ['Secret']],
        [{ Callback: CALLBACK, Secret: 'whsec_AAA_AAA_AAA_AAA_' }, ['Secret']],
        [{ Callback: CALLBACK, Description: 'a'.repeat(257) }, ['Description']],
        [{ Callback: CALLBACK, Activo: null }, ['Activo']],
        [{ Callback: CALLBACK, Activo: 'true' }, ['Activo']],
        [{ Callback: CALLBACK, HeaderCustom01: { Name: 'X' } }, ['HeaderCustom01.Value']],
        [{ Callback: CALLBACK, HeaderCustom01: { Name: 'X', Value: 'y', Z: 1 } }, ['HeaderCustom01.Z']],
        [{ Callback: CALLBACK, HeaderCustom03: 'X: y' }, ['HeaderCustom03']],
      ]
      for (const [body, expected] of faults) {
        const { status, json } = await post('consulta.recibida', body)
        assert.equal(status, 400, JSON.stringify(body).slice(0, 80))
        assert.deepEqual(errorsOf(json), expected)
      }
    })

    it('400: http, credentials and private addresses in Callback', async () => {
      app = await server.newApp()
      for (const callback of [
        'http://crm.example/x',
        'ftp://crm.example/x',
        'https:///x',
        'https:crm.example/x',
        'https://ana:clave@crm.example/',
        'https://10.0.0.1/',
        'https://169.254.169.254/latest/meta-data',
        'https://[::1]/',
        'https://[::ffff:192.168.0.1]/',
        'https://0x0a000001/',
      ]) {
        const { status, json } = await post('consulta.recibida', { Callback: callback })
        assert.equal(status, 400, callback)
        assert.deepEqual(errorsOf(json), ['Callback'])
      }
    })

    it('400: headers that HTTP or we own, that break out of their line, or come twice', async () => {
      app = await server.newApp()
      const owned = ['Host', 'content-type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'TE', 'Upgrade']
      const ours = ['User-Agent', 'webhook-id', 'Webhook-Signature', 'Notification-Topic', 'traceparent']
      for (const Name of [...owned, ...ours]) {
        const { status, json } = await post('consulta.recibida', {
          Callback: CALLBACK,
          HeaderCustom02: { Name, Value: 'x' },
        })
        assert.equal(status, 400, Name)
        assert.deepEqual(errorsOf(json), ['HeaderCustom02.Name'])
      }
      for (const Name of ['', 'X Y', 'X:', 'X\r\nY', 'Ñ', 'a'.repeat(65)])
        assert.deepEqual(
          errorsOf(
            (await post('consulta.recibida', { Callback: CALLBACK, HeaderCustom01: { Name, Value: 'x' } })).json,
          ),
          ['HeaderCustom01.Name'],
          Name,
        )
      for (const Value of ['', ' x', 'x\r\nHost: y', 'x\ny', '\u0007', 'ñ', 'a'.repeat(1025)])
        assert.deepEqual(
          errorsOf(
            (await post('consulta.recibida', { Callback: CALLBACK, HeaderCustom01: { Name: 'X', Value } })).json,
          ),
          ['HeaderCustom01.Value'],
          Value,
        )
      const twice = { HeaderCustom01: { Name: 'X-A', Value: '1' }, HeaderCustom03: { Name: 'x-a', Value: '2' } }
      assert.deepEqual(errorsOf((await post('consulta.recibida', { Callback: CALLBACK, ...twice })).json), [
        'HeaderCustom03.Name',
      ])
      assert.equal(
        (
          await post('consulta.recibida', {
            Callback: CALLBACK,
            HeaderCustom01: { Name: 'Authorization', Value: 'Bearer x' },
          })
        ).status,
        201,
      )
    })

    it('400: a topic over 80 characters, keyed topic, with any method', async () => {
      app = await server.newApp()
      const long = 'a'.repeat(81)
      for (const [method, topic] of [
        ['GET', long],
        ['POST', long],
        ['PUT', long],
        ['DELETE', long],
        ['POST', `${long}/prueba`],
        ['GET', `${long}/entregas`],
        ['GET', `${long}/entregas/01JNG3Y4Z5A6B7C8D9E0F1G2H3`],
        ['POST', `${long}/entregas/reenviar`],
      ] as const) {
        const { status, json } = await send(
          method,
          topic,
          /^P/.test(method) && topic === long ? { Callback: CALLBACK } : undefined,
        )
        assert.equal(status, 400, `${method} ${topic}`)
        assert.deepEqual(errorsOf(json), ['topic'])
      }
      assert.equal((await read('a'.repeat(80))).status, 404)
    })

    it('400, 413, 415: a body that is none', async () => {
      app = await server.newApp()
      const call = (body: string, headers = {}) => app.call('POST', at('consulta.recibida'), { body, headers })
      assert.deepEqual(errorsOf((await call('{')).json), ['_'])
      assert.equal((await call('null')).status, 400)
      assert.equal((await call('[]')).status, 400)
      assert.equal((await send('POST', 'consulta.recibida')).status, 400)
      assert.equal((await call('x', { 'content-type': 'text/plain' })).status, 415)
      assert.equal((await call(`"${'a'.repeat(1_048_576)}"`)).status, 413)
    })
  })

  describe('GET of one', () => {
    it('404: never configured, or no such topic', async () => {
      app = await server.newApp()
      for (const topic of ['consulta.recibida', 'nada'])
        for (const method of ['GET', 'DELETE', 'PUT']) {
          const body = method === 'PUT' ? { Callback: CALLBACK } : undefined
          assert.equal((await send(method, topic, body)).status, 404)
        }
    })

    it('404: another app’s webhook is as absent as one that never was', async () => {
      await configured()
      app = await server.newApp()
      assert.equal((await read('consulta.recibida')).status, 404)
      assert.equal((await put('consulta.recibida', { Callback: CALLBACK })).status, 404)
      assert.equal((await send('DELETE', 'consulta.recibida')).status, 404)
      assert.equal(
        (await app.get(LIST)).json._entries.some(({ Configurado }: { Configurado: boolean }) => Configurado),
        false,
      )
    })

    it('304: the ETag covers the configuration, not the health', async () => {
      await configured()
      const { headers } = await read('consulta.recibida')
      await server.store.query(sql`
        update webhooks set failures = 3, last_error = 'El receptor respondió 500.' where app_id = ${app.app.id}`)
      const same = await app.get(at('consulta.recibida'), { 'if-none-match': headers.etag ?? '' })
      assert.deepEqual([same.status, same.headers.etag], [304, headers.etag])
      const failing = await read('consulta.recibida')
      assert.deepEqual([failing.json.Salud.Estado, failing.json.Salud.FallasSeguidas], ['fallando', 3])
      assert.equal(failing.headers.etag, headers.etag)

      await put('consulta.recibida', { Callback: CALLBACK, Description: 'otra' })
      const changed = await app.get(at('consulta.recibida'), { 'if-none-match': headers.etag ?? '' })
      assert.equal(changed.status, 200)
    })

    it('200: Salud says what deliveries have shown', async () => {
      await configured()
      const set = (what: ReturnType<typeof sql>) =>
        server.store.query(sql`update webhooks set ${what} where app_id = ${app.app.id}`)
      await set(sql`last_delivery_at = '2025-03-04T12:00:00Z'`)
      assert.deepEqual((await read('consulta.recibida')).json.Salud, {
        Estado: 'bien',
        FallasSeguidas: 0,
        UltimaEntrega: '2025-03-04T09:00:00.000-03:00',
        UltimoError: null,
      })
      await set(sql`disabled_at = now(), disabled_by = 'fallas', failures = 40`)
      const { json } = await read('consulta.recibida')
      assert.equal(json.Salud.Estado, 'deshabilitado')
      assert.ok(!('prueba' in json._links) && !('reenviar' in json._links), 'nothing is offered that would be refused')
    })
  })

  describe('PUT', () => {
    const headers = {
      HeaderCustom01: { Name: 'Authorization', Value: 'Bearer abc' },
      HeaderCustom03: { Name: 'X-B', Value: '2' },
    }

    it('200: what was read, sent back as it is, changes nothing', async () => {
      await configured('consulta.recibida', { Description: 'CRM', ...headers })
      const [{ json, headers: before }, row] = [await read('consulta.recibida'), await rowOf('consulta.recibida')]
      assert.deepEqual(json.HeaderCustom01, headers.HeaderCustom01)
      assert.equal(json.HeaderCustom02, null)
      const answer = await put('consulta.recibida', json, { 'if-match': before.etag ?? '' })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, json)
      assert.equal(answer.headers.etag, before.etag)
      assert.deepEqual(await rowOf('consulta.recibida'), row)
      const changed = await put('consulta.recibida', { ...json, Description: 'otra' })
      assert.notEqual(changed.headers.etag, before.etag)
      assert.equal(changed.headers.etag, (await read('consulta.recibida')).headers.etag)
    })

    it('200: what is left out becomes null, the secret aside; Activo is true by default', async () => {
      await configured('consulta.recibida', { Description: 'CRM', Activo: false, ...headers })
      const { json } = await put('consulta.recibida', { Callback: 'https://otro.example/' })
      assert.deepEqual(
        [json.Callback, json.Secret, json.Description, json.Activo, json.HeaderCustom01, json.HeaderCustom03],
        ['https://otro.example/', '********7955', null, true, null, null],
      )
      assert.equal((await rowOf('consulta.recibida'))?.sealed_headers, null)
    })

    it('200: secrets and header values are nowhere in the database as they are', async () => {
      await configured('consulta.recibida', headers)
      const [{ everything } = { everything: '' }] = await server.store.query<{ everything: string }>(
        sql`select webhooks::text as everything from webhooks where app_id = ${app.app.id}`,
      )
      for (const hidden of [
        SECRET,
        'Bearer abc',
        Buffer.from(SECRET).toString('hex'),
        Buffer.from('Bearer').toString('hex'),
      ])
        assert.ok(!everything.includes(hidden))
    })

    it('200: a replaced secret stays beside the new one for a day; removed, neither signs', async () => {
      await configured()
      const rotated = await put('consulta.recibida', { Callback: CALLBACK, Secret: 'otro secreto largo' })
      assert.equal(rotated.json.Secret, '********argo')
      const row = await rowOf('consulta.recibida')
      assert.equal(server.seal.open(row?.sealed_secret as Buffer, 'webhook'), 'otro secreto largo')
      assert.equal(server.seal.open(row?.sealed_former_secret as Buffer, 'webhook'), SECRET)
      assert.equal(Number(row?.former_secret_until) - Number(row?.updated_at), 24 * 3_600_000)

      // The same again, in full or masked, is no rotation.
      for (const Secret of ['otro secreto largo', '********argo', undefined])
        assert.equal((await put('consulta.recibida', { Callback: CALLBACK, Secret })).status, 200)
      assert.deepEqual((await rowOf('consulta.recibida'))?.sealed_former_secret, row?.sealed_former_secret)

      const removed = await put('consulta.recibida', { Callback: CALLBACK, Secret: null })
      assert.equal(removed.json.Secret, null)
      const unsigned = await rowOf('consulta.recibida')
      assert.deepEqual(
        [unsigned?.sealed_secret, unsigned?.sealed_former_secret, unsigned?.former_secret_until],
        [null, null, null],
      )
      const first = await put('consulta.recibida', { Callback: CALLBACK, Secret: SECRET })
      assert.equal(first.json.Secret, '********7955')
      assert.equal((await rowOf('consulta.recibida'))?.former_secret_until, null)
    })

    it('200: SecretEstandar comes with a new secret of the app’s own, and is ignored when it is sent', async () => {
      const { json: made } = await configured()
      const Secret = 'otro secreto largo'
      const renewed = await put('consulta.recibida', { ...made, Secret, SecretEstandar: 'whsec_AAAA' })
      const standard = `whsec_${Buffer.from(Secret).toString('base64')}`
      assert.deepEqual([renewed.json.SecretEstandar, renewed.headers['cache-control']], [standard, 'no-store'])
      assert.equal(renewed.headers.etag, (await read('consulta.recibida')).headers.etag)
      const sealed = (await rowOf('consulta.recibida'))?.sealed_secret as Buffer
      assert.equal(server.seal.open(sealed, 'webhook'), Secret)
      for (const same of [{ Secret }, { Secret: '********argo' }, {}, { Secret: null }]) {
        const { status, json } = await put('consulta.recibida', { ...renewed.json, Secret: undefined, ...same })
        assert.deepEqual([status, 'SecretEstandar' in json], [200, false], JSON.stringify(same))
      }
      assert.ok(!server.logged().includes(standard))
    })

    it('400: a masked secret that is not the one configured; nothing is changed', async () => {
      await configured()
      const wrong = await put('consulta.recibida', { Callback: 'https://otro.example/', Secret: '********abcd' })
      assert.equal(wrong.status, 400)
      assert.deepEqual(errorsOf(wrong.json), ['Secret'])
      assert.equal((await read('consulta.recibida')).json.Callback, CALLBACK)
      assert.deepEqual(errorsOf((await put('consulta.recibida', { Callback: 'https://10.1.1.1/' })).json), ['Callback'])
    })

    it('412: changed since it was read; before what the values mean', async () => {
      await configured()
      const etag = (await read('consulta.recibida')).headers.etag ?? ''
      assert.equal(
        (await put('consulta.recibida', { Callback: CALLBACK, Description: 'a' }, { 'if-match': etag })).status,
        200,
      )
      const late = await put('consulta.recibida', { Callback: 'http://x.example' }, { 'if-match': etag })
      assert.equal(late.status, 412)
      const now = (await read('consulta.recibida')).headers.etag ?? ''
      assert.equal((await put('consulta.recibida', { Callback: CALLBACK }, { 'if-match': `W/${now}` })).status, 412)
      assert.equal((await put('consulta.recibida', { Callback: CALLBACK }, { 'if-match': '*' })).status, 200)
      assert.equal((await put('nada', { Callback: CALLBACK }, { 'if-match': '*' })).status, 404)
    })

    it('200 and 412: of two edits of one version, one wins', async () => {
      await configured()
      const etag = (await read('consulta.recibida')).headers.etag ?? ''
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((Description) =>
          put('consulta.recibida', { Callback: CALLBACK, Description }, { 'if-match': etag }),
        ),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412])
    })

    it('200: Activo true on a disabled webhook enables it with a clean record; a new Callback too', async () => {
      const disable = () =>
        server.store.query(sql`
          update webhooks set disabled_at = now(), disabled_by = '410', failures = 9, failing_since = now(), warnings = 2,
            paused_until = now() + interval '1 hour', last_error = 'El receptor respondió 410.' where app_id = ${app.app.id}`)
      const clean = async () => {
        const row = await rowOf('consulta.recibida')
        const { failures, warnings, failing_since, paused_until, last_error, disabled_at, disabled_by } = row ?? {}
        assert.deepEqual([failures, warnings], [0, 0])
        assert.deepEqual(
          [failing_since, paused_until, last_error, disabled_at, disabled_by],
          [null, null, null, null, null],
        )
      }
      await configured()
      await disable()
      await put('consulta.recibida', { Callback: CALLBACK, Activo: false })
      assert.equal((await read('consulta.recibida')).json.Salud.Estado, 'deshabilitado')
      const enabled = await put('consulta.recibida', (await read('consulta.recibida')).json)
      assert.equal(enabled.json.Salud.Estado, 'deshabilitado', 'sent back with Activo false')
      assert.equal((await put('consulta.recibida', { Callback: CALLBACK })).json.Salud.Estado, 'sin-entregas')
      await clean()
      await disable()
      await put('consulta.recibida', { Callback: 'https://otro.example/', Activo: false })
      await clean()
    })

    it('200: switched on again it has a clean record: the days it was off are no days of failing', async () => {
      await configured()
      const fail = () =>
        server.store.query(sql`
          update webhooks set failures = 3, failing_since = now() - interval '6 days' where app_id = ${app.app.id}`)
      await fail()
      await put('consulta.recibida', { Callback: CALLBACK, Description: 'lo mismo' })
      assert.equal((await rowOf('consulta.recibida'))?.failures, 3, 'neither switched nor led elsewhere')
      await put('consulta.recibida', { Callback: CALLBACK, Activo: false })
      const { json } = await put('consulta.recibida', { Callback: CALLBACK })
      assert.deepEqual([json.Salud.Estado, json.Salud.FallasSeguidas], ['sin-entregas', 0])
      assert.equal((await rowOf('consulta.recibida'))?.failing_since, null)
    })
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../../tests/support/agencia.ts'
import { schemaCheck } from '../../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { until } from '../../../../tests/support/until.ts'
import { untilBlocked } from '../../../../tests/support/until-blocked.ts'
import { setTopics } from '../../../apps/store.ts'
import { ulid } from '../../../ulid.ts'
import { type EstadoEntrega, MAX_SCANNED } from '../../../webhooks/delivery-log.ts'
import { buildEvent, insertEvents } from '../../../webhooks/events.ts'
import { resendAll } from '../../../webhooks/resend.ts'
import { discardPending, findWebhook } from '../../../webhooks/store.ts'
import { resendable } from '../../../webhooks/topic-log.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { detach } from '../../agencias/associations.ts'
import { reenvioEntry } from './represent.ts'

const TOPIC = 'consulta.recibida'
const LOG = `/v3/appnotificaciones/${TOPIC}/entregas`
const BODY = JSON.stringify({ Callback: 'https://crm.example/avisos' })

interface Told {
  agenciaId?: number | null
  topic?: Topic
  moment?: Date
  sid?: string
}

describe('entregas', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()
  const idsOf = (json: { _entries: { Id: string }[] }) => json._entries.map(({ Id }) => Id)
  const configure = (topic: Topic = TOPIC, body = BODY) => app.call('POST', `/v3/appnotificaciones/${topic}`, { body })
  const put = (body: object) => app.call('PUT', `/v3/appnotificaciones/${TOPIC}`, { body: JSON.stringify(body) })
  const resend = (query = '') => app.call('POST', `${LOG}/reenviar${query}`)
  const rowOf = async (id: string) =>
    (
      await server.store.query<Record<string, unknown> & { estado: EstadoEntrega }>(sql`
        select *, due_at <= now() + interval '1 second' as due from deliveries where id = ${id}`)
    )[0]
  const settle = (ids: string[], estado: EstadoEntrega) =>
    server.store.query(sql`
      update deliveries set estado = ${estado}, attempts = 3, settled_at = now() where id = any (${ids})`)

  /** Something told to the app, as the acts of the trade do. */
  const tell = async ({ agenciaId = null, topic = TOPIC, moment = new Date(), sid }: Told = {}) => {
    const about = { id: agenciaId, adminMail: 'ana@a.test', href: '/v3/agencias/ana@a.test', title: 'Ana (ana@a.test)' }
    const event = buildEvent({
      appId: app.app.id,
      topic,
      agencia: about,
      moment,
      timeZone: 'UTC',
      ...(sid && { sid }),
    })
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    return event.id
  }
  const fresh = async () => {
    app = await server.newApp()
    assert.equal((await configure()).status, 201)
  }

  it('200, 202: every answer has the shape that the document promises', async () => {
    await fresh()
    const check = await schemaCheck(server)
    const id = await tell()
    await server.store.query(sql`insert into delivery_attempts values
      (${id}, now(), 12, '93.184.216.34', 500, 'uy', 'El receptor respondió 500.'), (${id}, now(), 15000, null, null, null, 'Tardó.')`)
    check('Entregas', (await app.get(LOG)).json)
    check('EntregaDetalle', (await app.get(`${LOG}/${id}`)).json)
    check('EntregasReenvio', (await resend('?todo=true&simular=true')).json)
  })

  describe('prueba', () => {
    const test = (topic: string) => app.call('POST', `/v3/appnotificaciones/${topic}/prueba`)

    it('202: every topic is sent with sample data of its true shape, in log and feed too', async () => {
      app = await server.newApp()
      const document = (await app.get('/openapi.json')).json
      const check = await schemaCheck(server)
      for (const topic of TOPICS) {
        await configure(topic)
        const { status, json, headers } = await test(topic)
        assert.equal(status, 202)
        assert.equal(headers.location, `/v3/appnotificaciones/${topic}/entregas/${json.Id}`)
        assert.equal((await rowOf(json.Id))?.estado, 'pendiente')

        const { Payload } = (await app.get(headers.location ?? '')).json
        assert.deepEqual([Payload.Id, Payload.Topic, Payload.Prueba], [json.Id, topic, true])
        const item = document.webhooks[topic].$ref.split('/').at(-1)
        const { $ref } = document.components.pathItems[item].post.requestBody.content['application/json'].schema
        check($ref.split('/').at(-1), Payload)
        await until(async () => (await app.get('/v3/eventos')).text.includes(json.Id))
      }
    })

    it('202: it is tried at once, whatever the breaker thinks', async () => {
      await fresh()
      await server.store.query(sql`
        update webhooks set paused_until = now() + interval '1 hour' where app_id = ${app.app.id}`)
      const { json } = await test(TOPIC)
      assert.equal((await rowOf(json.Id))?.due, true)
    })

    it('404: never configured; 400: not active, or disabled', async () => {
      app = await server.newApp()
      assert.equal((await test(TOPIC)).status, 404)
      assert.equal((await test('nada')).status, 404)
      await configure(TOPIC, JSON.stringify({ ...JSON.parse(BODY), Activo: false }))
      assert.deepEqual(errorsOf((await test(TOPIC)).json), ['_'])
      await put(JSON.parse(BODY))
      await server.store.query(sql`update webhooks set disabled_at = now() where app_id = ${app.app.id}`)
      assert.equal((await test(TOPIC)).status, 400)
      assert.equal((await app.get('/v3/eventos')).json._entries.length, 0)
    })
  })

  describe('GET', () => {
    it('200: newest first, fifty a page, each once, while next is followed', async () => {
      await fresh()
      const start = Date.parse('2025-03-04T12:00:00Z')
      const ids: string[] = []
      for (let n = 0; n < 120; n++) ids.push(await tell({ moment: new Date(start + n * 1000) }))
      const seen: string[] = []
      let href: string | undefined = LOG
      while (href) {
        const { json, status } = await app.get(href)
        assert.equal(status, 200)
        assert.equal(json._links.self.href, href)
        assert.ok(json._entries.length <= 50)
        seen.push(...idsOf(json))
        if (seen.length === 50) await tell({ moment: new Date(start + 1_000_000) }) // a new one moves no page
        href = json._links.next?.href
      }
      assert.deepEqual(seen, ids.reverse())
    })

    it('200: an entry tells the event, the agency, the attempts and the next one', async () => {
      await fresh()
      const id = await tell({ moment: new Date('2025-03-04T12:00:00Z') })
      await server.store.query(sql`
        insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error) values
          (${id}, '2025-03-04T12:00:05Z', 15000, null, null, null, 'No contestó a tiempo.'),
          (${id}, '2025-03-04T12:00:01Z', 84, '93.184.216.34', 500, '<h1>ups</h1>', 'El receptor respondió 500.')`)
      await server.store.query(sql`update deliveries set due_at = '2025-03-04T12:05:00Z' where id = ${id}`)
      const { json } = await app.get(LOG)
      const [{ _links, ...entry }] = json._entries
      const first = {
        Momento: '2025-03-04T09:00:01.000-03:00',
        DuracionMs: 84,
        Status: 500,
        Error: 'El receptor respondió 500.',
      }
      const second = {
        Momento: '2025-03-04T09:00:05.000-03:00',
        DuracionMs: 15_000,
        Status: null,
        Error: 'No contestó a tiempo.',
      }
      assert.deepEqual(entry, {
        Id: id,
        Evento: id,
        Topic: TOPIC,
        Destino: 1,
        Agencia: { href: '/v3/agencias/ana@a.test', title: 'Ana (ana@a.test)' },
        Estado: 'pendiente',
        Intentos: [first, second],
        ProximoIntento: '2025-03-04T09:05:00.000-03:00',
      })
      assert.deepEqual(_links.reenviar, { href: `${LOG}/reenviar?evento=${id}`, method: 'POST' })

      const detail = (await app.get(_links.self.href)).json
      assert.deepEqual(detail.Intentos, [
        { ...first, Direccion: '93.184.216.34', Respuesta: '<h1>ups</h1>' },
        { ...second, Direccion: null, Respuesta: null },
      ])
      assert.equal(detail.Payload.Id, id)
    })

    it('200: found by state, event, inquiry and period, alone and together', async () => {
      await fresh()
      const sid = ulid(Date.parse('2025-03-02T12:00:00Z'))
      const [first, second, third] = [
        await tell({ moment: new Date('2025-03-02T02:59:59.999Z') }), // still March 1 in Buenos Aires
        await tell({ moment: new Date('2025-03-02T03:00:00Z'), sid }),
        await tell({ moment: new Date('2025-03-03T02:59:59.999Z') }),
      ]
      await settle([second as string], 'fallida')
      await settle([third as string], 'entregada')
      const find = async (query: string) => idsOf((await app.get(`${LOG}?${query}`)).json)
      assert.deepEqual(await find('estado=fallida'), [second])
      assert.deepEqual(await find('estado=entregada,%20fallida'), [third, second])
      assert.deepEqual(await find('estado=descartada'), [])
      assert.deepEqual(await find(`evento=${first}`), [first])
      assert.deepEqual(await find(`sid=${sid}`), [second])
      assert.deepEqual(await find('desde=2025-03-02&hasta=2025-03-02'), [third, second])
      assert.deepEqual(await find('hasta=2025-03-01'), [first])
      assert.deepEqual(await find('desde=2025-03-02T03:00:00.001Z'), [third])
      assert.deepEqual(await find('desde=2025-03-02T00:00:00-03:00&hasta=2025-03-02T03:00:00Z'), [second])
      assert.deepEqual(await find(`sid=${sid}&estado=entregada`), [])
      assert.deepEqual(await find('desde=0001-01-01&hasta=0001-01-01'), [])
      assert.deepEqual(await find('desde=0000-01-01T00:00:00Z&hasta=9999-12-31'), [third, second, first])
      assert.deepEqual(await find('desde=9999-12-31&hasta=9999-12-31'), [])
      const { json } = await app.get(`${LOG}?estado=fallida&sid=${sid}&desde=2025-03-02`)
      assert.equal(json._links.reenviar.href, `${LOG}/reenviar?estado=fallida&sid=${sid}&desde=2025-03-02`)
    })

    it('200: by agency, under its present address or a former one; another’s is an empty list', async () => {
      await fresh()
      const deps = depsOf(server)
      const { mail, agencia } = await makeAgencia(deps, app.app)
      const id = await tell({ agenciaId: agencia.id })
      await tell()
      const find = async (adminMail: string) => idsOf((await app.get(`${LOG}?adminMail=${adminMail}`)).json)
      assert.deepEqual(await find(mail.toUpperCase()), [id])
      await server.store.query(sql`
        insert into agencia_aliases values ('produccion', 'antes@agencia.test', ${agencia.id}, now() + interval '1 day')`)
      assert.deepEqual(await find('antes@agencia.test'), [id])

      const owner = app
      await fresh()
      const foreign = await app.get(`${LOG}?adminMail=${mail}`)
      const absent = await app.get(`${LOG}?adminMail=nadie@agencia.test`)
      assert.equal(foreign.status, 200)
      assert.equal(foreign.text.replaceAll(mail, ''), absent.text.replaceAll('nadie@agencia.test', ''))
      app = owner
    })

    it('200: the end of an association stays in the log, and is found by the address it had', async () => {
      app = await server.newApp()
      await configure('agencia.desasociada')
      await configure(TOPIC)
      const deps = depsOf(server)
      const { mail, agencia, account } = await makeAgencia(deps, app.app)
      await tell({ agenciaId: agencia.id })
      await server.store.transaction((tx) => detach(tx, deps, { app: app.app, agencia, by: 'agencia', account }))
      assert.deepEqual(idsOf((await app.get(LOG)).json), [])
      const log = '/v3/appnotificaciones/agencia.desasociada/entregas'
      assert.equal((await app.get(`${log}?adminMail=${mail}`)).json._entries.length, 1)
      await server.store.query(sql`update agencias set admin_mail = 'nueva@agencia.test' where id = ${agencia.id}`)
      assert.equal(
        (await app.get(`${log}?adminMail=nueva@agencia.test`)).json._entries.length,
        0,
        'what came later is not told',
      )
      assert.equal((await app.get(`${log}?adminMail=${mail}`)).json._entries.length, 1)
    })

    it('200: a rare one is found behind more events than are scanned at a time; a resend counts it', async () => {
      await fresh()
      const rare = [await tell(), await tell()].sort()
      await settle(rare, 'entregada')
      await server.store.query(sql`
        insert into events (id, app_id, topic, payload)
        select '7' || lpad(n::text, 25, '0'), ${app.app.id}, ${TOPIC}, '{}' from generate_series(1, ${MAX_SCANNED + 300}) n`)
      assert.deepEqual(idsOf((await app.get(`${LOG}?estado=entregada`)).json), rare.toReversed())
      assert.deepEqual(idsOf((await app.get(LOG)).json), rare.toReversed())
      assert.deepEqual((await app.get(`${LOG}?destino=5`)).json._entries, [])
      const counted = async (query: string) => (await resend(`?simular=true&${query}`)).json.Cantidad
      assert.equal(await counted('estado=entregada'), 2)
      assert.equal(await counted('todo=true'), MAX_SCANNED + 302)
    })

    it('429: too many scans of one app are refused; one at a time uses a connection', async () => {
      await fresh()
      await tell()
      const paths = [`${LOG}?destino=5`, `${LOG}/reenviar?simular=true&todo=true`, `${LOG}/reenviar?todo=true`]
      for (const path of paths) {
        const method = path.includes('reenviar') ? 'POST' : 'GET'
        let calls: ReturnType<TestApp['call']>[] = []
        await server.store.transaction(async (tx) => {
          await tx.query(sql`lock table events in access exclusive mode`)
          let refused = 0
          calls = Array.from({ length: 25 }, async () => {
            const answer = await app.call(method, path)
            if (answer.status === 429) refused++
            return answer
          })
          await until(() => refused === 4)
          await untilBlocked(server.store)
          const [waiting] = await server.store.query<{ count: number }>(sql`
            select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          assert.equal(waiting?.count, 1, `${path}: one connection`)
        })
        const answers = await Promise.all(calls)
        const refused = answers.find(({ status }) => status === 429)
        assert.deepEqual(
          [refused?.json.Extensions.Codigo, refused?.headers['retry-after']],
          ['solicitudes-en-curso', '5'],
        )
        assert.equal(answers.filter(({ status }) => status === (method === 'GET' ? 200 : 202)).length, 21)
      }
    })

    it('400: filters that cannot be are named; 404: a topic that is not for the app', async () => {
      await fresh()
      const faults: [string, string[]][] = [
        ['estado=rara', ['estado']],
        ['estado=fallida,', ['estado']],
        ['adminMail=ana', ['adminMail']],
        ['evento=1', ['evento']],
        ['sid=corto', ['sid']],
        ['desde=ayer&hasta=2025-02-30', ['desde', 'hasta']],
        ['desde=2025-03-02&hasta=2025-03-01', ['hasta']],
        ['desde=2025-03-02T10:00:00Z&hasta=2025-03-02T09:59:59Z', ['hasta']],
        ['cursor=x', ['cursor']],
      ]
      for (const [query, expected] of faults) {
        const { status, json } = await app.get(`${LOG}?${query}`)
        assert.equal(status, 400, query)
        assert.deepEqual(errorsOf(json), expected)
        if (query.startsWith('cursor')) continue
        assert.equal((await resend(`?${query}`)).status, 400)
      }
      assert.equal((await resend('?simular=quizas')).status, 400)
      assert.equal((await app.get(`${LOG}/reenviar`)).status, 405)
      for (const path of ['nada/entregas', `nada/entregas/${ulid(1)}`])
        assert.equal((await app.get(`/v3/appnotificaciones/${path}`)).status, 404)
      assert.equal((await app.call('POST', '/v3/appnotificaciones/nada/entregas/reenviar?todo=true')).status, 404)
    })

    it('404: a delivery of another app, of another topic, or that never was', async () => {
      await fresh()
      const id = await tell()
      assert.equal((await app.get(`${LOG}/${id}`)).status, 200)
      assert.equal((await app.get(`/v3/appnotificaciones/consulta.modificada/entregas/${id}`)).status, 404)
      assert.equal((await app.get(`${LOG}/${ulid(Date.now())}`)).status, 404)
      await fresh()
      assert.equal((await app.get(`${LOG}/${id}`)).status, 404)
      assert.deepEqual(idsOf((await app.get(`${LOG}?evento=${id}`)).json), [])
      assert.equal((await resend(`?evento=${id}`)).json.Cantidad, 0)
    })
  })

  describe('reenviar', () => {
    it('202: what is settled is due again under its id, its schedule from the beginning', async () => {
      await fresh()
      const ids = [await tell(), await tell(), await tell()]
      await settle(ids, 'fallida')
      const { status, json, headers } = await resend('?estado=fallida')
      assert.equal(status, 202)
      assert.deepEqual([json.Cantidad, json.Simulado], [3, false])
      assert.equal(headers.location, `${LOG}?estado=fallida`)
      for (const id of ids) {
        const row = await rowOf(id)
        assert.deepEqual(
          [row?.estado, row?.attempts, row?.carried, row?.due, row?.settled_at],
          ['pendiente', 0, 3, true, null],
        )
      }
    })

    it('202: simular counts and changes nothing, also where nothing could be sent', async () => {
      await fresh()
      const id = await tell()
      await settle([id], 'entregada')
      const { json } = await resend('?todo=true&simular=true')
      assert.deepEqual([json.Cantidad, json.Simulado], [1, true])
      assert.equal((await rowOf(id))?.estado, 'entregada')
      await put({ ...JSON.parse(BODY), Activo: false })
      assert.equal((await resend('?todo=true&simular=true')).json.Cantidad, 1)
    })

    it('202: what happened without a webhook, or while it was off, is caught up with in one call', async () => {
      app = await server.newApp()
      const before = await tell()
      assert.equal(await rowOf(before), undefined)
      await configure()
      const delivered = await tell()
      await settle([delivered], 'entregada')
      const pending = await tell()
      await put({ ...JSON.parse(BODY), Activo: false })
      const off = await tell()
      for (const id of [pending, off]) assert.equal((await rowOf(id))?.estado, 'descartada')
      assert.equal((await resend('?todo=true')).status, 400)
      await put(JSON.parse(BODY))
      const { json } = await resend('?estado=fallida,descartada&desde=2020-01-01')
      assert.equal(json.Cantidad, 3)
      for (const id of [before, pending, off]) assert.equal((await rowOf(id))?.estado, 'pendiente')
      assert.equal((await rowOf(delivered))?.estado, 'entregada')
      assert.equal((await resend('?estado=fallida')).json.Cantidad, 0)
      assert.equal((await resend('?todo=true')).json.Cantidad, 4)
      const order = await server.store.query<{ id: string }>(sql`
        select id from deliveries where app_id = ${app.app.id} order by due_at`)
      assert.deepEqual(
        order.map(({ id }) => id),
        [before, delivered, pending, off].sort(),
        'oldest first',
      )
    })

    it('202: one that waits is due now; one that is being carried keeps its lease and is tried again if it fails', async () => {
      await fresh()
      const [waiting, held, dead] = [await tell(), await tell(), await tell()]
      await server.store.query(sql`
        update deliveries set attempts = 9, due_at = now() + interval '20 hours' where app_id = ${app.app.id}`)
      await server.store.query(sql`
        update deliveries set lease = 'a', leased_until = now() + interval '45 seconds' where id = ${held}`)
      await server.store.query(sql`
        update deliveries set lease = 'b', leased_until = now() - interval '1 second' where id = ${dead}`)
      assert.equal((await resend('?todo=true')).json.Cantidad, 3)
      const rows = [await rowOf(waiting as string), await rowOf(held as string), await rowOf(dead as string)]
      assert.deepEqual(
        rows.map((row) => [row?.attempts, row?.carried, row?.due]),
        [
          [0, 9, true],
          [0, 9, false],
          [0, 9, true],
        ],
      )
      assert.equal(rows[1]?.lease, 'a')
    })

    it('202: many at once are one statement; two of the same do not stand in each other’s way', async () => {
      await fresh()
      const { id: appId } = app.app
      await server.store.query(sql`
        insert into events (id, app_id, topic, payload)
        select '01JNG3Y4Z5' || lpad(n::text, 16, '0'), ${appId}, ${TOPIC}, '{}' from generate_series(1, 20000) n`)
      const answers = await Promise.all([resend('?todo=true'), resend('?todo=true'), resend('?desde=2025-01-01')])
      assert.deepEqual(
        answers.map(({ json }) => json.Cantidad),
        [20_000, 20_000, 20_000],
      )
      const [counted] = await server.store.query(sql`
        select count(*), count(distinct due_at) as moments from deliveries where app_id = ${appId} and estado = 'pendiente'`)
      assert.deepEqual(counted, { count: 20_000, moments: 20_000 })
    })

    it('202: more than one statement takes are sent by following next', async () => {
      await fresh()
      const ids = [await tell(), await tell(), await tell()].sort()
      const webhook = await findWebhook(server.store, server.seal, { app: app.app, topic: TOPIC })
      assert.ok(webhook)
      const sent = await server.store.transaction((tx) => resendAll(tx, webhook, resendable({ destino: 1 }), 2))
      assert.deepEqual(sent, { count: 2, last: ids[1] })
      const links = reenvioEntry(TOPIC, { estado: 'pendiente' }, sent, false)._links
      assert.deepEqual(links.next, { href: `${LOG}/reenviar?estado=pendiente&cursor=${ids[1]}`, method: 'POST' })
      const rest = await app.call('POST', links.next?.href ?? '')
      assert.deepEqual([rest.json.Cantidad, rest.json._links.next], [1, undefined])
      const all = reenvioEntry(TOPIC, { todo: true }, sent, false)._links
      assert.equal(all.next?.href, `${LOG}/reenviar?todo=true&cursor=${ids[1]}`)
      assert.equal(all.entregas.href, LOG)
      assert.equal((await app.call('POST', all.next?.href ?? '')).json.Cantidad, 1)
    })

    it('400: without a filter or todo=true, with both, or with a blank or mistyped one; nothing is sent again', async () => {
      await fresh()
      const id = await tell()
      await settle([id], 'entregada')
      for (const [query, expected] of [
        ['', ['_']],
        ['?simular=true', ['_']],
        [`?cursor=${ulid(1)}`, ['_']],
        ['?todo=false', ['_']],
        ['?todo=true&estado=fallida', ['todo']],
        ['?todo=', ['todo']],
        ['?todo=quizas', ['todo']],
        ['?evento=', ['evento']],
        ['?evnto=x', ['evnto']],
        ['?estado=entregada&evnto=x', ['evnto']],
        ['?todo=true&evento=&simular', ['evento', 'simular']],
        ['?estado=entregada&Estado=fallida', ['estado']],
      ] as const) {
        const { status, json } = await resend(query)
        assert.deepEqual([status, errorsOf(json)], [400, expected], query)
      }
      assert.equal((await rowOf(id))?.estado, 'entregada')
      assert.equal((await resend('?todo=false&ESTADO=entregada')).json.Cantidad, 1)
      assert.equal((await resend('?Todo=TRUE')).json.Cantidad, 1)
    })

    it('200: the links that are offered name what they send again', async () => {
      await fresh()
      const failed = { href: `${LOG}/reenviar?estado=fallida`, method: 'POST' }
      assert.deepEqual((await app.get(`/v3/appnotificaciones/${TOPIC}`)).json._links.reenviar, failed)
      assert.deepEqual((await app.get(LOG)).json._links.reenviar, failed)
      assert.equal((await app.call('POST', failed.href)).status, 202)
    })

    it('400: no webhook, or one that is off or disabled', async () => {
      app = await server.newApp()
      assert.deepEqual(errorsOf((await resend('?todo=true')).json), ['_'])
      await configure()
      await server.store.query(sql`update webhooks set disabled_at = now() where app_id = ${app.app.id}`)
      assert.deepEqual(errorsOf((await resend('?todo=true')).json), ['_'])
      const { json } = await app.get(LOG)
      assert.ok(!('reenviar' in json._links))
    })

    it('400: filters in the body are named, and nothing is sent again; an empty body is none', async () => {
      await fresh()
      const id = await tell()
      await settle([id], 'entregada')
      const inBody = await app.call('POST', `${LOG}/reenviar`, { body: '{"estado":"fallida","desde":"2025-03-04"}' })
      assert.deepEqual([inBody.status, errorsOf(inBody.json)], [400, ['desde', 'estado']])
      assert.equal((await rowOf(id))?.estado, 'entregada')
      assert.equal((await app.call('POST', `${LOG}/reenviar?todo=true`, { body: '{}' })).json.Cantidad, 1)
    })
  })

  it('204: with a webhook goes what waits for it; what is being carried is left to its worker', async () => {
    await fresh()
    const [waiting, held] = [await tell(), await tell()]
    await server.store.query(sql`
      update deliveries set lease = 'a', leased_until = now() + interval '45 seconds' where id = ${held}`)
    assert.equal((await app.call('DELETE', `/v3/appnotificaciones/${TOPIC}`)).status, 204)
    assert.equal((await rowOf(waiting as string))?.estado, 'descartada')
    assert.equal((await rowOf(held as string))?.estado, 'pendiente')
    const { _entries, _links } = (await app.get(LOG)).json
    assert.deepEqual(
      [_entries.length, _links.webhook, _entries[0]._links.webhook],
      [2, undefined, undefined],
      'the log stays',
    )
    await configure()
    assert.equal((await resend('?estado=descartada')).json.Cantidad, 1)
    assert.equal((await rowOf(waiting as string))?.estado, 'pendiente')
  })

  it('200: a worker that saw it off a moment ago does not throw away what is caught up with meanwhile', async () => {
    await fresh()
    const id = await tell()
    const queue = Number((await rowOf(id))?.webhook_id)
    await discardPending(server.store, queue)
    assert.equal((await rowOf(id))?.estado, 'pendiente')
    await server.store.query(sql`update webhooks set disabled_at = now() where id = ${queue}`)
    await discardPending(server.store, queue)
    assert.equal((await rowOf(id))?.estado, 'descartada')
  })

  it('204, 200: neither DELETE nor PUT waits for a worker that is settling, nor it for them', async () => {
    await fresh()
    const id = await tell()
    const other = await tell()
    await server.store.transaction(async (tx) => {
      await tx.query(sql`update deliveries set estado = 'entregada' where id = ${id}`) // as a worker does, then the health:
      assert.equal((await put({ ...JSON.parse(BODY), Activo: false })).status, 200)
      await tx.query(sql`update webhooks set last_delivery_at = now() where app_id = ${app.app.id}`)
    })
    assert.deepEqual([(await rowOf(id))?.estado, (await rowOf(other))?.estado], ['entregada', 'descartada'])
  })

  it('404: a topic that was withdrawn has no log, until it comes back', async () => {
    await fresh()
    await tell()
    await setTopics(server.store, app.app.appKey, ['agencia.registrada'])
    await until(async () => (await app.get(LOG)).status === 404)
    const discarded = await tell()
    assert.equal((await rowOf(discarded))?.estado, 'descartada')
    await setTopics(server.store, app.app.appKey, null)
    await until(async () => (await app.get(LOG)).status === 200)
    assert.equal((await app.get(LOG)).json._entries.length, 2)
  })
})

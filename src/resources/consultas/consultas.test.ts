import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { type InsertOptions, insertConsulta } from '../../../tests/support/consulta.ts'
import { REF } from '../../../tests/support/names.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { setTopics } from '../../apps/store.ts'
import { associate } from '../agencias/associations.ts'

const CALLBACK = 'https://crm.example/avisos?de=Rodado#x'
const ABSENT = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
const DAY_MS = 86_400_000

describe('consultas', () => {
  let server: TestServer
  let app: TestApp
  let other: TestApp
  before(async () => {
    server = await startServer()
    ;[app, other] = [await server.newApp(), await server.newApp()]
  })
  after(() => server.stop())

  /** An agency of the app's, with an inquiry on a listing of its own. */
  async function received(values: Partial<InsertOptions> = {}, by: TestApp = app) {
    const { mail, agencia } = await makeAgencia(depsOf(server), by.app)
    const { sid } = await insertConsulta(server.store, { agencia, fuente: by.app, ...values })
    return { mail, agencia, sid, path: `/v3/consultas/${mail}/${sid}` }
  }
  const allow = (to: TestApp, agencia: Parameters<typeof associate>[2]['agencia'], consultasDeOtros: boolean) =>
    server.store.transaction((tx) =>
      associate(tx, depsOf(server), {
        app: to.app,
        agencia,
        permisos: { editar: false, consultasDeCatalogo: false, consultasDeOtros },
      }),
    )
  const eventsOf = (sid: string, topic: string) =>
    server.store.query<{ id: string; appId: number; payload: string; estado: string | null }>(sql`
      select e.id, e.app_id as "appId", e.payload, d.estado from events e left join deliveries d on d.id = e.id
      where e.sid = ${sid} and e.topic = ${topic} order by e.app_id, e.id`)
  const configure = (caller: TestApp, topic = 'consulta.recibida', more: object = {}) =>
    caller.call('POST', `/v3/appnotificaciones/${topic}`, { body: JSON.stringify({ Callback: CALLBACK, ...more }) })

  it('200: every answer has the shape that the document promises', async () => {
    const check = await schemaCheck(server)
    const { mail, path } = await received()
    check('Consulta', (await app.get(path)).json)
    check('Consultas', (await app.get(`/v3/consultas/${mail}`)).json)
    check('ConsultasRef', (await app.get(`/v3/consultas/${mail}`, { accept: REF })).json)
    check('ConsultaRef', (await app.get(path, { accept: REF })).json)
    const { paths } = (await app.get('/openapi.json')).json
    assert.ok('application/x-adf+xml' in paths['/v3/consultas/{adminMail}/{sid}'].get.responses['200'].content)
  })

  describe('GET /v3/consultas/{adminMail}/{sid}', () => {
    it('200: every member, null where there is nothing, no-store and an ETag', async () => {
      const { mail, sid, path } = await received()
      const { status, json, headers } = await app.get(path)
      assert.equal(status, 200)
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual(Object.keys(json), [
        'Momento',
        'OrigenLead',
        'TipoAnuncio',
        'Auto',
        'Interesado',
        'OperadorResponsable',
        'Estado',
        '_links',
      ])
      assert.deepEqual(
        [json.OperadorResponsable, json.Estado, json.Auto.Anticipo, json.Interesado.InfoOperacion],
        [mail, 'nueva', null, null],
      )
      assert.equal(json._links.self.href, `/v3/consultas/${mail}/${sid}`)
      const again = await app.get(path, { 'if-none-match': headers.etag ?? '' })
      assert.deepEqual([again.status, again.text], [304, ''])
    })

    it('200: as long as it is kept, not only 90 days', async () => {
      const { path } = await received({ at: new Date(Date.now() - 300 * DAY_MS) })
      assert.equal((await app.get(path)).status, 200)
    })

    it('200 ref: what it is about, and nobody', async () => {
      const { path } = await received()
      const { json, headers } = await app.get(path, { accept: REF })
      assert.equal(headers['content-type'], REF)
      assert.equal(json.href, path)
      assert.match(json.title, /^Fiat Cronos \(\d{4}-\d\d-\d\d\)$/)
    })

    it('200 ADF: by its type alone, with an ETag of its own; never for Accept */*', async () => {
      const { path } = await received()
      const lead = await app.get(path, { accept: 'application/x-adf+xml' })
      assert.equal(lead.status, 200)
      assert.equal(lead.headers['content-type'], 'application/x-adf+xml')
      assert.match(lead.text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<\?adf version="1.0"\?>\n<adf><prospect/)
      assert.notEqual(lead.headers.etag, (await app.get(path)).headers.etag)
      for (const accept of ['*/*', 'application/*', 'application/json, application/x-adf+xml;q=0.5'])
        assert.equal((await app.get(path, { accept })).headers['content-type'], 'application/json', accept)
      assert.equal((await app.get(path, { accept: 'application/xml' })).status, 406)
    })

    it('404: absent, another agency’s, out of sight, of a foreign agency', async () => {
      const mine = await received()
      const second = await received()
      const foreign = await received({}, other)
      const unseen = await insertConsulta(server.store, { agencia: mine.agencia, fuente: other.app })
      for (const path of [
        `/v3/consultas/${mine.mail}/${ABSENT}`,
        `/v3/consultas/${mine.mail}/${second.sid}`,
        `/v3/consultas/${mine.mail}/${unseen.sid}`,
        `/v3/consultas/${mine.mail}/${'%C3%A9'.repeat(20)}`,
        foreign.path,
        `/v3/consultas/nobody@agencia.test/${mine.sid}`,
      ])
        assert.equal((await app.get(path)).status, 404, path)
    })

    it('404: test and production never see each other', async () => {
      const test = await server.newApp({ modo: 'prueba' })
      const { path } = await received()
      assert.equal((await test.get(path)).status, 404)
      const of = await received({}, test)
      assert.equal((await test.get(of.path)).status, 200)
      assert.equal((await app.get(of.path)).status, 404)
    })

    it('400: a sid of less than 20 or more than 30 characters, an address that is none', async () => {
      for (const [path, key] of [
        [`/v3/consultas/a@agencia.test/${'A'.repeat(19)}`, 'sid'],
        [`/v3/consultas/a@agencia.test/${'A'.repeat(31)}`, 'sid'],
        [`/v3/consultas/nobody/${ABSENT}`, 'adminMail'],
      ] as const) {
        const { status, json } = await app.get(path)
        assert.deepEqual([status, Object.keys(json.Errors)], [400, [key]])
      }
    })
  })

  describe('PUT /v3/consultas/{adminMail}/{sid}/estado', () => {
    const put = (path: string, body: unknown, headers = {}) =>
      app.call('PUT', `${path}/estado`, { body: JSON.stringify(body), headers })

    it('200: the state is kept and shown, and every app that sees it is told once, the one that acted included', async () => {
      const { agencia, sid, path } = await received()
      await allow(other, agencia, true)
      await configure(other, 'consulta.modificada')
      const { status, json } = await put(path, { Estado: 'contactada' })
      assert.deepEqual([status, json.Estado], [200, 'contactada'])
      assert.deepEqual((await app.get(path)).json, json)
      assert.equal((await put(path, { Estado: 'contactada' })).status, 200)

      const events = await eventsOf(sid, 'consulta.modificada')
      assert.deepEqual(
        events.map(({ appId, estado }) => [appId, estado]),
        [
          [app.app.id, null],
          [other.app.id, 'pendiente'],
        ],
      )
      for (const { payload } of events) assert.deepEqual(JSON.parse(payload).Consulta, json)
    })

    it('200: an app that does not see it is not told; two at once are told one after the other', async () => {
      const { agencia, sid, path } = await received()
      await allow(other, agencia, false)
      await Promise.all([put(path, { Estado: 'leida' }), put(path, { Estado: 'leida' })])
      assert.deepEqual(
        (await eventsOf(sid, 'consulta.modificada')).map(({ appId }) => appId),
        [app.app.id],
      )
    })

    it('200: a Consulta that was read can be sent back with another state, and nothing else of it counts', async () => {
      const { path } = await received()
      const { json } = await app.get(path)
      const sent = { ...json, Estado: 'leida', OrigenLead: 'chat', Interesado: {} }
      assert.deepEqual((await put(path, sent)).json, { ...json, Estado: 'leida' })
    })

    it('200 ref: what was changed, as a reference', async () => {
      const { path } = await received()
      assert.equal((await put(path, { Estado: 'vendida' }, { accept: REF })).json.href, path)
    })

    it('400: another state, none, a member that does not exist; before existence', async () => {
      const { path } = await received()
      for (const [body, key] of [
        [{ Estado: 'abierta' }, 'Estado'],
        [{}, 'Estado'],
        [{ Estado: null }, 'Estado'],
        [{ Estado: 'leida', Nota: 'x' }, 'Nota'],
      ] as const) {
        const { status, json } = await put(path, body)
        assert.deepEqual([status, Object.keys(json.Errors)], [400, [key]])
      }
      assert.equal((await put(`/v3/consultas/nobody@agencia.test/${ABSENT}`, {})).status, 400)
    })

    it('404: out of sight', async () => {
      const mine = await received()
      const unseen = await insertConsulta(server.store, { agencia: mine.agencia, fuente: other.app })
      assert.equal((await put(`/v3/consultas/${mine.mail}/${unseen.sid}`, { Estado: 'leida' })).status, 404)
      assert.equal((await put(`/v3/consultas/${mine.mail}/${ABSENT}`, { Estado: 'leida' })).status, 404)
      assert.equal((await put((await received({}, other)).path, { Estado: 'leida' })).status, 404)
    })
  })

  describe('POST /v3/consultas/{adminMail}/{sid}/resendwebhook', () => {
    const resend = (path: string, by = app, headers = {}) => by.call('POST', `${path}/resendwebhook`, { headers })

    /** An app of the test's own, with a webhook. */
    async function listening(more: object = {}) {
      const caller = await server.newApp()
      assert.equal((await configure(caller, 'consulta.recibida', more)).status, 201)
      return caller
    }

    it('202: the frozen payload, byte for byte, to the Callback as it was configured; under the same id', async () => {
      const caller = await listening()
      const { sid, path } = await received({}, caller)
      const first = await resend(path, caller)
      assert.equal(first.status, 202)
      assert.equal(first.headers.location, CALLBACK)
      assert.equal(first.headers['content-type'], 'application/json')
      assert.equal(first.headers['cache-control'], 'no-store')
      assert.deepEqual(first.json.Consulta, (await caller.get(path)).json)

      await caller.call('PUT', `${path}/estado`, { body: JSON.stringify({ Estado: 'vendida' }) })
      await server.store.query(sql`update deliveries set estado = 'entregada', settled_at = now()`)
      const second = await resend(path, caller)
      assert.equal(second.text, first.text)
      const [event, ...more] = await eventsOf(sid, 'consulta.recibida')
      assert.deepEqual(more, [])
      assert.deepEqual([event?.id, event?.payload, event?.estado], [first.json.Id, first.text, 'pendiente'])
    })

    it('202: an inquiry that became visible later gets the event it never had, once, though two ask at once', async () => {
      const caller = await listening()
      const { agencia, sid, path } = await received()
      await allow(caller, agencia, true)
      const answers = await Promise.all([resend(path, caller), resend(path, caller), resend(path, caller)])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [202, 202, 202],
      )
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assert.equal((await eventsOf(sid, 'consulta.recibida')).length, 1)
    })

    it('403: no such agency for the app, before anything is asked of the inquiry', async () => {
      const { sid } = await received()
      const foreign = await received({}, other)
      for (const path of [foreign.path, `/v3/consultas/nobody@agencia.test/${sid}`]) {
        const { status, json } = await resend(path)
        assert.equal(status, 403)
        assert.equal(json.Errors, undefined)
        assert.match(json.Type, /prohibido$/)
      }
    })

    it('404: no such inquiry for the app, before the webhook is asked for', async () => {
      const { mail, agencia } = await received()
      const unseen = await insertConsulta(server.store, { agencia, fuente: other.app })
      for (const sid of [ABSENT, unseen.sid]) assert.equal((await resend(`/v3/consultas/${mail}/${sid}`)).status, 404)
    })

    it('400 on sid: older than 30 days; on _: no webhook, one that is off, one whose topic was withdrawn', async () => {
      const caller = await listening()
      const faults = async (path: string, by = caller) => {
        const { status, json } = await resend(path, by)
        return [status, Object.keys(json.Errors)]
      }
      const old = new Date(Date.now() - 30 * DAY_MS - 60_000)
      const recent = new Date(Date.now() - 30 * DAY_MS + 60_000)
      const [late, soon] = [await received({ at: old }, caller), await received({ at: recent }, caller)]
      assert.deepEqual(await faults(late.path), [400, ['sid']])
      assert.equal((await resend(soon.path, caller)).status, 202)
      const offers = async ({ path, mail }: typeof late) => {
        const list = await caller.get(`/v3/consultas/${mail}`)
        return [(await caller.get(path)).json, list.json._entries[0]].map(({ _links }) => 'reenviar' in _links)
      }
      assert.deepEqual(await offers(late), [false, false], 'nothing is offered that would be refused')
      assert.deepEqual(await offers(soon), [true, true])

      const silent = await server.newApp()
      assert.deepEqual(await faults((await received({}, silent)).path, silent), [400, ['_']])
      assert.deepEqual(await faults((await received({ at: old }, silent)).path, silent), [400, ['sid', '_']])

      const off = await listening({ Activo: false })
      assert.deepEqual(await faults((await received({}, off)).path, off), [400, ['_']])

      const elsewhere = await listening()
      const first = '/v3/appnotificaciones/consulta.recibida/destinos/1'
      const unwanted = await received({}, elsewhere)
      const body = JSON.stringify({ Callback: CALLBACK, Agencias: [] })
      assert.equal((await elsewhere.call('PUT', first, { body })).status, 200)
      assert.deepEqual(await faults(unwanted.path, elsewhere), [400, ['_']], 'its Agencias leave this one out')
      assert.deepEqual(await eventsOf(unwanted.sid, 'consulta.recibida'), [])

      const { path } = await received({}, caller)
      await setTopics(server.store, caller.app.appKey, ['consulta.modificada'])
      await until(async () => (await resend(path, caller)).status === 400)
      assert.deepEqual(await faults(path), [400, ['_']])
    })

    it('400: a sid or an address of the wrong form; 406: a payload has no Ref form', async () => {
      const { mail, path } = await received()
      assert.equal((await resend(`/v3/consultas/${mail}/short`)).status, 400)
      assert.equal((await resend(`/v3/consultas/nobody/${ABSENT}`)).status, 400)
      assert.equal((await resend(path, app, { accept: REF })).status, 406)
    })
  })
})

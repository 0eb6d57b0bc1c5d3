import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { associate } from '../../src/resources/agencias/associations.ts'
import { countOf, erasePerson } from '../../src/resources/consultas/erase-person.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { insertConsulta } from '../support/consulta.ts'
import { LOOPBACK } from '../support/deliveries.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer, TestSitio } from '../support/server.ts'
import { until } from '../support/until.ts'

const BY = { accountId: null, via: 'comando' } as const
const PERSON = { Nombre: 'Lucía', Apellido: 'Ferreyra', Email: 'Lucia@Correo.test', Telefono: '+54 9 341 555-0134' }
/** Of which nothing may be left anywhere. */
const TRACES = /Luc[ií]a|Ferreyra|555-?0134|lucia@correo|permuta por un Clio/i

describe('story: erasure of a person', () => {
  let server: TestServer
  let receiver: Receiver
  let sitio: TestSitio
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK, worker: {} })
    sitio = await server.newSitio()
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  const deps = () => depsOf(server)
  /** An app with a webhook on its own path. */
  async function listening(path: string): Promise<TestApp> {
    const app = await server.newApp()
    for (const topic of ['consulta.recibida', 'consulta.suprimida'])
      await app.client.configurarWebhook({ topic }, { Callback: `${receiver.url}/${path}` })
    return app
  }
  async function ask(aviso: number, more: object = {}): Promise<string> {
    const Interesado = { ...PERSON, Comentario: 'permuta por un Clio', ...more }
    const receiving = sitio.client.recibirConsulta({ Aviso: aviso, OrigenLead: 'form', Interesado })
    return (await receiving.withResponse()).location?.split('/').at(-1) ?? ''
  }

  it('nothing is left in rows, payloads, answers and emails; the inquiry still counts; its apps are notified', async () => {
    receiver.answer(({ body }) => ({ status: 500, body: `cannot read ${body}` }))
    const [app, other] = [await listening('own'), await listening('other')]
    const { mail, agencia } = await makeAgencia(deps(), app.app)
    await server.store.transaction((tx) =>
      associate(tx, deps(), {
        app: other.app,
        agencia,
        permisos: { editar: false, consultasDeCatalogo: false, consultasDeOtros: true },
      }),
    )
    const { id: aviso } = await makePublicacion(server.store, app.app, agencia)
    const sid = await ask(aviso)
    const another = await ask(aviso, {
      Nombre: 'Pedro',
      Apellido: 'Sosa',
      Email: 'pedro@correo.test',
      Telefono: null,
      Comentario: null,
    })
    const path = `/v3/consultas/${mail}/${sid}`
    await app.client.cambiarEstadoDeConsulta({ adminMail: mail, sid }, { Estado: 'leida' })
    await receiver.waitFor(4)
    await until(async () => (await server.store.query(sql`select from delivery_attempts`)).length === 4)
    // The other app no longer sees it, but had received it.
    await server.store.transaction((tx) =>
      associate(tx, deps(), {
        app: other.app,
        agencia,
        permisos: {
          editar: false,
          consultasDeCatalogo: false,
          consultasDeOtros: false,
        },
      }),
    )
    const before = (await app.get(path)).json
    const [event] = await server.store.query<{ id: string }>(sql`
      select id from events where sid = ${sid} and app_id = ${app.app.id} and topic = 'consulta.recibida'`)

    receiver.release()
    receiver.received.length = 0
    const person = { email: ' LUCIA@correo.test ' }
    assert.equal(await countOf(server.store, person, 'AR'), 1)
    const receipt = await erasePerson(deps(), person, BY)
    const { consultas, eventos, respuestas, correos, apps } = receipt
    assert.deepEqual(
      { consultas, eventos, respuestas, correos, apps },
      { consultas: 1, eventos: 4, respuestas: 2, correos: 1, apps: 2 },
    )

    const { json } = await app.get(path)
    assert.deepEqual(json, { ...before, Interesado: ERASED })
    assert.deepEqual(Object.keys(json.Interesado), Object.keys(before.Interesado))
    const list = await app.get(`/v3/consultas/${mail}`)
    assert.deepEqual([list.json.Total, list.json._entries.length], [2, 2])
    assert.doesNotMatch(list.text, TRACES)
    assert.equal((await app.client.verConsulta({ adminMail: mail, sid: another })).Interesado.Nombre, 'Pedro')

    const resent = await app.call('POST', `${path}/resendwebhook`)
    assert.equal(resent.json.Id, event?.id)
    assert.deepEqual(resent.json.Consulta, { ...before, Estado: 'nueva', Interesado: ERASED })
    await until(() => receiver.received.some(({ id, body }) => id === event?.id && body === resent.text))

    // The feed waits for every transaction that is older, also of another test.
    for (const [caller, where] of [
      [app, '/own'],
      [other, '/other'],
    ] as const) {
      const suppressed = await until(async () => {
        const feed = await caller.get('/v3/eventos')
        assert.doesNotMatch(feed.text, TRACES)
        return feed.json._entries.find(({ Topic }: { Topic: string }) => Topic === 'consulta.suprimida')
      })
      assert.deepEqual(suppressed.Consulta, { href: path })
      await until(() => receiver.received.some(({ path, id }) => path === where && id === suppressed.Id))
    }
    const everywhere = await server.store.query<{ text: string }>(sql`
      select interesado || coalesce(email, '') || coalesce(telefono, '') as text from consultas where sid = ${sid}
      union all select payload from events where sid = ${sid}
      union all select answer from delivery_attempts a join events e on e.id = a.delivery_id where e.sid = ${sid}
      union all select m::text from mails m where sid = ${sid}
      union all select s::text from suppressions s union all select a::text from audit_log a`)
    for (const { text } of everywhere) assert.doesNotMatch(text ?? '', TRACES)
    assert.doesNotMatch(server.logged(), TRACES)
  })

  it('a repeated erasure finds nothing and is recorded; by telephone it finds everyone with that number, however it was written', async () => {
    const app = await listening('again')
    const { agencia } = await makeAgencia(deps(), app.app)
    const interesado = { Email: 'again@correo.test', Telefono: '0341 15-600-7000' }
    const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app, interesado })
    await insertConsulta(server.store, { agencia, fuente: app.app, interesado: { ...interesado, Email: '' } })
    const first = await erasePerson(deps(), { email: 'again@correo.test' }, BY)
    assert.deepEqual([first.consultas, first.before], [1, []])
    const again = await erasePerson(deps(), { email: 'Again@correo.test' }, BY)
    assert.deepEqual([again.consultas, again.apps, again.before.map(({ id }) => id)], [0, 0, [first.id]])
    const byNumber = await erasePerson(deps(), { telefono: '+54 9 341 600-7000' }, BY)
    assert.deepEqual([byNumber.consultas, byNumber.before], [1, []])
    const otherwise = await erasePerson(deps(), { telefono: '341 600 7000' }, BY)
    assert.deepEqual([otherwise.consultas, otherwise.before.map(({ id }) => id)], [0, [byNumber.id]])

    const events = await server.store.query(sql`select from events where sid = ${sid} and topic = 'consulta.suprimida'`)
    assert.equal(events.length, 1)
    const audited = await server.store.query<{ subject: string }>(
      sql`select subject from audit_log where act = 'suprimir'`,
    )
    for (const { id } of [first, again, byNumber]) assert.ok(audited.some(({ subject }) => subject === id))
  })

  it('during a delivery: the echo of its receiver is not stored, and it is resent without the data', async () => {
    const app = await listening('echo')
    const { agencia } = await makeAgencia(deps(), app.app)
    const { id: aviso } = await makePublicacion(server.store, app.app, agencia)
    const received = () => receiver.received.filter(({ path }) => path === '/echo')
    let erased = false
    receiver.answer(async ({ body }, turn) => {
      if (turn > 1) return 200
      await until(() => erased)
      return { status: 200, body: `thank you for ${body}` }
    })
    const sid = await ask(aviso, { Email: 'echo@correo.test' })
    await until(() => received().length === 1)
    await erasePerson(deps(), { email: 'echo@correo.test' }, BY)
    erased = true
    await until(() => received().some(({ headers, body }) => headers['webhook-attempt'] && !TRACES.test(body)))
    const settled = sql`select from deliveries d join events e on e.id = d.id where e.sid = ${sid} and d.estado = 'entregada'`
    await until(async () => (await server.store.query(settled)).length > 0)
    const stored = await server.store.query<{ answer: string | null }>(sql`
      select answer from delivery_attempts a join events e on e.id = a.delivery_id where e.sid = ${sid}`)
    for (const { answer } of stored) assert.doesNotMatch(answer ?? '', TRACES)
    receiver.release()
  })

  it('an app that has left the agency since is notified too, because it had received the data', async () => {
    const app = await listening('left')
    const { mail, agencia } = await makeAgencia(deps(), app.app)
    const { id: aviso } = await makePublicacion(server.store, app.app, agencia)
    await ask(aviso, { Email: 'left@correo.test' })
    await app.client.desasociarAgencia({ adminMail: mail })
    assert.deepEqual((await app.get('/v3/eventos')).json._entries, [])
    assert.equal((await erasePerson(deps(), { email: 'left@correo.test' }, BY)).apps, 1)
    const topics = await until(async () => {
      const { json } = await app.get('/v3/eventos')
      return json._entries.length > 0 && json._entries.map(({ Topic }: { Topic: string }) => Topic)
    })
    assert.deepEqual(topics, ['consulta.suprimida'])
  })

  it('an erasure in one mode leaves the other alone', async () => {
    const [live, test] = [await server.newApp(), await server.newApp({ modo: 'prueba' })]
    const interesado = { Email: 'both@correo.test' }
    for (const app of [live, test]) {
      const { agencia } = await makeAgencia(deps(), app.app)
      await insertConsulta(server.store, { agencia, fuente: app.app, interesado })
    }
    assert.equal((await erasePerson(deps(), { email: 'both@correo.test', modo: 'prueba' }, BY)).consultas, 1)
    assert.equal((await erasePerson(deps(), { email: 'both@correo.test' }, BY)).consultas, 1)
  })

  it('is all or nothing: if a step fails, nothing is erased and nobody is notified', async () => {
    const app = await listening('nothing')
    const { agencia } = await makeAgencia(deps(), app.app)
    const interesado = { Email: 'nothing@correo.test' }
    const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app, interesado })
    const nobody = { accountId: -1, via: 'consola' } as const
    await assert.rejects(erasePerson(deps(), { email: 'nothing@correo.test' }, nobody))
    assert.equal(await countOf(server.store, { email: 'nothing@correo.test' }, 'AR'), 1)
    assert.deepEqual(await server.store.query(sql`select from events where sid = ${sid}`), [])
  })

  it('while the state of an inquiry changes, both happen', async () => {
    const app = await listening('meanwhile')
    const { mail, agencia } = await makeAgencia(deps(), app.app)
    const interesado = { Email: 'meanwhile@correo.test' }
    const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app, interesado })
    const path = `/v3/consultas/${mail}/${sid}`
    const estados = ['leida', 'contactada', 'vendida', 'descartada', 'nueva', 'vendida']
    await Promise.all([
      ...estados.map((Estado) => app.call('PUT', `${path}/estado`, { body: JSON.stringify({ Estado }) })),
      erasePerson(deps(), { email: 'meanwhile@correo.test' }, BY),
    ])
    assert.deepEqual((await app.get(path)).json.Interesado, ERASED)
    assert.doesNotMatch((await app.get('/v3/eventos')).text, /meanwhile@correo/)
  })
})

const ERASED = {
  Interes: null,
  Nombre: '',
  Apellido: '',
  Email: '',
  Telefono: null,
  DocIdentidad: null,
  Provincia: null,
  Ciudad: null,
  Comentario: null,
  InfoOperacion: null,
  TelefonoE164: null,
}

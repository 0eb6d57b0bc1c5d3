import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { hook, LOOPBACK, SECRET, settled, storeEvents } from '../../../tests/support/deliveries.ts'
import { type MadeDeveloper, makeDeveloper } from '../../../tests/support/developer.ts'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { untilRecorded } from '../../../tests/support/usage.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { openSandbox } from '../../sandbox/agency.ts'
import { ulid } from '../../ulid.ts'

let server: TestServer
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  server = await startServer({ env: { ...LOOPBACK, RATE_PER_SECOND: '50', RATE_BURST: '200' }, worker: {} })
})
after(async () => {
  await server?.stop()
  await receiver?.close()
})

const portalOf = ({ app }: TestApp) => `/portal/${app.appKey}`

/** An app and somebody who works on it. */
async function team(nombre = 'CRM Paraná'): Promise<TestApp & { at: string; who: MadeDeveloper }> {
  const app = await server.newApp({ nombre })
  return { ...app, at: portalOf(app), who: await makeDeveloper(server, app) }
}

describe('who sees an app’s portal', () => {
  it('404: the developers of another app, and people without any; 303: nobody in particular', async () => {
    const [own, other] = [await team(), await team()]
    for (const section of ['', '/uso', '/puesta-en-marcha']) {
      assert.equal((await own.who.visitor.get(own.at + section)).status, 200)
      assert.equal((await other.who.visitor.get(own.at + section)).status, 404)
      const { status, headers } = await visitor(server).get(own.at + section)
      assert.deepEqual([status, headers.location], [303, `/entrar?volver=${encodeURIComponent(own.at + section)}`])
    }
    const forged = await other.who.visitor.post(`${own.at}/puesta-en-marcha/firma-falsa`, {
      Topic: 'consulta.recibida',
    })
    assert.equal(forged.status, 404)
    assert.equal((await own.who.visitor.get('/portal/00000000000000000000000000000000')).status, 404)
  })
})

describe('usage', () => {
  it('is shown as counted, by hour and by day, and is a file for a spreadsheet', async () => {
    const { app, at, who } = await team()
    await server.store.query(sql`
      insert into app_usage (app_id, hora, solicitudes, sin_cambios, errores, limitadas, entregadas)
      values (${app.id}, date_trunc('hour', now()), 1200, 300, 12, 4, 77)`)
    for (const por of ['hora', 'dia']) {
      const { text } = await who.visitor.get(`${at}/uso?por=${por}`)
      for (const shown of [/1\.200/, /25\s?%/, />77</]) assert.match(text, shown)
    }
    const csv = await who.visitor.get(`${at}/uso?por=dia&formato=csv`)
    assert.match(csv.headers['content-disposition'] ?? '', /uso-por-dia\.csv/)
    const lines = csv.text.trim().split('\r\n')
    assert.equal(lines.length, 31)
    assert.match(lines.at(-1) ?? '', /;"1200";"300";"12";"4";"0";"77";"0";"0"$/)
  })

  it('notifications that failed have a link where there are any; the file of calls names the unit of their duration', async () => {
    const { app, at, who } = await team()
    const linkOf = async () =>
      /href="([^"]+)">Notificaciones fallidas/.exec((await who.visitor.get(`${at}/uso`)).text)?.[1]
    assert.equal(await linkOf(), undefined)
    await server.store.query(sql`
      insert into app_usage (app_id, hora, abandonadas) values (${app.id}, date_trunc('hour', now()), 2)`)
    assert.equal(await linkOf(), `${at}/entregas?estado=fallida`)
    assert.match((await who.visitor.get(`${at}/llamadas?formato=csv`)).text, /^[^\n]*;"Duración \(ms\)"\r\n/)
  })

  it('failed attempts lead to the failed deliveries only where there are any: the retries may have arrived', async () => {
    const { app, at, who } = await team()
    await server.store.query(sql`
      insert into app_usage (app_id, hora, intentos_fallidos) values (${app.id}, date_trunc('hour', now()), 6)`)
    const linkOf = async () => /href="([^"]+)">Intentos fallidos/.exec((await who.visitor.get(at)).text)?.[1]
    assert.equal(await linkOf(), `${at}/entregas`)
    await server.store.query(sql`update app_usage set abandonadas = 1 where app_id = ${app.id}`)
    assert.equal(await linkOf(), `${at}/entregas`, 'they were resent, and arrived')
    assert.doesNotMatch((await who.visitor.get(at)).text, /puede reenviarla/)
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado) values (${ulid(Date.now())}, ${app.id}, 'fallida')`)
    assert.equal(await linkOf(), `${at}/entregas?estado=fallida`)
    assert.match((await who.visitor.get(at)).text, /puede reenviarla/)
  })

  it('tells the limits that hold for this app', async () => {
    const { app, at, who } = await team()
    assert.match((await who.visitor.get(`${at}/uso`)).text, /q=200;w=4/)
    await server.store.query(
      sql`update apps set rate_per_second = 7, rate_burst = 21, invites_per_day = 3 where id = ${app.id}`,
    )
    await makeAgencia(depsOf(server), app)
    const { text } = await who.visitor.get(`${at}/uso`)
    assert.match(text, /q=21;w=3/)
    assert.match(text, /1 de 3/)
  })
})

describe('the way to production', () => {
  it('is judged by what the app did: each step is done when it was, and not before', async () => {
    const { at, who, ...app } = await team()
    const isDone = async (id: string) => {
      const { text } = await who.visitor.get(`${at}/puesta-en-marcha`)
      return new RegExp(`<li id="${id}" class="done"`).test(text)
    }
    const STEPS = [
      'firma',
      'condicional',
      'invitacion',
      'asociada',
      'webhook',
      'entrega',
      'reintento',
      'firma-falsa',
      'eventos',
    ]
    for (const step of STEPS) assert.equal(await isDone(step), false, step)

    const { headers } = await app.get('/v3/colores')
    await app.get('/v3/colores', { 'if-none-match': headers.etag ?? '' })
    await app.get('/v3/eventos')
    await untilRecorded(server, app, 'condicional')
    await untilRecorded(server, app, 'eventos')
    for (const step of ['firma', 'condicional', 'eventos']) assert.equal(await isDone(step), true, step)
    assert.equal(await isDone('invitacion'), false)

    await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: 'alguien@agencia.test' }) })
    assert.deepEqual([await isDone('invitacion'), await isDone('asociada')], [true, false])
    await makeAgencia(depsOf(server), app.app)
    assert.equal(await isDone('asociada'), true)

    await hook(server, app, 'consulta.recibida', receiver.url)
    receiver.answer(200)
    assert.deepEqual([await isDone('webhook'), await isDone('entrega')], [true, false])
    await settled(server, await storeEvents(server, app, 'consulta.recibida'))
    await untilRecorded(server, app, 'entrega')
    assert.deepEqual([await isDone('entrega'), await isDone('reintento')], [true, false])
  })

  it('what the sandbox made is no step of the app’s; retries are told as its mode has them', async () => {
    const app = await server.newApp({ modo: 'prueba' })
    const { visitor: who } = await makeDeveloper(server, app)
    const { country, catalogueDir } = server.config
    const deps = { ...depsOf(server), catalogue: catalogueOf(country, catalogueDir) }
    assert.equal((await openSandbox(deps, app.app)).length, 3)
    const page = async () => (await who.get(`${portalOf(app)}/puesta-en-marcha`)).text
    const text = await page()
    assert.doesNotMatch(text, /<li id="(invitacion|asociada)" class="done"/)
    assert.ok(text.includes(`>${server.config.publicUrl}/conectar/`), 'the whole address, to send to an agency')
    assert.match(text, /vuelve a llegar un segundo después/)
    assert.match((await who.get(`${portalOf(app)}/webhooks`)).text, /durante 20 minutos/)
    await makeAgencia(deps, app.app)
    assert.match(await page(), /<li id="asociada" class="done"/)
  })

  it('303: a forged event has wrong signatures and is right in all else; a receiver that refuses it has shown that it looks', async () => {
    const { at, who, ...app } = await team()
    const more = { HeaderCustom01: { Name: 'X-Cuenta', Value: 'siete' } }
    await hook(server, app, 'consulta.recibida', `${receiver.url}/falsa`, more)
    const forge = () => who.visitor.post(`${at}/puesta-en-marcha/firma-falsa`, { Topic: 'consulta.recibida' })

    receiver.answer(200)
    const sent = await forge()
    assert.deepEqual([sent.status, sent.headers.location], [303, `${at}/puesta-en-marcha`])
    const [received] = receiver.received.filter(({ path }) => path === '/falsa')
    assert.ok(received)
    const { Webhook } = await import('standardwebhooks')
    const verify = () =>
      new Webhook(Buffer.from(SECRET).toString('base64')).verify(received.body, received.headers as never)
    assert.throws(verify, /No matching signature/)
    assert.equal(received.headers['x-cuenta'], 'siete')
    assert.equal(JSON.parse(received.body).Prueba, true)
    assert.match((await who.visitor.get(`${at}/puesta-en-marcha`)).text, /aceptó una notificación que no enviamos/)
    assert.match((await who.visitor.get(at)).text, /aceptó una firma falsa/)

    receiver.answer(401)
    await forge()
    const { text } = await who.visitor.get(`${at}/puesta-en-marcha`)
    assert.match(text, /<li id="firma-falsa" class="done"/)
    assert.match(text, /respondió 401: rechazó la firma falsa/)
    receiver.answer(500)
    await forge()
    assert.match((await who.visitor.get(`${at}/puesta-en-marcha`)).text, /respondió 500, y así no se sabe/)

    const [stored] = await server.store.query<{ count: number }>(sql`
      select count(*) from events where app_id = ${app.app.id} and topic = 'consulta.recibida'`)
    assert.equal(stored?.count, 0, 'it is no event')
    const [audited] = await server.store.query(sql`
      select from audit_log where act = 'webhook.firma-falsa' and subject = ${app.app.appKey}`)
    assert.ok(audited)
    receiver.release()
  })

  it('400: nothing is forged for a webhook that is off, unsigned or asked for too often; 404: for one that is not there', async () => {
    const { at, who, ...app } = await team()
    const before = receiver.received.length
    const forge = (Topic: string) => who.visitor.post(`${at}/puesta-en-marcha/firma-falsa`, { Topic })
    assert.equal((await forge('consulta.recibida')).status, 404)
    await hook(server, app, 'consulta.recibida', receiver.url, { Secret: null })
    await hook(server, app, 'agencia.registrada', receiver.url, { Activo: false })
    assert.match((await forge('consulta.recibida')).text, /no tiene Secret/)
    const off = await forge('agencia.registrada')
    assert.deepEqual([off.status, /no está activo/.test(off.text)], [400, true])
    for (let turn = 0; turn < 3; turn++) await forge('nada')
    const often = await forge('consulta.recibida')
    assert.deepEqual([often.status, /espere unos segundos/.test(often.text)], [400, true])
    assert.equal(receiver.received.length, before)
  })

  it('a forged event reaches no closed address, whatever it is called', async () => {
    const closed = await startServer()
    try {
      const app = await closed.newApp()
      const who = await makeDeveloper(closed, app)
      const { port } = new URL(receiver.url)
      const before = receiver.connections()
      await hook(closed, app, 'consulta.recibida', 'https://avisos.example/')
      // A name may lead elsewhere tomorrow: what counts is where it leads when something is sent.
      await closed.store.query(sql`update webhooks set callback = ${`https://localhost:${port}/aviso`}`)
      await who.visitor.post(`${portalOf(app)}/puesta-en-marcha/firma-falsa`, { Topic: 'consulta.recibida' })
      const { text } = await who.visitor.get(`${portalOf(app)}/puesta-en-marcha`)
      assert.match(text, /No hubo una respuesta válida\. .*(privada|reservada)/)
      assert.equal(receiver.connections(), before)
    } finally {
      await closed.stop()
    }
  })
})

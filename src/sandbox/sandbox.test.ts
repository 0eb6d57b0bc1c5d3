import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf } from '../../tests/support/agencia.ts'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { openMailbox } from '../../tests/support/mailbox.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { ensureAccount } from '../accounts/store.ts'
import { disableApp } from '../apps/store.ts'
import { replaceAdministrator } from '../resources/agencias/administrator.ts'
import { lockAddress } from '../resources/agencias/invitacion-store.ts'
import { invite } from '../resources/agencias/invite.ts'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import { answerInvitaciones, openSandbox } from './agency.ts'

describe('sandbox', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp({ modo: 'prueba' })
    await openSandbox(deps(), app.app)
  })
  after(() => server.stop())

  const deps = () => {
    const { country, catalogueDir } = server.config
    return { ...depsOf(server), catalogue: catalogueOf(country, catalogueDir) }
  }
  const generate = (who: TestApp, body: object) =>
    who.call('POST', '/v3/prueba/consultas', { body: JSON.stringify(body) })
  const agencias = async (who: TestApp) => (await who.get('/v3/agencias')).json._entries

  it('200: a new app has agencies with cars, and opening it again makes no more', async () => {
    const found = await agencias(app)
    assert.equal(found.length, 3)
    for (const { AdminMail } of found) {
      assert.match(AdminMail, new RegExp(`^(norte|centro|sur)\\.${app.app.appKey.slice(0, 8)}@prueba\\.example$`))
      const { Total } = (await app.get(`/v3/publicaciones/${AdminMail}`)).json
      assert(Total >= 5, `${Total} listings`)
    }
    assert.deepEqual(await openSandbox(deps(), app.app), [])
    const production = await server.newApp()
    assert.deepEqual(await openSandbox(deps(), production.app), [])
  })

  it('200: every answer to it says so, refusals included, and none to a production app', async () => {
    const production = await server.newApp()
    for (const path of ['/v3/colores', '/v3/agencias', '/v3/nada', '/v3/colores/0']) {
      assert.equal((await app.get(path)).headers.modo, 'prueba', path)
      assert.equal((await production.get(path)).headers.modo, undefined, path)
    }
    assert.equal(
      (await server.newSitio({ modo: 'prueba' }).then((site) => site.call('GET', '/interno/v1/avisos'))).headers.modo,
      'prueba',
    )
  })

  it('202: an invitation to nobody’s domain is accepted by itself, bounces or is ignored, as its address says', async () => {
    const own = await server.newApp({ modo: 'prueba' })
    const invite = (who: TestApp, AdminMail: string, more = {}) =>
      who.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail, ...more }) })
    const production = await server.newApp()
    for (const [who, mail] of [
      [own, 'acepta@prueba.example'],
      [own, 'rebota@prueba.example'],
      [own, 'ignora@prueba.example'],
      [own, 'otra@agencia.test'],
      [production, 'real@prueba.example'],
    ] as const)
      assert.equal((await invite(who, mail, { Nombre: 'La Invitada', Region: 'Córdoba' })).status, 202)

    assert.equal(await answerInvitaciones(deps()), 2)
    assert.equal(await answerInvitaciones(deps()), 0)
    const stateOf = async (who: TestApp, mail: string) => (await who.get(`/v3/agencias/${mail}`)).json
    const accepted = await stateOf(own, 'acepta@prueba.example')
    assert.deepEqual([accepted.Estado, accepted.Nombre], ['asociada', 'La Invitada'])
    assert.equal((await stateOf(own, 'rebota@prueba.example')).Invitacion.Estado, 'rebotada')
    for (const [who, mail] of [
      [own, 'ignora@prueba.example'],
      [own, 'otra@agencia.test'],
      [production, 'real@prueba.example'],
    ] as const)
      assert.equal((await stateOf(who, mail)).Invitacion.Estado, 'pendiente', mail)
    // The feed waits for every transaction that is older, also of another test.
    const told = await until(async () => {
      const { _entries } = (await own.get('/v3/eventos')).json
      return _entries.length > 0 && _entries
    })
    assert.deepEqual(
      told.map(({ Topic, AdminMail }: Record<string, string>) => [Topic, AdminMail]),
      [['agencia.registrada', 'acepta@prueba.example']],
    )
  })

  it('202: two apps invite one address; both work with its agency, and neither holds up the other or a third', async () => {
    const [one, two, three] = [
      await server.newApp({ modo: 'prueba' }),
      await server.newApp({ modo: 'prueba' }),
      await server.newApp({ modo: 'prueba' }),
    ]
    const mails = Array.from({ length: 21 }, (_, nth) => `comun${nth}@prueba.example`)
    for (const AdminMail of mails) for (const who of [one, two]) await who.client.invitarAgencia({ AdminMail })
    await disableApp(server.store, two.app.appKey, true)
    await three.client.invitarAgencia({ AdminMail: 'tercera@prueba.example' })
    while ((await answerInvitaciones(deps())) > 0);
    assert.equal((await three.client.verAgencia({ adminMail: 'tercera@prueba.example' })).Estado, 'asociada')
    const before = await one.client.verAgencia({ adminMail: 'comun0@prueba.example' })
    await disableApp(server.store, two.app.appKey, false)
    while ((await answerInvitaciones(deps())) > 0);
    await until(() =>
      two.client.listarAgencias().then(
        ({ _entries }) => _entries.length === mails.length,
        () => false,
      ),
    )
    const after = await one.client.verAgencia({ adminMail: 'comun0@prueba.example' })
    assert.deepEqual(after.Administrador, before.Administrador, 'another app’s invitation renames nobody')
  })

  it('202: another app’s invitation to a former administrator’s address creates an agency, as a person would', async () => {
    const [one, two] = [await server.newApp({ modo: 'prueba' }), await server.newApp({ modo: 'prueba' })]
    const AdminMail = 'anterior@prueba.example'
    await one.client.invitarAgencia({ AdminMail })
    await answerInvitaciones(deps())
    const agencia = await findAgenciaByMail(server.store, 'prueba', AdminMail)
    await server.store.transaction(async (tx) => {
      const account = await ensureAccount(tx, 'prueba', 'actual@prueba.example')
      await replaceAdministrator(tx, deps(), agencia?.id ?? 0, account)
    })
    await two.client.invitarAgencia({ AdminMail, Nombre: 'Nueva' })
    await answerInvitaciones(deps())
    const { _entries } = await two.client.listarAgencias()
    assert.deepEqual(
      _entries.map((each) => [each.AdminMail, each.Nombre]),
      [[AdminMail, 'Nueva']],
    )
  })

  it('202: an invitation that is renewed while it is answered is accepted; neither stops the other', async () => {
    const own = await server.newApp({ modo: 'prueba' })
    const AdminMail = 'renovada@prueba.example'
    await own.client.invitarAgencia({ AdminMail })
    let answering: Promise<number> | undefined
    await server.store.transaction(async (tx) => {
      await lockAddress(tx, 'prueba', AdminMail)
      answering = answerInvitaciones(deps()) // waits for the address
      answering.catch(() => undefined)
      await until(async () => {
        const waiting = await server.store.query(sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`)
        return waiting.length > 0
      })
      await invite({ ...deps(), store: tx }, own.app, { AdminMail, Nombre: 'Renovada' })
    })
    assert.equal(await answering, 1)
    assert.equal((await own.client.verAgencia({ adminMail: AdminMail })).Nombre, 'Renovada')
  })

  it('201: creates the requested number of inquiries, with an event for each', async () => {
    const [{ AdminMail }] = await agencias(app)
    const { status, text, json } = await generate(app, { AdminMail, Cantidad: 5 })
    assert.equal(status, 201, text)
    const { _entries } = json
    assert.equal(_entries.length, 5)
    for (const { href } of _entries) assert.equal((await app.get(href)).status, 200)
    const listed = (await app.get(`/v3/publicaciones/${AdminMail}`)).json._entries[0]
    const one = (await generate(app, { AdminMail, ExternalId: listed.ExternalId.toLowerCase() })).json
    assert.equal((await app.get(one._entries[0].href)).json.Auto.ExternalId, listed.ExternalId)
    assert.equal((await generate(app, {})).status, 201)
    // The feed waits for every transaction that is older, also of another test.
    await until(async () => {
      const told: { Topic: string }[] = (await app.get('/v3/eventos')).json._entries
      return told.filter(({ Topic }) => Topic === 'consulta.recibida').length === 7
    })
  })

  it('429: it counts as one request for each inquiry, and the next one waits', async () => {
    const small = await startServer({ env: { RATE_PER_SECOND: '1', RATE_BURST: '12' }, nowMs: () => 0 })
    try {
      const caller = await small.newApp({ modo: 'prueba' })
      const remaining = async (body: object) => (await generate(caller, body)).headers.ratelimit
      assert.equal(await remaining({}), '"app";r=11;t=1')
      assert.equal(await remaining({ Cantidad: 50 }), '"app";r=0;t=51')
      const { status, headers } = await generate(caller, {})
      assert.deepEqual([status, headers['retry-after']], [429, '40'])
    } finally {
      await small.stop()
    }
  })

  it('400, 403: not about what is another’s, not without end, not in production', async () => {
    const other = await server.newApp({ modo: 'prueba' })
    const [{ AdminMail }] = await agencias(app)
    const foreign = await generate(other, { AdminMail })
    assert.deepEqual([foreign.status, Object.keys(foreign.json.Errors)], [400, ['AdminMail']])
    assert.deepEqual(foreign.json.Errors, (await generate(other, { AdminMail: 'no@hay.test' })).json.Errors)
    assert.deepEqual(Object.keys((await generate(other, {})).json.Errors), ['_'])
    const unknown = await generate(app, { AdminMail, ExternalId: 'NO-HAY' })
    assert.deepEqual(Object.keys(unknown.json.Errors), ['ExternalId'])
    assert.equal((await generate(app, { Cantidad: 51 })).status, 400)
    // Where some agencies have nothing on offer, another is asked about.
    await app.client.invitarAgencia({ AdminMail: 'vacia@prueba.example' })
    await answerInvitaciones(deps())
    for await (const { ExternalId: externalid } of app.client.listarPublicaciones({
      adminMail: 'vacia@prueba.example',
    }))
      await app.client.archivarPublicacion({ adminMail: 'vacia@prueba.example', externalid })
    for (let round = 0; round < 8; round++) assert.equal((await generate(app, {})).status, 201)
    const nothing = await generate(app, { AdminMail: 'vacia@prueba.example' })
    assert.deepEqual(nothing.json.Errors, {
      AdminMail: ['La app no tiene publicaciones activas en esa agencia: publique una primero.'],
    })
    assert.equal((await generate(app, { Otra: 1 })).status, 400)
    assert.equal((await generate(await server.newApp(), {})).status, 403)
  })
})

describe('emails to reserved domains', () => {
  it('are kept, though there is a mail server; others leave', async () => {
    const mailbox = await openMailbox()
    const server = await startServer({ worker: { smtpUrl: mailbox.url } })
    try {
      const app = await server.newApp({ modo: 'prueba' })
      for (const AdminMail of ['ignora@prueba.example', 'otra@agencia.test'])
        await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail }) })
      await mailbox.waitFor('otra@agencia.test')
      const stored = () => server.store.query(sql`select to_address from mails where estado = 'guardada'`)
      await until(async () => (await stored()).length > 0)
      assert.deepEqual(await stored(), [{ to_address: 'ignora@prueba.example' }])
      assert.equal(mailbox.mails.length, 1)
    } finally {
      await server.stop()
      await mailbox.close()
    }
  })
})

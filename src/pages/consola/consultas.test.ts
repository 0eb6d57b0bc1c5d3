import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { eventOf, hook, LOOPBACK, settled } from '../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { download, search, withPages } from '../../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import type { TestApp } from '../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { MAX_NOTIFICATIONS } from '../../resources/consultas/staff.ts'
import { insertEvents } from '../../webhooks/events.ts'

const DAY_MS = 86_400_000

describe('inquiries in the console', () => {
  const { server, onPage } = withPages({ env: LOOPBACK, worker: {} })
  let staff: MadeStaff
  let app: TestApp
  let agencia: Agencia
  let receiver: Receiver
  before(async () => {
    staff = await makeStaff(server)
    app = await server.newApp({ nombre: 'Gestión Sur' })
    ;({ agencia } = await makeAgencia(depsOf(server), app.app, { Nombre: 'La Esquina' }))
    receiver = await openReceiver()
  })
  after(() => receiver.close())

  const ask = (more: object = {}) => insertConsulta(server.store, { agencia, fuente: app.app, ...more })
  const found = async (query: string, sids: string[]) => {
    const { text } = await staff.visitor.get(`/consola/consultas?${query}`)
    return sids.filter((sid) => text.includes(`/consola/consultas/${sid}"`))
  }
  const acts = (act: string) =>
    server.store.query<{ subject: string; detail: { sids?: string[] } | null }>(
      sql`select subject, detail from audit_log where act = ${act} and account_id = ${staff.account.id} order by id desc`,
    )

  it('200: found by sid, by the whole mail or telephone of the person, by agency and by period', async () => {
    const other = await makeAgencia(depsOf(server), app.app)
    const first = await ask({ interesado: { Email: 'Una.Persona@correo.test', Telefono: null } })
    const second = await ask({
      interesado: { Email: '', Telefono: '+54 9 11 4444-1234' },
      at: new Date(Date.now() - 40 * DAY_MS),
    })
    const third = await ask({
      agencia: other.agencia,
      interesado: { Email: 'una.persona@correo.test', Telefono: null },
    })
    const sids = [first.sid, second.sid, third.sid]
    assert.deepEqual(await found(`sid=${first.sid.toLowerCase()}`, sids), [first.sid])
    assert.deepEqual(await found('persona=una.persona@CORREO.test', sids), [first.sid, third.sid])
    assert.deepEqual(await found('persona=una.persona', sids), [], 'part of a mail finds nobody')
    assert.deepEqual(await found(`persona=${encodeURIComponent('5491144441234')}`, sids), [second.sid])
    assert.deepEqual(await found(`agencia=${other.mail}`, sids), [third.sid])
    assert.deepEqual(await found('agencia=nadie@agencia.test', sids), [])
    assert.deepEqual(await found(`agencia=${agencia.adminMail}&persona=una.persona@correo.test`, sids), [first.sid])
    const day = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)
    assert.deepEqual(await found(`agencia=${agencia.adminMail}&hasta=${day}`, sids), [second.sid])
    assert.deepEqual(await found(`desde=${day}`, sids), [first.sid, third.sid])
    assert.deepEqual(await found('desde=0001-01-01&hasta=9999-12-31', sids), sids)
    const [noted] = await acts('consultas.buscar-persona')
    assert.equal(noted?.subject, '', 'the person is not named in the audit log')
  })

  it('200: the list and its CSV say nothing of who asks; opening one does, and is in the audit log', async () => {
    const { sid } = await ask({ interesado: { Nombre: 'Zulema', Apellido: 'Quiroga', Email: 'zulema@correo.test' } })
    for (const path of ['/consola/consultas', '/consola/consultas?formato=csv']) {
      const { status, text } = await staff.visitor.get(path)
      assert.equal(status, 200)
      assert.ok(text.includes(sid))
      for (const personal of ['Zulema', 'Quiroga', 'zulema@correo.test', '341 555-0134'])
        assert.ok(!text.includes(personal), `${personal} in ${path}`)
    }
    assert.deepEqual(
      (await acts('consulta.leer')).filter(({ subject }) => subject === sid),
      [],
    )
    const { text } = await staff.visitor.get(`/consola/consultas/${sid}`)
    for (const shown of ['Zulema Quiroga', 'zulema@correo.test', '¿Sigue disponible?', 'La Esquina', 'Fiat Cronos'])
      assert.ok(text.includes(shown), shown)
    assert.equal((await acts('consulta.leer')).filter(({ subject }) => subject === sid).length, 1)
  })

  it('303: sent again to an app, under the id it has; an app that came later is notified for the first time', async () => {
    const { sid } = await ask()
    const path = `/consola/consultas/${sid}`
    const refused = await staff.visitor.post(`${path}/reenviar`, { App: app.app.appKey })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /no tiene un webhook activo/)

    await hook(server, app, 'consulta.recibida', receiver.url)
    assert.match((await staff.visitor.get(path)).text, /puede verla, pero no hay una notificación guardada/)
    const sent = await staff.visitor.post(`${path}/reenviar`, { App: app.app.appKey })
    assert.deepEqual([sent.status, sent.headers.location], [303, `${path}#entregas`])
    const [event] = await server.store.query<{ id: string }>(sql`select id from events where sid = ${sid}`)
    await settled(server, [event?.id ?? ''])
    const text = (await staff.visitor.get(path)).text
    assert.ok(text.includes(`/consola/entregas/${event?.id}`))
    assert.match(text, /entregada/)

    assert.equal((await staff.visitor.post(`${path}/reenviar`, { App: app.app.appKey })).status, 303)
    const events = await server.store.query(sql`select id from events where sid = ${sid}`)
    assert.deepEqual(events, [event], 'it keeps its id')
    const stranger = await server.newApp()
    assert.equal((await staff.visitor.post(`${path}/reenviar`, { App: stranger.app.appKey })).status, 403)
    assert.equal((await staff.visitor.post(`${path}/reenviar`, { App: 'nada' })).status, 404)
    assert.equal((await acts('consulta.reenviar'))[0]?.subject, sid)
  })

  it('200: only the newest notifications of an inquiry are shown; an app of which all are older counts as notified', async () => {
    const { sid } = await ask()
    const other = await server.newApp()
    const path = `/consola/consultas/${sid}`
    const store = (apps: TestApp[]) => {
      const events = apps.map(({ app: { id } }) => eventOf(id, 'consulta.modificada', { sid }))
      return server.store.transaction((tx) => insertEvents(tx, events))
    }
    const shown = (text: string) => text.split('consulta.modificada').length - 1
    await store([app, ...Array<TestApp>(MAX_NOTIFICATIONS - 1).fill(other)])
    const all = (await staff.visitor.get(path)).text
    assert.equal(shown(all), MAX_NOTIFICATIONS)
    assert.doesNotMatch(all, /Se muestran solo/)
    await store(Array<TestApp>(30).fill(other))
    const newest = (await staff.visitor.get(path)).text
    assert.equal(shown(newest), MAX_NOTIFICATIONS)
    assert.match(newest, /Se muestran solo las 200 notificaciones más recientes/)
    assert.doesNotMatch(newest, /puede verla, pero no hay una notificación guardada/)
  })

  it('404: an inquiry that does not exist; and everything, for people who are not staff', async () => {
    const { sid } = await ask()
    for (const path of ['/consola/consultas/nada', `/consola/consultas/${'0'.repeat(26)}`])
      assert.equal((await staff.visitor.get(path)).status, 404)
    const administrator = await visitor(server).enter(agencia.adminMail)
    const developer = await makeDeveloper(server, app, { rol: 'titular' })
    for (const other of [administrator, developer.visitor]) {
      assert.equal((await other.get('/consola/consultas')).status, 404)
      assert.equal((await other.get(`/consola/consultas/${sid}`)).status, 404)
      assert.equal((await other.post(`/consola/consultas/${sid}/reenviar`, { App: app.app.appKey })).status, 404)
    }
  })

  describe('in a browser', () => {
    it('one of the staff finds the inquiry of a person, reads it and sends it again', async () => {
      const { sid } = await ask({ interesado: { Nombre: 'Bruno', Apellido: 'Sosa', Email: 'bruno@correo.test' } })
      await onPage('console consultas', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/consultas')
        await assertAccessible(page)
        await search(page, { Persona: 'bruno@correo.test' })
        assert.match((await download(page)).lines[1] ?? '', new RegExp(sid))
        await page.getByRole('link', { name: /Fiat Cronos/ }).click()
        await page.getByRole('heading', { name: 'Bruno Sosa', level: 1 }).waitFor()
        assert.ok(page.url().endsWith(sid))
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Avisar a Gestión Sur' }).click()
        await page.getByText('Se envía la consulta a la app').waitFor()
        await page.getByRole('link', { name: 'consulta.recibida' }).click()
        await page.getByRole('heading', { name: 'Intentos' }).waitFor()
        await assertAccessible(page)
      })
    })
  })
})

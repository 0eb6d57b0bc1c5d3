import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import type { Answer } from '../../../tests/support/caller.ts'
import { eventOf, hook, LOOPBACK, settled, storeEvents, tried } from '../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { download, withOwnClock, withPages } from '../../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { until } from '../../../tests/support/until.ts'
import { ulid } from '../../ulid.ts'
import { insertEvents } from '../../webhooks/events.ts'

const LIST = '/consola/entregas'
const PART = { 'hx-request': 'true' }

describe('deliveries in the console', () => {
  const { server, onPage } = withPages({ env: LOOPBACK, worker: {} })
  let staff: MadeStaff
  let receiver: Receiver
  let [one, other]: TestApp[] = []
  before(async () => {
    staff = await makeStaff(server)
    receiver = await openReceiver()
    one = await server.newApp({ nombre: 'Primera' })
    other = await server.newApp({ nombre: 'Segunda' })
    for (const app of [one, other])
      for (const topic of ['webhook.prueba', 'consulta.recibida'] as const) await hook(server, app, topic, receiver.url)
  })
  after(() => receiver.close())

  const seen = async (query: string, ids: string[]) => {
    const { text } = await staff.visitor.get(`${LIST}?${query}`)
    return ids.filter((id) => text.includes(`${LIST}/${id}"`))
  }

  it('200: what all apps were sent, found by app, topic, state, id, inquiry, agency and period', async () => {
    const [first, second] = [one, other] as [TestApp, TestApp]
    const { agencia, mail } = await makeAgencia(depsOf(server), second.app, { Nombre: 'Del Registro' })
    const [a = ''] = await storeEvents(server, first, 'webhook.prueba')
    const sid = ulid(Date.now())
    const b = eventOf(second.app.id, 'consulta.recibida', { agenciaId: agencia.id, sid })
    await server.store.transaction((tx) => insertEvents(tx, [b]))
    const ids = [a, b.id]
    await settled(server, ids)
    assert.deepEqual(await seen('', ids), ids)
    assert.deepEqual(await seen(`app=${first.app.appKey}`, ids), [a])
    assert.deepEqual(await seen('app=nada', ids), [])
    assert.deepEqual(await seen('topic=consulta.recibida', ids), [b.id])
    assert.deepEqual(await seen('topic=consulta.recibida&estado=entregada', ids), [b.id])
    assert.deepEqual(await seen('estado=entregada', ids), ids)
    assert.deepEqual(await seen('estado=pendiente', ids), [])
    assert.deepEqual(await seen(`q=${sid}`, ids), [b.id])
    assert.deepEqual(await seen(`q=${a.toLowerCase()}`, ids), [a])
    assert.deepEqual(await seen(`q=${mail}`, ids), [b.id])
    assert.deepEqual(await seen('q=registro', ids), [b.id])
    assert.deepEqual(await seen('q=nadie@agencia.test', ids), [])
    assert.deepEqual(await seen('desde=2020-01-01&hasta=2020-12-31', ids), [])
    assert.deepEqual(await seen('desde=2020-01-01T10:00', ids), ids)
    const csv = await staff.visitor.get(`${LIST}?q=${a}&formato=csv`)
    assert.match(csv.text, /^\uFEFF"Momento";"App";"Topic";"Agencia";/)
    assert.match(csv.text, /;"Primera";"webhook\.prueba";/)
  })

  it('200: what was not delivered is found across apps, the newest first, and turned page by page', async () => {
    const off = await server.newApp({ nombre: 'Apagada' })
    await hook(server, off, 'webhook.prueba', receiver.url, { Activo: false })
    const ids = await storeEvents(server, off, 'webhook.prueba', 60)
    const first = (await staff.visitor.get(`${LIST}?estado=descartada`)).text
    const rows = [...first.matchAll(/\/consola\/entregas\/([0-9A-Z]{26})"/g)].map(([, id = '']) => id)
    assert.deepEqual(rows, ids.toSorted().reverse().slice(0, 50))
    const older = /href="([^"]*antes=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = (await staff.visitor.get(older)).text
    for (const id of ids.toSorted().slice(0, 10)) assert.ok(second.includes(id))
    assert.match(second, /despues=/)
    assert.deepEqual(await seen('estado=sin-entregar&topic=consulta.recibida', ids), [])
  })

  it('204: a part that has not changed is not sent again; one that has, is', async () => {
    const page = await staff.visitor.get(LIST)
    const part = /hx-get="([^"]*visto=[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await staff.visitor.get(part, PART)).status, 204)
    const [id = ''] = await storeEvents(server, one as TestApp, 'webhook.prueba')
    await settled(server, [id])
    const fresh = await staff.visitor.get(part, PART)
    assert.equal(fresh.status, 200)
    assert.ok(fresh.text.startsWith('<div id="registro"'))
    assert.ok(fresh.text.includes(id))
    assert.ok(!(await staff.visitor.get(`${LIST}?vivo=no`)).text.includes('visto='), 'in peace, nothing moves')
  })

  it('200: one delivery with every attempt and what it says, which is in the audit log; 303 sends it again', async () => {
    receiver.answer((_, turn) => (turn === 1 ? { status: 500, body: 'no hoy' } : 200))
    const [id = ''] = await storeEvents(server, one as TestApp, 'webhook.prueba')
    await tried(server, [id], 1)
    const { text, status } = await staff.visitor.get(`${LIST}/${id}`)
    assert.equal(status, 200)
    for (const shown of ['Intento 1', 'no hoy', 'El receptor respondió', 'ñandú 1.0'])
      assert.ok(text.includes(shown), shown)
    const [noted] = await server.store.query<{ act: string; subject: string }>(
      sql`select act, subject from audit_log order by id desc limit 1`,
    )
    assert.deepEqual(noted, { act: 'entrega.leer', subject: id })
    const readings = async () =>
      (await server.store.query(sql`select 1 from audit_log where act = 'entrega.leer' and subject = ${id}`)).length
    const part = await staff.visitor.get(`${LIST}/${id}`, PART)
    assert.ok(part.text.includes('no hoy'))
    assert.equal(await readings(), 2, 'a part that was sent is a reading too')
    const unchanged = /hx-get="([^"]*visto=[^"]+)"/.exec(part.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await staff.visitor.get(unchanged, PART)).status, 204)
    assert.equal(await readings(), 2, 'one that was not is none')

    const again = await staff.visitor.post(`${LIST}/${id}/reenviar`)
    assert.deepEqual([again.status, again.headers.location], [303, `${LIST}/${id}`])
    await settled(server, [id])
    receiver.release()
    assert.match((await staff.visitor.get(`${LIST}/${id}`)).text, /El receptor la aceptó/)
  })

  it('409: what has nowhere to go is not sent, and the page says why', async () => {
    const silent = await server.newApp()
    const event = eventOf(silent.app.id, 'webhook.prueba')
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    assert.match((await staff.visitor.get(`${LIST}/${event.id}`)).text, /ese webhook no está configurado/)
    const refused = await staff.visitor.post(`${LIST}/${event.id}/reenviar`)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /No se puede enviar ahora: ese webhook no está configurado/)
  })

  it('404: a delivery that does not exist; and everything, for people who are not staff', async () => {
    const [id = ''] = await storeEvents(server, one as TestApp, 'webhook.prueba')
    assert.equal((await staff.visitor.get(`${LIST}/nada`)).status, 404)
    assert.equal((await staff.visitor.post(`${LIST}/${'0'.repeat(26)}/reenviar`)).status, 404)
    const { visitor } = await makeDeveloper(server, one as TestApp, { rol: 'titular' })
    for (const path of [LIST, `${LIST}?formato=csv`, `${LIST}/${id}`])
      assert.equal((await visitor.get(path)).status, 404)
    assert.equal((await visitor.get(LIST, PART)).status, 404)
    assert.equal((await visitor.post(`${LIST}/${id}/reenviar`)).status, 404)
  })

  describe('in a browser', () => {
    it('what is delivered appears by itself; one of the staff opens it and sends it again', () =>
      onPage('console entregas', { as: staff.visitor }, async (page) => {
        const { later } = await withOwnClock(page)
        await page.goto(`${LIST}?app=${one?.app.appKey}`)
        await page.getByText('En vivo').waitFor()
        await assertAccessible(page)
        await page.route('**/consola/entregas?*', (route) => route.fulfill({ status: 429 }), { times: 1 })
        await later(3)
        await page.getByText('No se puede actualizar la lista').waitFor()
        await page.getByText('En vivo').waitFor({ state: 'hidden' })
        await assertAccessible(page)
        await later(3)
        await page.getByText('En vivo').waitFor()
        await page.getByText('No se puede actualizar la lista').waitFor({ state: 'hidden' })
        const [id = ''] = await storeEvents(server, one as TestApp, 'consulta.recibida')
        const row = page.getByRole('row').filter({ hasText: id })
        await settled(server, [id])
        await later(3)
        await row.getByText('entregada').waitFor()
        await page.getByLabel('Topic').selectOption('consulta.recibida')
        await page.waitForURL(/topic=consulta/)
        assert.match((await download(page)).lines.join('\n'), new RegExp(id))
        await row.getByRole('link').first().click()
        await page.getByRole('heading', { name: 'consulta.recibida', level: 1 }).waitFor()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Reenviar' }).click()
        await page.getByText('Se reenvía la notificación, con el mismo id').waitFor()
        await tried(server, [id], 2)
        await later(2)
        await page.getByText('Intento 2').waitFor()
      }))
  })
})

describe('a search in very many deliveries', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ env: { TRUST_PROXY: '127.0.0.1' } })
  })
  after(() => server.stop())

  it('429: people who download too many files at once are told in their words', async () => {
    const staff = await makeStaff(server)
    const csv = `${LIST}?estado=entregada&formato=csv`
    let refused: Answer | undefined
    let calls: Promise<unknown>[] = []
    await server.store.transaction(async (tx) => {
      await tx.query(sql`lock table events in access exclusive mode`)
      calls = Array.from({ length: 23 }, async (_, n) => {
        const answer = await staff.visitor.get(csv, { 'x-forwarded-for': `192.0.2.${n}` })
        if (answer.status === 429) refused = answer
      })
      await until(() => refused)
    })
    await Promise.all(calls)
    assert.match(refused?.text ?? '', /Hay otras descargas o reenvíos en curso/)
  })

  it('200: the file says how far it searched, and the page does not refresh itself', async () => {
    const staff = await makeStaff(server)
    const { app } = await server.newApp()
    const many = sql`from generate_series(1, 101000) n`
    const id = sql`'01JNG3Y4Z5' || lpad(n::text, 16, '0')`
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload) select ${id}, ${app.id}, 'webhook.prueba', '{}' ${many}`)
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado) select ${id}, ${app.id}, 'fallida' ${many}`)
    const page = (await staff.visitor.get(`${LIST}?estado=entregada`)).text
    assert.match(page, /Buscamos hasta/)
    assert.ok(!page.includes('visto='))
    const { text } = await staff.visitor.get(`${LIST}?estado=entregada&formato=csv`)
    const [, last, ...rest] = text.trimEnd().split('\r\n')
    assert.match(last ?? '', /^"La búsqueda se detuvo en 2025-03-04 \d\d:\d\d:\d\d\./)
    assert.deepEqual(rest, [])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import type { Answer } from '../../../../tests/support/caller.ts'
import { attemptsOf, hook, LOOPBACK, settled, storeEvents, tried } from '../../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { download, search, waitForNotice, withOwnClock, withPages } from '../../../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../../../tests/support/receiver.ts'
import { until } from '../../../../tests/support/until.ts'

const TOPIC = 'consulta.recibida'

describe('many deliveries sent again', () => {
  const { server, onPage } = withPages({ env: LOOPBACK, worker: {} })
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
  })
  after(() => receiver.close())

  async function setUp() {
    const app = await server.newApp()
    const { visitor, account } = await makeDeveloper(server, app, { rol: 'desarrollador' })
    await hook(server, app, TOPIC, `${receiver.url}/${app.app.id}`)
    return { app, visitor, account, at: `/portal/${app.app.appKey}/entregas` }
  }
  const settle = (ids: string[], estado: string) =>
    server.store.query(sql`update deliveries set estado = ${estado} where id = any (${ids}::text[])`)
  const hiddenIn = (text: string) => {
    const [form = ''] = /<form method="post" action="[^"]*\/reenviar"[\s\S]*?<\/form>/.exec(text) ?? [] // the footer has one too
    return Object.fromEntries(
      [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
  }

  it('200, 303: looked at first, then sent: what failed and what no webhook heard, and nothing that came after', async () => {
    const { app, visitor, at, account } = await setUp()
    const arrived = await storeEvents(server, app, TOPIC, 2)
    const failed = await storeEvents(server, app, TOPIC, 3)
    const unheard = await storeEvents(server, app, 'agencia.modificada', 4)
    await settled(server, [...arrived, ...failed])
    await settle(failed, 'fallida')
    const first = await visitor.get(`${at}/reenviar`)
    assert.match(first.text, /últimas 24 horas[\s\S]*Reenviar 3 notificaciones/)
    assert.match(first.text, /<option value="sin-entregar" selected/)
    assert.match(first.text, /Lo pendiente se reintenta automáticamente/, 'what still waits is not in this list')
    const filters = await visitor.get(`${at}/reenviar?previa=si&estado=sin-entregar`)
    assert.match(filters.text, /Reenviar 3 notificaciones/)
    assert.match(filters.text, /agencia\.modificada[\s\S]*>4<[\s\S]*sin configurar/)
    assert.equal((await attemptsOf(server, failed[0] ?? '')).length, 1)

    const form = hiddenIn(filters.text)
    assert.match(form.hasta ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    await hook(server, app, 'agencia.modificada', `${receiver.url}/ahora`)
    const { status, headers } = await visitor.post(`${at}/reenviar`, form)
    assert.equal(status, 303)
    assert.ok(headers.location?.startsWith(`${at}?`))
    await tried(server, failed, 2)
    await settled(server, unheard)
    assert.equal((await attemptsOf(server, arrived[0] ?? '')).length, 1)
    const [noted] = await server.store.query<{ detail: { cantidad: number } }>(sql`
      select detail from audit_log where account_id = ${account.id} and act = 'entregas.reenviar'`)
    assert.equal(noted?.detail.cantidad, 7)
  })

  it('200, 303: what failed at a second webhook of the topic is sent to that one', async () => {
    const { app, visitor, at } = await setUp()
    await settled(server, await storeEvents(server, app, TOPIC))
    const body = JSON.stringify({ Callback: `${receiver.url}/otro-${app.app.id}` })
    await app.call('POST', `/v3/appnotificaciones/${TOPIC}/destinos`, { body })
    const unsent = `${at}/reenviar?previa=si&estado=sin-entregar`
    assert.doesNotMatch((await visitor.get(unsent)).text, /Reenviar 1 notificación/)
    assert.match((await visitor.get(`${unsent}&destino=2`)).text, /Reenviar 1 notificación/)
    const [id = ''] = await storeEvents(server, app, TOPIC)
    await settled(server, [id, `${id}-2`])
    await settle([`${id}-2`], 'fallida')
    assert.ok((await visitor.get(`${at}?estado=fallida`)).text.includes(`${at}/${id}-2`))
    const { text } = await visitor.get(`${at}/reenviar?previa=si&estado=fallida`)
    assert.match(text, /consulta\.recibida<\/code> · Destino 2[\s\S]*Reenviar 1 notificación/)
    await visitor.post(`${at}/reenviar`, hiddenIn(text))
    await tried(server, [`${id}-2`], 2)
    assert.equal((await attemptsOf(server, id)).length, 1)
  })

  it('200: what is too many to count is told as such, and can be sent nevertheless', async () => {
    const { app, visitor, at } = await setUp()
    const [old = ''] = await storeEvents(server, app, TOPIC)
    await settled(server, [old])
    await settle([old], 'fallida')
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload)
      select ${old.slice(0, 10)} || 'Z' || lpad(n::text, 15, '0'), ${app.app.id}, ${TOPIC}, '{}'
      from generate_series(1, 20000) n`)
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado)
      select id, app_id, 'entregada' from events where app_id = ${app.app.id} and id <> ${old}`)
    const filters = await visitor.get(`${at}/reenviar?previa=si&estado=sin-entregar`)
    assert.match(filters.text, /\d o más/)
    assert.match(filters.text, /Reenviar todas/)
    assert.equal((await visitor.post(`${at}/reenviar`, hiddenIn(filters.text))).status, 303)
    await tried(server, [old], 2)
  })

  it('200, 303: nothing like it, and nothing is sent; another app’s are never reached', async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const [id = ''] = await storeEvents(server, other.app, TOPIC)
    await settled(server, [id])
    await settle([id], 'fallida')
    const filters = await mine.visitor.get(`${mine.at}/reenviar?previa=si&estado=sin-entregar`)
    assert.match(filters.text, /No hay nada que reenviar con esos filtros/)
    for (const q of [id, 'nadie', 'nadie@agencia.test'])
      assert.equal((await mine.visitor.post(`${mine.at}/reenviar`, { estado: 'sin-entregar', q })).status, 303)
    assert.equal((await attemptsOf(server, id)).length, 1)
  })

  it('303: what was sent before the database refused more is counted; 503 if nothing was sent', async () => {
    const LATER = 'publicacion.suspendida'
    const { app, visitor, at, account } = await setUp()
    const webhookId = await hook(server, app, LATER, `${receiver.url}/otro-topic-${app.app.id}`)
    const sent = await storeEvents(server, app, TOPIC, 2)
    const refused = await storeEvents(server, app, LATER, 3)
    await settled(server, [...sent, ...refused])
    await settle([...sent, ...refused], 'fallida')
    await server.store.query(sql`
      create function refuse_delivery() returns trigger language plpgsql as
      $$ begin raise exception 'too slow' using errcode = 'query_canceled'; end $$`)
    await server.store.query(sql`
      create trigger refuse_delivery before insert on deliveries for each row
      when (new.app_id = ${raw(String(app.app.id))} and new.webhook_id = ${raw(String(webhookId))})
      execute function refuse_delivery()`)
    const form = { estado: 'fallida' }
    const part = await visitor.post(`${at}/reenviar`, form)
    const nothing = await visitor.post(`${at}/reenviar`, { ...form, topic: LATER })
    await server.store.query(sql`drop function refuse_delivery cascade`)
    assert.deepEqual([part.status, nothing.status], [303, 503])
    assert.match(part.headers['set-cookie'] ?? '', /=entregas-reenviadas-en-parte;/)
    await tried(server, sent, 2)
    for (const id of refused) assert.equal((await attemptsOf(server, id)).length, 1)
    const noted = await server.store.query<{ detail: { cantidad: number } }>(sql`
      select detail from audit_log where account_id = ${account.id} and act = 'entregas.reenviar'`)
    assert.deepEqual(
      noted.map(({ detail }) => detail.cantidad),
      [2],
    )
  })

  it('429: people who resend too often at once are told in their words', async () => {
    const { visitor, at } = await setUp()
    let refused: Answer | undefined
    let calls: Promise<unknown>[] = []
    await server.store.transaction(async (tx) => {
      await tx.query(sql`lock table events in access exclusive mode`)
      calls = Array.from({ length: 23 }, async () => {
        const answer = await visitor.post(`${at}/reenviar`, { estado: 'fallida' })
        if (answer.status === 429) refused = answer
      })
      await until(() => refused)
    })
    await Promise.all(calls)
    assert.match(refused?.text ?? '', /Hay otras descargas o reenvíos en curso/)
    assert.equal(refused?.headers['retry-after'], '5')
  })

  it('400: a form without filters, or with one that is blank, mistyped or repeated, sends nothing; nor does a search offer it', async () => {
    const { app, visitor, at } = await setUp()
    const [id = ''] = await storeEvents(server, app, TOPIC)
    await settled(server, [id])
    const forms: Record<string, string>[] = [
      {},
      { q: '' },
      { estado: 'entregada', q: '' },
      { estado: 'entrgada' },
      { estado: 'entregada', topic: 'consulta.recbida' },
      { estado: 'entregada', desde: 'ayer' },
      { estado: 'entregada', evnto: id },
      { Estado: 'entregada' },
    ]
    for (const form of forms) {
      const { status, text } = await visitor.post(`${at}/reenviar`, form)
      assert.equal(status, 400, JSON.stringify(form))
      assert.match(text, /no se envió nada/)
    }
    for (const query of ['estado=entrgada', 'desde=ayer', 'topic=x', 'estado=entregada&estado=fallida'])
      assert.doesNotMatch((await visitor.get(`${at}/reenviar?previa=si&${query}`)).text, /Revise y envíe/, query)
    assert.equal((await attemptsOf(server, id)).length, 1)
    assert.match((await visitor.get(`${at}/reenviar?previa=si&q=&estado=entregada`)).text, /Reenviar 1 notificación/)
    assert.equal((await visitor.post(`${at}/reenviar`, { estado: 'entregada' })).status, 303)
    await tried(server, [id], 2)
  })

  it('in a browser: a double click sends the form once', async () => {
    const { app, visitor, at } = await setUp()
    const ids = await storeEvents(server, app, TOPIC, 2)
    await settled(server, ids)
    await settle(ids, 'fallida')
    await onPage('portal-doble-clic', { as: visitor }, async (page) => {
      let posts = 0
      await page.route('**/reenviar', async (route) => {
        posts++
        await setTimeout(500) // as slow as a resend of many
        await route.continue().catch(() => undefined)
      })
      await page.goto(`${at}/reenviar?previa=si&estado=sin-entregar`)
      await page.getByRole('button', { name: 'Reenviar 2 notificaciones' }).evaluate((button: HTMLButtonElement) => {
        button.click()
        window.setTimeout(() => button.click(), 100)
      })
      await waitForNotice(page, 'Se reenvían las notificaciones')
      assert.equal(posts, 1)
    })
  })

  it('in a browser: after an outage, what was missed arrives; the log shows it by itself', async () => {
    const { app, visitor, at } = await setUp()
    const failed = await storeEvents(server, app, TOPIC, 2)
    await settled(server, failed)
    await settle(failed, 'fallida')
    await onPage('portal-reenviar', { as: visitor }, async (page) => {
      const { later } = await withOwnClock(page)
      await page.goto(`${at}?estado=fallida`)
      await assertAccessible(page)
      await page.getByRole('row').filter({ hasText: 'fallida' }).nth(1).waitFor()
      await page.getByRole('link', { name: 'Reenviar varias' }).click()
      await page.getByRole('button', { name: 'Buscar' }).click()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Reenviar 2 notificaciones' }).click()
      await page.getByText('Se reenvían las notificaciones').waitFor()
      await settled(server, failed)
      await page.goto(at)
      await page.getByRole('row').filter({ hasText: 'entregada' }).nth(1).waitFor()
      const [fresh = ''] = await storeEvents(server, app, TOPIC)
      await settled(server, [fresh])
      await later(3)
      await page.getByText(fresh).waitFor() // by itself
      await search(page, { 'Id, sid o agencia': fresh })
      assert.match((await download(page)).lines[1] ?? '', new RegExp(fresh))
      await page.getByRole('cell').getByRole('link').click()
      await page.getByRole('heading', { name: TOPIC }).waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Reenviar' }).click()
      await tried(server, [fresh], 2)
      await later(2)
      await page.getByText('Intento 2').waitFor() // by itself
    })
  })
})

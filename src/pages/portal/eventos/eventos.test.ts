import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { hook, LOOPBACK, storeEvents } from '../../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { download, search, withPages } from '../../../../tests/support/pages.ts'
import { until } from '../../../../tests/support/until.ts'

describe('events in the portal', () => {
  const { server, onPage } = withPages({ env: LOOPBACK })

  async function setUp() {
    const app = await server.newApp()
    const { visitor, account } = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const at = `/portal/${app.app.appKey}/eventos`
    const shown = async (query = '') => idsIn((await visitor.get(at + query)).text)
    return { app, visitor, account, at, shown }
  }
  const idsIn = (text: string) =>
    [...text.matchAll(/href="\/portal\/[0-9a-f]{32}\/eventos\/([0-9A-Z]{26})"/g)].map(([, id]) => id ?? '')
  const newestFirst = (ids: string[]) => ids.toSorted().reverse()

  it('200: everything announced, heard or not, newest first; by topic and id; in pages and as a file', async () => {
    const { app, visitor, at, shown } = await setUp()
    assert.match((await visitor.get(at)).text, /Todavía no ocurrió nada/)
    await hook(server, app, 'consulta.recibida', 'http://127.0.0.1:9/x')
    const heard = await storeEvents(server, app, 'consulta.recibida', 30)
    const unheard = await storeEvents(server, app, 'agencia.modificada', 30)
    const all = newestFirst([...heard, ...unheard])
    assert.deepEqual(await shown(), all.slice(0, 50))
    assert.deepEqual(await shown(`?antes=${all[49]}`), all.slice(50))
    assert.deepEqual(await shown('?topic=consulta.recibida'), newestFirst(heard))
    assert.deepEqual(await shown(`?q=${unheard[3]}`), [unheard[3]])
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado) values (${`${unheard[29]}-2`}, ${app.app.id}, 'entregada')`)
    const { text } = await visitor.get(at)
    assert.match(text, /sin entrega/)
    assert.ok(text.includes(`/entregas/${unheard[29]}-2"`), 'delivered to the second webhook alone')
    assert.equal((await visitor.get(`${at}?formato=csv`)).text.trim().split('\r\n').length, 61)
    assert.match((await visitor.get(`${at}?q=nadie`)).text, /No hay eventos con esos filtros/)
  })

  it('200: the cursor that an event shows begins the feed with it', async () => {
    const { app, visitor, at, account } = await setUp()
    const ids = await storeEvents(server, app, 'consulta.recibida', 5)
    const { text } = await visitor.get(`${at}/${ids[2]}`)
    const path = /\/v3\/eventos\?cursor=[\w-]+/.exec(text)?.[0] ?? ''
    // An event enters the feed when every transaction that began before it has ended, in any database of the server.
    const given = await until(async () => {
      const feed = await app.call('GET', path)
      assert.equal(feed.status, 200)
      const found: string[] = feed.json._entries.map(({ Id }: { Id: string }) => Id)
      return found.length >= 3 && found
    })
    assert.deepEqual(given, ids.slice(2))
    const noted = await server.store.query<{ act: string; subject: string }>(sql`
      select act, subject from audit_log where account_id = ${account.id}`)
    assert.deepEqual(noted, [{ act: 'evento.leer', subject: ids[2] }])
  })

  it('404: another app’s event, and one that never was', async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const [id] = await storeEvents(server, other.app, 'consulta.recibida')
    for (const each of [id, '01JNG3Y4Z5A6B7C8D9E0F1G2H3', 'x'])
      assert.equal((await mine.visitor.get(`${mine.at}/${each}`)).status, 404)
  })

  it('in a browser: an event is found, read, and led to where it can be sent', async () => {
    const { app, visitor, at } = await setUp()
    const [id = ''] = await storeEvents(server, app, 'agencia.modificada')
    await onPage('portal-eventos', { as: visitor }, async (page) => {
      await page.goto(at)
      await assertAccessible(page)
      await search(page, { 'Id, sid o agencia': 'nadie' })
      await page.getByText('No hay eventos con esos filtros').waitFor()
      await search(page, { 'Id, sid o agencia': id })
      assert.equal((await download(page)).lines.length, 2)
      await page.getByRole('cell').getByRole('link').click()
      await page.getByRole('heading', { name: 'agencia.modificada' }).waitFor()
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Enviarlo a un webhook' }).click()
      await page.getByRole('link', { name: 'Configurar un webhook' }).waitFor()
      assert.ok(page.url().endsWith(`/entregas/${id}`))
      await assertAccessible(page)
    })
  })
})

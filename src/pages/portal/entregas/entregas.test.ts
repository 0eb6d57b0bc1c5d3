import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../../tests/support/agencia.ts'
import {
  attemptsOf,
  eventOf,
  hook,
  LOOPBACK,
  SECRET,
  settled,
  storeEvents,
  tried,
} from '../../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { openReceiver, type Receiver } from '../../../../tests/support/receiver.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { visitor } from '../../../../tests/support/visitor.ts'
import { ulid } from '../../../ulid.ts'
import { insertEvents } from '../../../webhooks/events.ts'
import { keyOf, signatures } from '../../../webhooks/headers.ts'

const TOPIC = 'consulta.recibida'
const PART = { 'hx-request': 'true' }

describe('deliveries in the portal', () => {
  let server: TestServer
  let receiver: Receiver
  let houses = 0
  before(async () => {
    server = await startServer({ env: LOOPBACK, worker: {} })
    receiver = await openReceiver()
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  /** An app with a developer and a webhook of its own path, which answers well until told otherwise. */
  async function setUp() {
    const app = await server.newApp()
    const { visitor, account } = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const path = `/casa${++houses}`
    await hook(server, app, TOPIC, receiver.url + path)
    const at = `/portal/${app.app.appKey}/entregas`
    const shown = async (query = '') => idsIn((await visitor.get(at + query)).text)
    return { app, visitor, account, path, at, shown }
  }
  const idsIn = (text: string) =>
    [...text.matchAll(/href="\/portal\/[0-9a-f]{32}\/entregas\/([0-9A-Z]{26})"/g)].map(([, id]) => id ?? '')
  const newestFirst = (ids: string[]) => ids.toSorted().reverse()
  const codeIn = (text: string, id: string) =>
    (new RegExp(`id="${id}">([^<]*)<`).exec(text)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&')

  it('200: all topics newest first, by topic, state, id, sid and time; an app without webhooks is shown the way', async () => {
    const { app, visitor, at, shown } = await setUp()
    assert.match((await visitor.get(at)).text, /Todavía no se envió nada/)
    const sid = ulid(Date.now())
    const about = eventOf(app.app.id, TOPIC, { sid })
    await server.store.transaction((tx) => insertEvents(tx, [about]))
    const all = newestFirst([about.id, ...(await storeEvents(server, app, TOPIC, 2))])
    await settled(server, all)
    assert.deepEqual(await shown(), all)
    assert.deepEqual(await shown('?estado=entregada&topic=consulta.recibida'), all)
    for (const none of ['?estado=fallida', '?topic=agencia.modificada', '?hasta=2020-01-01', `?q=${ulid(1)}`])
      assert.deepEqual(await shown(none), [], none)
    assert.deepEqual(await shown(`?q=${sid}`), [about.id])
    assert.deepEqual(await shown(`?q=%20${about.id.toLowerCase()}%20`), [about.id])
    assert.deepEqual(await shown('?desde=2020-01-01T10:30&hasta=2999-12-31'), all)
    assert.match((await visitor.get(`${at}?q=nadie`)).text, /No hay entregas con esos filtros/)
    const bare = await server.newApp()
    const { visitor: other } = await makeDeveloper(server, bare)
    assert.match((await other.get(`/portal/${bare.app.appKey}/entregas`)).text, /Ningún topic tiene webhook/)
  })

  it('200: what makes no sense in the address is as if it had not been said', async () => {
    const { app, shown, visitor, at } = await setUp()
    const ids = await storeEvents(server, app, TOPIC)
    for (const odd of ['?estado=x', '?topic=x', '?desde=ayer', '?hasta=2026-13-40T99:99', '?antes=&despues=', '?q=%20'])
      assert.deepEqual(await shown(odd), ids, odd)
    for (const odd of ['?antes=zzz', '?despues=%27', '?q=a&q=b', '?desde=0000-00-00', '?hasta=9999-12-31'])
      assert.equal((await visitor.get(at + odd)).status, 200, odd)
  })

  it('200: an agency is found by its mail and by words of its name; another’s is not', async () => {
    const { app, shown } = await setUp()
    await hook(server, app, 'agencia.registrada', `${receiver.url}/agencias`)
    const { mail } = await makeAgencia(depsOf(server), app.app, { Nombre: 'Ñandú Automóviles' })
    const other = await setUp()
    const { mail: foreign } = await makeAgencia(depsOf(server), other.app.app, { Nombre: 'Ñandú Ajeno' })
    const [first = ''] = await shown()
    for (const q of [mail, mail.toUpperCase(), 'nandu', 'AUTOMOVILES ñandú'])
      assert.deepEqual(await shown(`?q=${encodeURIComponent(q)}`), [first], q)
    for (const q of [foreign, 'ajeno', '100%']) assert.deepEqual(await shown(`?q=${encodeURIComponent(q)}`), [], q)
  })

  it('200: fifty a page, on and back again; the same rows as a file', async () => {
    const { app, visitor, at, shown } = await setUp()
    const all = newestFirst(await storeEvents(server, app, TOPIC, 120))
    const first = await visitor.get(at)
    assert.deepEqual(idsIn(first.text), all.slice(0, 50))
    const on = /href="([^"]*antes=[^"]*)">Página siguiente/.exec(first.text)?.[1] ?? ''
    const second = await visitor.get(on)
    assert.deepEqual(idsIn(second.text), all.slice(50, 100))
    assert.deepEqual(await shown(`?antes=${all[99]}`), all.slice(100))
    const back = /href="([^"]*despues=[^"]*)">← Página anterior/.exec(second.text)?.[1] ?? ''
    assert.deepEqual(idsIn((await visitor.get(back)).text), all.slice(0, 50))
    const csv = await visitor.get(`${at}?formato=csv&topic=${TOPIC}`)
    assert.match(csv.headers['content-type'] ?? '', /text\/csv/)
    const lines = csv.text.trim().split('\r\n')
    assert.equal(lines.length, 121)
    assert.match(lines[0] ?? '', /"Momento";"Topic";"Agencia";"Estado";"Respuesta";"Intentos";"Id";"sid"/)
    assert.ok(lines[1]?.includes(all[0] ?? '-'))
  })

  it('200, 204: the log brings itself up to date, and says nothing while nothing changed', async () => {
    const { app, visitor, at } = await setUp()
    await settled(server, await storeEvents(server, app, TOPIC))
    const again = (text: string) => (/hx-get="([^"]*visto=[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    const href = again((await visitor.get(at)).text)
    assert.equal((await visitor.get(href, PART)).status, 204)
    const [id = ''] = await storeEvents(server, app, TOPIC)
    const { status, text } = await visitor.get(href, PART)
    assert.equal(status, 200)
    assert.ok(text.startsWith('<div id="registro"') && idsIn(text)[0] === id, text)
    assert.notEqual(again(text), href)
    assert.equal(again((await visitor.get(`${at}?vivo=no`)).text), '')
    assert.equal(again((await visitor.get(`${at}?antes=${id}`)).text), '')
  })

  it('200, 204: so does the log of calls, without a search while no call came', async () => {
    const { app, visitor, at } = await setUp()
    const again = (text: string) => (/hx-get="([^"]*visto=[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    const calls = at.replace('entregas', 'llamadas?q=colores')
    await app.get('/v3/colores')
    const { text } = await visitor.get(calls)
    assert.ok(text.includes('/v3/colores'))
    assert.equal((await visitor.get(again(text), PART)).status, 204)
    const early = ulid(Date.now() - 2_000) // another node stores it after a newer one
    await server.store.query(sql`
      insert into app_calls (dia, id, app_id, metodo, ruta, portal, estado, ms)
      values (call_day(now()), ${early}, ${app.app.id}, 'GET', '/v3/colores/1', false, 200, 1)`)
    const changed = await visitor.get(again(text), PART)
    assert.deepEqual([changed.status, changed.text.includes('/v3/colores/1')], [200, true])
    await app.get('/v3/marcas')
    assert.equal((await visitor.get(again(changed.text), PART)).status, 200)
  })

  it('a part of nobody’s session asks for the whole page, and is not shown the form to sign in', async () => {
    const { at } = await setUp()
    const { status, headers, text } = await visitor(server).get(at, PART)
    assert.deepEqual([status, headers['hx-refresh'], text], [200, 'true', ''])
  })

  it('200: one delivery: every attempt, what was answered, the payload; each read is in the audit log', async () => {
    const { app, visitor, at, path, account } = await setUp()
    receiver.answer(({ path: to }) => (to === path ? { status: 500, body: '<b>no</b> puedo' } : 200))
    const [id = ''] = await storeEvents(server, app, TOPIC)
    await tried(server, [id], 1)
    const { status, text } = await visitor.get(`${at}/${id}`)
    assert.equal(status, 200)
    for (const shown of [
      'reintentando',
      'Intento 1',
      'El receptor respondió 500.',
      '&lt;b>no&lt;/b> puedo',
      '127.0.0.1',
    ])
      assert.ok(text.includes(shown), shown)
    assert.match(text, /ñandú 1\.0/)
    assert.match(text, /Próximo intento|Se está enviando|Sale en un momento/)
    const noted = () =>
      server.store.query<{ act: string; via: string; subject: string }>(sql`
        select act, via, subject from audit_log where account_id = ${account.id}`)
    const reading = { act: 'entrega.leer', via: 'portal', subject: id }
    assert.deepEqual(await noted(), [reading])
    assert.ok((await visitor.get(`${at}/${id}`, PART)).text.includes('puedo'))
    assert.deepEqual(await noted(), [reading, reading], 'a part that was sent is a reading too')
    receiver.release()
  })

  it('200: each attempt tells the headers that it carried, and that signatures are not kept', async () => {
    const { app, visitor, at, path } = await setUp()
    const [id = ''] = await storeEvents(server, app, TOPIC)
    await settled(server, [id])
    await visitor.post(`${at}/${id}/reenviar`)
    await tried(server, [id], 2)
    const { text } = await visitor.get(`${at}/${id}`)
    assert.match(text, /La firma y los encabezados\s+propios del webhook no se guardan/)
    const listed = [...text.matchAll(/<dl class="data">(.*?)<\/dl>/gs)].map(([, list = '']) =>
      Object.fromEntries(
        [...list.matchAll(/<code>([^<]*)<\/code><\/dt><dd><code>([^<]*)</g)].map(([, name = '', value]) => [
          name.toLowerCase(),
          value,
        ]),
      ),
    )
    const sent = (await receiver.waitFor(2, path)).toReversed() // the page has the last one first
    for (const [index, { headers }] of sent.entries()) {
      const { 'webhook-timestamp': timestamp, 'notification-timestamp': same, ...shown } = listed[index] ?? {}
      for (const [name, value] of Object.entries(shown)) assert.equal(value, headers[name], name)
      assert.deepEqual([Object.keys(shown).length, shown['webhook-attempt']], [5, String(2 - index)])
      assert.ok(Math.abs(Number(timestamp) - Number(headers['webhook-timestamp'])) <= 1, timestamp)
      assert.equal(same, timestamp)
    }
  })

  it('the curl of a delivery, run in a shell, arrives byte for byte and signed as every attempt is', async () => {
    const { app, visitor, at, path } = await setUp()
    const event = eventOf(app.app.id, TOPIC)
    const tricky = { ...event, payload: `{"Id":"${event.id}",  "Texto":"it's \\"$HOME\\" \`x\` ñ \\\\ @/etc/passwd"}` }
    await server.store.transaction((tx) => insertEvents(tx, [tricky]))
    await settled(server, [event.id])
    const curl = codeIn((await visitor.get(`${at}/${event.id}`)).text, 'curl')
    assert.match(curl, /^DESTINO=/)
    await promisify(execFile)('sh', ['-c', curl], { env: { PATH: process.env.PATH } })
    const [sent, repeated] = await receiver.waitFor(2, path)
    assert.equal(repeated?.body, tricky.payload)
    assert.deepEqual([sent?.headers['webhook-attempt'], repeated?.headers['webhook-attempt']], ['1', '2'])
    const { 'webhook-timestamp': timestamp = '', 'webhook-signature': signature } = repeated?.headers ?? {}
    const message = { id: event.id, timestamp, topic: TOPIC, body: Buffer.from(tricky.payload) }
    assert.equal(signature, signatures([keyOf(SECRET)], message)[1])
    const names = (headers = {}) =>
      Object.keys(headers)
        .filter((name) => !['accept', 'connection', 'content-length', 'host'].includes(name))
        .sort()
    assert.deepEqual(names(repeated?.headers), names(sent?.headers))
  })

  it('303: sent again under its id, at once; its page shows the new attempt by itself', async () => {
    const { app, visitor, at } = await setUp()
    const [id = ''] = await storeEvents(server, app, TOPIC)
    await settled(server, [id])
    const before = (await visitor.get(`${at}/${id}`)).text
    assert.doesNotMatch(before, /hx-get="[^"]*visto/)
    const { status, headers } = await visitor.post(`${at}/${id}/reenviar`)
    assert.deepEqual([status, headers.location], [303, `${at}/${id}`])
    await tried(server, [id], 2)
    assert.equal((await attemptsOf(server, id)).length, 2)
    const withNotice = { cookie: `${visitor.cookie()}; ${headers['set-cookie']?.split(';')[0]}` }
    const part = await visitor.get(`${at}/${id}`, { ...PART, ...withNotice })
    assert.match(part.text, /Intento 2/)
    assert.equal(part.headers['set-cookie'], undefined, 'a part does not take what the page is about to tell')
    assert.match((await visitor.get(`${at}/${id}`, withNotice)).headers['set-cookie'] ?? '', /rodado_hecho=;/)
  })

  it('409: without an active webhook nothing is sent again, and the page says what to do', async () => {
    const { app, visitor, at } = await setUp()
    const [unheard = ''] = await storeEvents(server, app, 'agencia.modificada')
    const page = (await visitor.get(`${at}/${unheard}`)).text
    assert.match(page, /No hay adónde enviar el evento/)
    assert.doesNotMatch(page, /<button type="submit">(Reenviar|Enviar)</)
    assert.equal((await visitor.post(`${at}/${unheard}/reenviar`)).status, 409)
    await hook(server, app, 'agencia.modificada', `${receiver.url}/tarde`)
    assert.equal((await visitor.post(`${at}/${unheard}/reenviar`)).status, 303)
    const [late] = await receiver.waitFor(1, '/tarde')
    assert.equal(late?.id, unheard)
  })

  it('404: another app’s delivery is neither shown nor sent', async () => {
    const [mine, other] = [await setUp(), await setUp()]
    const [id = ''] = await storeEvents(server, other.app, TOPIC)
    await settled(server, [id])
    assert.equal((await mine.visitor.get(`${mine.at}/${id}`)).status, 404)
    assert.equal((await mine.visitor.post(`${mine.at}/${id}/reenviar`)).status, 404)
    assert.equal((await mine.visitor.get(`${mine.at}/x`)).status, 404)
    assert.equal((await attemptsOf(server, id)).length, 1)
  })
})

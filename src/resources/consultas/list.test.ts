import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { type InsertOptions, insertConsulta } from '../../../tests/support/consulta.ts'
import { REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount } from '../../../tests/support/visitor.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { associate } from '../agencias/associations.ts'

const NOW = new Date('2026-03-04T12:00:00-03:00')
const EVERYTHING = { editar: true, consultasDeCatalogo: true, consultasDeOtros: true }

describe('GET /v3/consultas/{adminMail}', () => {
  let server: TestServer
  let app: TestApp
  let other: TestApp
  before(async () => {
    server = await startServer({ clock: () => NOW })
    ;[app, other] = [await server.newApp(), await server.newApp()]
  })
  after(() => server.stop())

  const insert = (agencia: Agencia, values: Omit<InsertOptions, 'agencia'> = {}) =>
    insertConsulta(server.store, { agencia, fuente: app.app, at: NOW, ...values })

  /** An agency of the app's own, with that many inquiries, a minute apart; the newest first. */
  async function agencyWith(count: number, values: Omit<InsertOptions, 'agencia'> = {}) {
    const { mail, agencia } = await makeAgencia(depsOf(server), app.app)
    const sids: string[] = []
    for (let at = 0; at < count; at++)
      sids.push((await insert(agencia, { at: new Date(NOW.getTime() - at * 60_000), ...values })).sid)
    return { mail, agencia, sids, path: `/v3/consultas/${mail}` }
  }

  const sidsIn = (answer: { json: { _entries: { _links: { self: { href: string } } }[] } }) =>
    answer.json._entries.map(({ _links }) => _links.self.href.split('/').at(-1))

  it('200: newest first, 25 a page, exact Total, every page reached by its links', async () => {
    const { sids, path } = await agencyWith(60)
    const first = await app.get(path)
    assert.equal(first.status, 200)
    assert.equal(first.headers['content-type'], 'application/json')
    assert.equal(first.headers['cache-control'], 'no-store')
    const { Desde, Hasta, Pagina, Total, PerPagina, _links } = first.json
    assert.deepEqual(
      { Desde, Hasta, Pagina, Total, PerPagina },
      {
        Desde: '2025-12-04T00:00:00.000-03:00',
        Hasta: '2026-03-04T23:59:59.999-03:00',
        Pagina: 1,
        Total: 60,
        PerPagina: 25,
      },
    )
    assert.deepEqual(Object.keys(_links).slice(0, 4), ['self', 'first', 'next', 'last'])
    assert.equal(_links.self.href, path)

    const seen: (string | undefined)[] = []
    for (let next = _links.first; next; ) {
      const page = await app.get(next.href)
      seen.push(...sidsIn(page))
      next = page.json._links.next
      if (!next) assert.equal(page.json._links.self.href, page.json._links.last.href)
    }
    assert.deepEqual(seen, sids)
    assert.equal((await app.get(`${path}?pagina=2`)).json._links.prev.href, `${path}?pagina=1`)
  })

  it('200: an agency without inquiries has one empty page', async () => {
    const { path } = await agencyWith(0)
    const { status, json } = await app.get(path)
    assert.equal(status, 200)
    assert.deepEqual([json.Total, json._entries, json._links.last.href], [0, [], `${path}?pagina=1`])
    assert.equal(json._links.next, undefined)
  })

  it('200: a page past the end has no entries, and leads back to the last', async () => {
    const { path } = await agencyWith(26)
    for (const pagina of [3, 99]) {
      const { status, json } = await app.get(`${path}?pagina=${pagina}`)
      assert.equal(status, 200)
      assert.deepEqual([json.Pagina, json.Total, json._entries], [pagina, 26, []])
      assert.equal(json._links.prev.href, `${path}?pagina=2`)
      assert.equal(json._links.next, undefined)
    }
  })

  it('200: beyond 99 pages the last is the 99th, and Total tells them all', async () => {
    const { agencia, path } = await agencyWith(1)
    await server.store.query(sql`
      update consulta_counts set dias[4] = 2501 where agencia_id = ${agencia.id} and mes = '2026-03-01'`)
    const { json } = await app.get(`${path}?pagina=98`)
    assert.equal(json.Total, 2501)
    assert.equal(json._links.last.href, `${path}?pagina=99`)
    assert.equal(json._links.next.href, `${path}?pagina=99`)
    assert.equal((await app.get(`${path}?pagina=99`)).json._links.next, undefined)
  })

  it('400 on pagina: 0, 100, below, beyond int32, not a number; before the agency is looked for', async () => {
    for (const pagina of ['0', '100', '-1', '2147483648', 'abc', '1.5']) {
      const { status, json } = await app.get(`/v3/consultas/nobody@agencia.test?pagina=${pagina}`)
      assert.equal(status, 400, pagina)
      assert.deepEqual(Object.keys(json.Errors), ['pagina'])
    }
  })

  it('400: every parameter of the wrong form at once, by its name', async () => {
    const { status, json } = await app.get(
      `/v3/consultas/${'a'.repeat(50)}@x.test?operador=x&desde=2026-02-30&hasta=ayer&pagina=x&externalid=${'x'.repeat(256)}`,
    )
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(json.Errors), ['adminMail'])
    const query = await app.get(
      `/v3/consultas/a@x.test?operador=x&desde=2026-02-30&hasta=ayer&pagina=x&externalid=${'x'.repeat(256)}`,
    )
    assert.deepEqual(Object.keys(query.json.Errors).sort(), ['desde', 'externalid', 'hasta', 'operador', 'pagina'])
  })

  it('404: absent, foreign and only invited agencies are the same; a meaningless period is asked after that', async () => {
    const { mail } = await makeAgencia(depsOf(server), other.app)
    const invited = newMail()
    await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: invited }) })
    const bodies = new Set<string>()
    for (const adminMail of [mail, invited, 'nobody@agencia.test']) {
      const { status, json } = await app.get(`/v3/consultas/${adminMail}?desde=2001-01-01`)
      assert.equal(status, 404)
      const { Instance: _, ...rest } = json
      bodies.add(JSON.stringify(rest))
    }
    assert.equal(bodies.size, 1)
  })

  it('400 on desde, hasta and operador: what makes no sense today is told at once', async () => {
    const { path } = await agencyWith(0)
    const { status, json } = await app.get(`${path}?desde=2025-12-03&hasta=2025-12-01&operador=nobody@agencia.test`)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(json.Errors).sort(), ['desde', 'hasta', 'operador'])
    assert.equal((await app.get(`${path}?desde=2025-12-04`)).status, 200)
  })

  it('200: days of the zone, to the millisecond; tomorrow counts as today', async () => {
    const { agencia, path } = await agencyWith(0)
    const moments = [
      '2026-03-02T23:59:59.999-03:00',
      '2026-03-03T00:00:00.000-03:00',
      '2026-03-03T23:59:59.999-03:00',
      '2026-03-04T00:00:00.000-03:00',
    ]
    for (const at of moments) await insert(agencia, { at })
    const moment = async (query: string) => {
      const { json } = await app.get(`${path}?${query}`)
      assert.equal(json.Total, json._entries.length, query)
      return json._entries.map(({ Momento }: { Momento: string }) => moments.indexOf(Momento))
    }
    assert.deepEqual(await moment('desde=2026-03-03&hasta=2026-03-03'), [2, 1])
    assert.deepEqual(await moment('desde=2026-03-03'), [3, 2, 1])
    assert.deepEqual(await moment('hasta=2026-03-03'), [2, 1, 0])
    const ahead = await app.get(`${path}?desde=2026-03-04&hasta=2026-03-20`)
    assert.deepEqual([ahead.json.Total, ahead.json.Hasta], [1, '2026-03-04T23:59:59.999-03:00'])
  })

  it('200: what is older than 90 days is not in the list, however it is asked for', async () => {
    const { agencia, path } = await agencyWith(0)
    await insert(agencia, { at: '2025-12-03T23:59:59.999-03:00' })
    await insert(agencia, { at: '2025-12-04T00:00:00.000-03:00' })
    assert.equal((await app.get(path)).json.Total, 1)
  })

  it('200: the links keep the filters, mails with their @', async () => {
    const { mail, path } = await agencyWith(30, { externalId: 'A B&c' })
    const { json } = await app.get(`${path}?externalid=a%20b%26C&desde=2026-03-01&operador=${mail}&hasta=2026-03-09`)
    assert.equal(json.Total, 30)
    assert.equal(
      json._links.next.href,
      `${path}?operador=${mail}&externalid=a%20b%26C&desde=2026-03-01&hasta=2026-03-09&pagina=2`,
    )
    assert.equal((await app.get(json._links.next.href)).json._entries.length, 5)
  })

  it('200 externalid: one listing, whatever its case; exact Total; none is an empty list', async () => {
    const { agencia, path } = await agencyWith(0)
    await insert(agencia, { externalId: 'Ñ-1' })
    await insert(agencia, { externalId: 'Ñ-1', at: '2026-01-05T12:00:00Z' })
    await insert(agencia, { externalId: 'N-1' })
    await insert(agencia, { fuente: undefined })
    const total = async (query: string) => (await app.get(`${path}?${query}`)).json.Total
    assert.equal(await total(`externalid=${encodeURIComponent('ñ-1')}`), 2)
    assert.equal(await total(`externalid=${encodeURIComponent('Ñ-1')}&desde=2026-02-01`), 1)
    assert.equal(await total('externalid=n-1'), 1)
    assert.equal(await total('externalid=x'), 0)
  })

  it('200 operador: the administrator sees all, a collaborator his own; 400 for anyone else', async () => {
    const { mail, agencia, path } = await agencyWith(0)
    const seller = await makeAccount(server, { email: newMail('beto') })
    await server.store.query(sql`
      insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${seller.id}, 'vendedor')`)
    await insert(agencia, { operador: mail })
    const his = await insert(agencia, { operador: seller.email, externalId: 'X-9' })
    await insert(agencia, { operador: 'left@agencia.test' })

    assert.equal((await app.get(`${path}?operador=${mail.toUpperCase()}`)).json.Total, 3)
    const answer = await app.get(`${path}?operador=${seller.email.toUpperCase()}`)
    assert.deepEqual([answer.json.Total, sidsIn(answer)], [1, [his.sid]])
    assert.equal((await app.get(`${path}?operador=${seller.email}&externalid=x-9`)).json.Total, 1)
    assert.equal((await app.get(`${path}?operador=${seller.email}&externalid=ab-1`)).json.Total, 0)
    const left = await app.get(`${path}?operador=left@agencia.test`)
    assert.deepEqual([left.status, Object.keys(left.json.Errors)], [400, ['operador']])
  })

  it('200: an app sees its own listings’ inquiries, and beyond them what the agency allows', async () => {
    const { agencia, path } = await agencyWith(0)
    const own = await insert(agencia)
    const catalogue = await insert(agencia, { fuente: undefined, at: new Date(NOW.getTime() - 1000) })
    const others = await insert(agencia, { fuente: other.app, at: new Date(NOW.getTime() - 2000) })
    const seen = async () => {
      const answer = await app.get(path)
      assert.equal(answer.json.Total, answer.json._entries.length)
      return sidsIn(answer)
    }
    const allow = (consultasDeCatalogo: boolean, consultasDeOtros: boolean) =>
      server.store.transaction((tx) =>
        associate(tx, depsOf(server), {
          app: app.app,
          agencia,
          permisos: { editar: true, consultasDeCatalogo, consultasDeOtros },
        }),
      )
    await allow(false, false)
    assert.deepEqual(await seen(), [own.sid])
    await allow(true, false)
    assert.deepEqual(await seen(), [own.sid, catalogue.sid])
    await allow(false, true)
    assert.deepEqual(await seen(), [own.sid, others.sid])
    await allow(true, true)
    assert.deepEqual(await seen(), [own.sid, catalogue.sid, others.sid])
  })

  it('404: a detached agency’s inquiries are gone for the app', async () => {
    const { mail, path } = await agencyWith(1)
    await app.call('PATCH', `/v3/agencias/${mail}/desasociar`)
    assert.equal((await app.get(path)).status, 404)
  })

  it('200: a former address of the agency answers, with links to the present one', async () => {
    const { mail, agencia } = await agencyWith(1)
    await server.store.query(sql`
      insert into agencia_aliases (modo, admin_mail, agencia_id, expires_at)
      values ('produccion', 'former@agencia.test', ${agencia.id}, now() + interval '1 day')`)
    const { json } = await app.get('/v3/consultas/FORMER@agencia.test')
    assert.equal(json._links.self.href, `/v3/consultas/${mail}`)
    assert.match(json._entries[0]._links.self.href, new RegExp(`^/v3/consultas/${mail}/`))
  })

  it('200 ref: the same envelope, with references that name nobody', async () => {
    const { mail, path, sids } = await agencyWith(1)
    const { json, headers } = await app.get(path, { accept: REF })
    assert.equal(headers['content-type'], REF)
    assert.equal(json.Total, 1)
    assert.deepEqual(json._entries, [{ href: `/v3/consultas/${mail}/${sids[0]}`, title: 'Fiat Cronos (2026-03-04)' }])
  })

  it('304: nothing came since it was read', async () => {
    const { agencia, path } = await agencyWith(1)
    const { headers } = await app.get(path)
    const condition = { 'if-none-match': headers.etag ?? '' }
    assert.equal((await app.get(path, condition)).status, 304)
    await insert(agencia)
    assert.equal((await app.get(path, condition)).status, 200)
  })

  it('406: a list is not a lead', async () => {
    const { path } = await agencyWith(0)
    assert.equal((await app.get(path, { accept: 'application/x-adf+xml' })).status, 406)
  })

  it('200: read while inquiries arrive, no page has one twice, and entries and Total agree', async () => {
    const { agencia, path } = await agencyWith(0)
    let [arriving, next] = [true, 0]
    const site = async () => {
      while (next < 150)
        await insert(agencia, { at: new Date(NOW.getTime() + next++), fuente: next % 3 ? app.app : other.app })
    }
    await server.store.transaction((tx) =>
      associate(tx, depsOf(server), { app: app.app, agencia, permisos: EVERYTHING }),
    )
    const arrivals = Promise.all([site(), site(), site(), site()]).finally(() => {
      arriving = false
    })
    let reads = 0
    let former = 0
    while (arriving || former < 150) {
      const answer = await app.get(`${path}?pagina=${1 + (reads++ % 3)}`)
      assert.equal(answer.status, 200)
      const sids = sidsIn(answer)
      assert.equal(new Set(sids).size, sids.length)
      const { Total, Pagina } = answer.json
      assert.equal(sids.length, Math.min(25, Math.max(0, Total - (Pagina - 1) * 25)))
      assert.ok(Total >= former)
      former = Total
    }
    await arrivals
  })
})

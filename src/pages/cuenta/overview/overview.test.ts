import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { type InsertOptions, insertConsulta } from '../../../../tests/support/consulta.ts'
import { makePublicacion } from '../../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { setPaquete } from '../../../resources/agencias/paquetes.ts'

const PLAN = { nombre: 'Plan 50', alta: 2, media: 20, baja: 0, consultasDeCatalogo: false }
const HOUR_MS = 3_600_000

describe('/cuenta', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  async function setUp() {
    const { agencia, mail, account } = await makeAgencia(depsOf(server), app.app)
    const insert = (values: Partial<InsertOptions> = {}) =>
      insertConsulta(server.store, { agencia, fuente: app.app, ...values })
    return { agencia, mail, account, insert, admin: await visitor(server).enter(mail) }
  }
  const sidsIn = (text: string) =>
    [...text.matchAll(/href="\/cuenta\/consultas\/([0-9A-Z]{26})"/g)].map(([, sid]) => sid)

  it('200: who waits for an answer stands first, five at most, and what was shown is in the audit log', async () => {
    const { admin, account, agencia, insert } = await setUp()
    const waiting: string[] = []
    for (let at = 0; at < 7; at++) waiting.push((await insert({ at: new Date(Date.now() - at * HOUR_MS) })).sid)
    const answered = await insert({ estado: 'contactada' })
    const { text } = await admin.get('/cuenta')
    assert.match(text, /7 consultas nuevas/)
    assert.deepEqual(sidsIn(text), waiting.slice(0, 5))
    assert.ok(!text.includes(answered.sid))
    assert.ok(text.includes('href="/cuenta/consultas?estado=nueva"'))
    assert.match(text, /Consultas por día: 8 en total/)
    const rows = await server.store.query<{ act: string; subject: string; detail: { sids: string[] } }>(sql`
      select act, subject, detail from audit_log where account_id = ${account.id}`)
    assert.deepEqual(rows, [
      { act: 'consultas.listar', subject: agencia.adminMail, detail: { sids: waiting.slice(0, 5) } },
    ])
  })

  it('200: a vendedor sees what waits for him alone', async () => {
    const { agencia, insert } = await setUp()
    const seller = await makeAccount(server, { email: newMail('vende') })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    await insert()
    const his = await insert({ operador: seller.email })
    const { text } = await (await visitor(server).enter(seller.email)).get('/cuenta')
    assert.deepEqual(sidsIn(text), [his.sid])
    assert.match(text, /Una consulta nueva/)
    assert.match(text, /Consultas que usted ve, por día: 1 en total/)
  })

  it('200: the package with what is used of it; an ended one and none say what follows', async () => {
    const { admin, agencia } = await setUp()
    assert.match((await admin.get('/cuenta')).text, /Todavía no tiene un paquete/)
    await setPaquete(server.store, agencia.id, { ...PLAN, desde: '2020-01-01', hasta: '2049-12-31' })
    for (let at = 0; at < 2; at++)
      await makePublicacion(server.store, app.app, agencia, { estado: 'Activa', exposicion: 'Alta' })
    const { text } = await admin.get('/cuenta')
    assert.match(text, /Plan 50<\/strong><span class="badge ok">Vigente/)
    assert.match(text, /<meter min="0" max="2" value="2">2 de 2<\/meter>/)
    assert.match(text, /0 de 20 · quedan 20/)
    assert.doesNotMatch(text, /Exposición baja/)
    await setPaquete(server.store, agencia.id, { ...PLAN, desde: '2020-01-01', hasta: '2020-12-31' })
    assert.match((await admin.get('/cuenta')).text, /Vencido[\s\S]*vuelven a mostrarse cuando se renueve/)
  })

  it('200: it denies no new inquiry beyond those that it searched, and leads on', async () => {
    const { admin, agencia, insert } = await setUp()
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS)
    const { sid: old } = await insert({ at: daysAgo(3) })
    const { sid: like } = await insert({ at: daysAgo(2), estado: 'leida' })
    await server.store.query(sql`
      insert into consultas (sid, modo, agencia_id, fuente, tipo_anuncio, origen_lead, auto, interesado, operador, estado)
      select ${like.slice(0, 10)} || lpad(n::text, 16, '0'), modo, agencia_id, fuente, tipo_anuncio, origen_lead, auto,
        interesado, operador, estado
      from consultas, generate_series(1, 4999) n where sid = ${like} and agencia_id = ${agencia.id}`)
    const { text } = await admin.get('/cuenta')
    assert.doesNotMatch(text, /No hay consultas nuevas/)
    assert.match(text, /No encontramos consultas nuevas desde/)
    const [, on = ''] = /href="([^"]+)">Buscar consultas anteriores/.exec(text) ?? []
    assert.deepEqual(sidsIn((await admin.get(on.replaceAll('&amp;', '&'))).text), [old])
    const { sid: latest } = await insert()
    const some = (await admin.get('/cuenta')).text
    assert.match(some, /Al menos una consulta nueva/)
    assert.deepEqual(sidsIn(some), [latest])
    assert.ok(some.includes('href="/cuenta/consultas?estado=nueva"'))
  })

  it('200: a new agency is told what to expect, and no empty plot', async () => {
    const { admin } = await setUp()
    const { text } = await admin.get('/cuenta')
    assert.match(text, /No hay consultas nuevas de los últimos 30 días/)
    assert.doesNotMatch(text, /class="below-bar"/)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { type InsertOptions, insertConsulta } from '../../../../tests/support/consulta.ts'
import { makePublicacion } from '../../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { erasePerson } from '../../../resources/consultas/erase-person.ts'

const LIST = '/cuenta/consultas'

describe('inquiries in the account', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  /** An agency with its administrator and a vendedor, both signed in. */
  async function setUp() {
    const { agencia, mail, account } = await makeAgencia(depsOf(server), app.app)
    const seller = await makeAccount(server, { email: newMail('vende'), nombre: 'Luis', apellido: 'Gil' })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    const [admin, vendedor] = [await visitor(server).enter(mail), await visitor(server).enter(seller.email)]
    const insert = (values: Partial<InsertOptions> = {}) =>
      insertConsulta(server.store, { agencia, fuente: app.app, ...values })
    return { agencia, mail, account, seller, admin, vendedor, insert }
  }
  const sidsIn = (text: string) =>
    [...text.matchAll(/href="\/cuenta\/consultas\/([0-9A-Z]{26})"/g)].map(([, sid]) => sid)
  const linkTo = (position: 'antes' | 'despues', text: string) =>
    new RegExp(`href="([^"]*[?;]${position}=[^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const audited = (accountId: number) =>
    server.store.query<{ act: string; subject: string; detail: { sids: string[] } | null }>(sql`
      select act, subject, detail from audit_log where account_id = ${accountId} and via = 'agencia' order by id`)

  it('200: the administrator sees all, newest first; a vendedor what he is responsible for', async () => {
    const { admin, vendedor, seller, insert } = await setUp()
    const old = await insert({ at: new Date(Date.now() - 200 * 86_400_000) })
    const his = await insert({ operador: seller.email, fuente: undefined })
    const all = await admin.get(LIST)
    assert.equal(all.status, 200)
    assert.equal(all.headers['cache-control'], 'no-store')
    assert.deepEqual(sidsIn(all.text), [his.sid, old.sid])
    for (const shown of ['2 consultas', 'Lucía Ferreyra', 'Fiat Cronos', 'Luis Gil'])
      assert.ok(all.text.includes(shown), shown)
    assert.deepEqual(sidsIn((await vendedor.get(LIST)).text), [his.sid])
    assert.equal((await vendedor.get(`${LIST}/${his.sid}`)).status, 200)
    assert.equal((await vendedor.get(`${LIST}/${old.sid}`)).status, 404)
  })

  it('200: an agency without inquiries says so, and the account leads there', async () => {
    const { admin, vendedor } = await setUp()
    assert.match((await admin.get(LIST)).text, /Todavía no llegó ninguna consulta/)
    assert.match((await vendedor.get(LIST)).text, /No tiene consultas a su cargo/)
    const people = async () => (await admin.get('/cuenta/colaboradores')).text
    assert.match(await people(), /elija <a href="\/cuenta\/reparto">cómo se reparten/)
    await admin.post('/cuenta/reparto', { Regla: 'turno', Objetivo: '120' })
    assert.doesNotMatch(await people(), /cómo se reparten/)
    assert.ok((await admin.get('/cuenta')).text.includes(`href="${LIST}"`))
  })

  it('200: by state and by words, without case or accents; in pages', async () => {
    const { admin, insert } = await setUp()
    const lucia = await insert({ estado: 'vendida' })
    const person = {
      Nombre: 'José',
      Apellido: 'Núñez',
      Email: 'jn@correo.test',
      Telefono: '11 5555-7777',
      Comentario: null,
    }
    const jose = await insert({ interesado: person, externalId: 'KA_20%', auto: { Modelo: 'Ka' } })
    const found = async (query: string) => sidsIn((await admin.get(`${LIST}?${query}`)).text)
    assert.deepEqual(await found('estado=vendida'), [lucia.sid])
    for (const q of ['NUNEZ jose', 'josé', '1155557777', '5555-7777', 'fiat ka', 'jn@', '_20%'])
      assert.deepEqual(await found(`q=${encodeURIComponent(q)}`), [jose.sid], q)
    assert.deepEqual(await found('q=fiat&estado=vendida'), [lucia.sid])
    assert.deepEqual(await found('q=nombre'), [])
    assert.match((await admin.get(`${LIST}?q=nobody`)).text, /No hay consultas con esos filtros/)

    for (let at = 0; at < 30; at++) await insert({ at: new Date(Date.now() - (at + 1) * 60_000) })
    const first = await admin.get(LIST)
    assert.equal(sidsIn(first.text).length, 25)
    assert.equal(sidsIn((await admin.get(linkTo('antes', first.text))).text).length, 7)
    const cronos = await admin.get(`${LIST}?q=cronos`)
    assert.equal(sidsIn(cronos.text).length, 25)
    assert.equal(sidsIn((await admin.get(linkTo('antes', cronos.text))).text).length, 6)
  })

  it('200: of one listing, whatever its id: one that begins with a tilde, or has 255 characters', async () => {
    const { admin, agencia, insert } = await setUp()
    const long = (end: string) => `L${'x'.repeat(253)}${end}`
    await insert()
    for (const externalId of ['~Ka', `~${'x'.repeat(80)}`, long('1'), long('2')]) {
      await makePublicacion(server.store, app.app, agencia, { externalId })
      const { sid } = await insert({ externalId })
      const listings = (await admin.get(`/cuenta/publicaciones?q=${encodeURIComponent(externalId)}`)).text
      const links = [...listings.matchAll(/href="(\/cuenta\/consultas\?aviso=[^"]+)"/g)].map(([, href = '']) => href)
      const link = links.find((href) => decodeURIComponent(href).endsWith(`=${externalId}`)) ?? ''
      assert.deepEqual(sidsIn((await admin.get(link)).text), [sid], link)
      const form = { lista: LIST, aviso: externalId, q: externalId.slice(0, 100) }
      const { headers } = await admin.post('/filtrar', form)
      assert.deepEqual(sidsIn((await admin.get(headers.location ?? '')).text), [sid], headers.location)
    }
    assert.deepEqual(sidsIn((await admin.get(`${LIST}?q=~nada`)).text), [])
  })

  it('200: a page begins where the former ended, also after inquiries left the list or arrived', async () => {
    const { admin, insert } = await setUp()
    const sids: string[] = []
    for (let at = 0; at < 30; at++) sids.push((await insert({ at: new Date(Date.now() - (at + 1) * 60_000) })).sid)
    const lists = await Promise.all(['', '?estado=nueva', '?ver=sin-responder'].map((query) => admin.get(LIST + query)))
    for (const { text } of lists) assert.deepEqual(sidsIn(text), sids.slice(0, 25))
    for (const sid of sids.slice(0, 5)) await admin.post(`${LIST}/${sid}/estado`, { Estado: 'contactada' })
    const { sid: latest } = await insert()
    const [all, ...filtered] = lists.map(({ text }) => text)
    for (const text of filtered) {
      const second = await admin.get(linkTo('antes', text))
      assert.deepEqual(sidsIn(second.text), sids.slice(25))
      const newer = await admin.get(linkTo('despues', second.text))
      assert.deepEqual(sidsIn(newer.text), [latest, ...sids.slice(5, 25)])
    }
    const second = await admin.get(linkTo('antes', all ?? ''))
    assert.deepEqual(sidsIn(second.text), sids.slice(25))
    assert.match(second.text, /31 consultas/)
    const newer = await admin.get(linkTo('despues', second.text))
    assert.deepEqual(sidsIn(newer.text), sids.slice(0, 25))
    assert.deepEqual(sidsIn((await admin.get(linkTo('despues', newer.text))).text), [latest])
  })

  it('200: a search looks at five thousand at a time, and says how to go on; a file holds what any of them finds', async () => {
    const { admin, agencia, insert } = await setUp()
    const rare = await insert({
      at: new Date(Date.now() - 2 * 86_400_000),
      interesado: { Nombre: 'Zulma' },
      estado: 'leida',
    })
    const like = await insert({ at: new Date(Date.now() - 86_400_000) })
    const last = `${like.sid.slice(0, 10)}${'1'.padStart(16, '0')}`
    await server.store.query(sql`
      insert into consultas (sid, modo, agencia_id, fuente, tipo_anuncio, origen_lead, auto, interesado, operador)
      select ${like.sid.slice(0, 10)} || lpad(n::text, 16, '0'), modo, agencia_id, fuente, tipo_anuncio, origen_lead, auto,
        interesado, operador
      from consultas, generate_series(1, 4999) n where sid = ${like.sid} and agencia_id = ${agencia.id}`)
    for (const query of ['q=zulma', 'estado=leida']) {
      const first = await admin.get(`${LIST}?${query}`)
      assert.deepEqual(sidsIn(first.text), [])
      assert.match(first.text, /Todavía nada\. Buscamos hasta/)
      const on = `${LIST}?${query}&antes=${last}`
      assert.ok(first.text.includes(`href="${on.replace('&', '&amp;')}"`), first.text)
      const second = await admin.get(on)
      assert.deepEqual(sidsIn(second.text), [rare.sid])
      assert.doesNotMatch(second.text, /Seguir buscando/)
      assert.ok(second.text.includes(`href="${LIST}?${query}"`), 'leads back to the beginning')
      const back = await admin.get(linkTo('despues', second.text))
      assert.deepEqual(sidsIn(back.text), [])
      assert.match(back.text, /Todavía nada\. Buscamos hasta/)
      assert.deepEqual(sidsIn((await admin.get(linkTo('despues', back.text))).text), [])
      assert.ok((await admin.get(`${LIST}?${query}&formato=csv`)).text.includes(rare.sid))
    }
    assert.equal((await admin.get(`${LIST}?q=zulma&antes=ayer`)).status, 200)
    const { text } = await admin.get(`${LIST}?q=zulma@correo.test`)
    assert.doesNotMatch(text, /(?:href|action|hx-get)="[^"]*zulma@/, 'no email address is in an address')
    const [, on = ''] = new RegExp(`href="([^"]+antes=${last})"`).exec(text) ?? []
    assert.ok((await admin.get(on.replace('&amp;', '&'))).text.includes('value="zulma@correo.test"'))
  })

  it('200: one inquiry: how to answer, what about, a repeat’s first; what a person wrote is text', async () => {
    const { admin, insert } = await setUp()
    const { sid: first } = await insert()
    const { sid } = await insert({ repite: first, interesado: { Comentario: '<script>alert(1)</script>\nHola' } })
    const { status, text } = await admin.get(`${LIST}/${sid}`)
    assert.equal(status, 200)
    for (const shown of [
      'href="tel:+5493415550134"',
      'href="https://wa.me/5493415550134"',
      'mailto:lucia@correo.test?subject=',
      '&lt;script>alert(1)&lt;/script>',
      `href="${LIST}/${first}"`,
      '$\u00a018.500.000', // as the letter has it: it does not break
      '38.000',
      'Rosario, Santa Fe',
    ])
      assert.ok(text.includes(shown), shown)
    assert.ok(!text.includes('<script>'))
    const local = await insert({ interesado: { Telefono: '341 555-0199' } })
    const localText = (await admin.get(`${LIST}/${local.sid}`)).text
    for (const shown of ['href="tel:+543415550199"', 'href="https://wa.me/5493415550199"', 'Llamar al 341 555-0199'])
      assert.ok(localText.includes(shown), shown)
    const unclear = (await admin.get(`${LIST}/${(await insert({ interesado: { Telefono: '555-0199 int. 4' } })).sid}`))
      .text
    assert.ok(unclear.includes('href="tel:55501994"') && !unclear.includes('wa.me'))
    const bent = await insert({ interesado: { Email: 'eve?bcc=mallory&body=x@correo.test' } })
    const bentText = (await admin.get(`${LIST}/${bent.sid}`)).text
    assert.ok(bentText.includes('href="mailto:eve%3Fbcc%3Dmallory%26body%3Dx@correo.test?subject='), bentText)
  })

  it('200: a repeated inquiry links the first one only for people who may see it', async () => {
    const { admin, vendedor, seller, insert } = await setUp()
    const { sid: first } = await insert()
    const { sid } = await insert({ repite: first, operador: seller.email })
    assert.ok((await admin.get(`${LIST}/${sid}`)).text.includes(`href="${LIST}/${first}"`))
    const { text } = await vendedor.get(`${LIST}/${sid}`)
    assert.ok(!text.includes(first) && text.includes('a cargo de otra persona'))
  })

  it('303: a state is changed with one button, told once on the page that follows, and the app hears of it', async () => {
    const { admin, vendedor, seller, insert } = await setUp()
    const { sid } = await insert({ operador: seller.email })
    const answer = await vendedor.post(`${LIST}/${sid}/estado`, { Estado: 'contactada' })
    assert.deepEqual([answer.status, answer.headers.location], [303, `${LIST}/${sid}`])
    assert.match((await admin.get(`${LIST}/${sid}`)).text, /Estado: Contactada/)
    const events = await server.store.query<{ payload: string }>(sql`
      select payload from events where sid = ${sid} and topic = 'consulta.modificada'`)
    assert.deepEqual(
      events.map(({ payload }) => JSON.parse(payload).Consulta.Estado),
      ['contactada'],
    )
  })

  it('400, 403, 404: a state that there is not, another site’s form, another’s inquiry; nothing changes', async () => {
    const { admin, vendedor, insert } = await setUp()
    const other = await setUp()
    const { sid } = await insert()
    assert.equal((await admin.post(`${LIST}/${sid}/estado`, { Estado: 'abierta' })).status, 400)
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    assert.equal((await admin.post(`${LIST}/${sid}/estado`, { Estado: 'leida' }, foreign)).status, 403)
    for (const who of [vendedor, other.admin]) {
      assert.equal((await who.post(`${LIST}/${sid}/estado`, { Estado: 'leida' })).status, 404)
      assert.equal((await who.get(`${LIST}/${sid}`)).status, 404)
    }
    assert.equal((await admin.get(`${LIST}/short`)).status, 404)
    assert.equal((await other.admin.get(`${LIST}?agencia=${(await setUp()).agencia.id}`)).status, 404)
    assert.match((await admin.get(`${LIST}/${sid}`)).text, /Estado: Leída/, 'it was opened now')
  })

  it('303: who is not signed in is led there, and back to the inquiry that the mail named', async () => {
    const { mail, insert } = await setUp()
    const { sid } = await insert()
    const anyone = visitor(server)
    const { status, headers } = await anyone.get(`${LIST}/${sid}`)
    assert.equal(status, 303)
    const entered = await anyone.post(headers.location ?? '', {
      Email: mail,
      Clave: PASSWORD,
      volver: `${LIST}/${sid}`,
    })
    assert.deepEqual([entered.status, entered.headers.location], [303, `${LIST}/${sid}`])
  })

  it('every read of a person’s data is in the audit log, and nothing of the person', async () => {
    const { admin, account, insert, agencia } = await setUp()
    const { sid } = await insert()
    await admin.get(`${LIST}?q=lucia`)
    await admin.get(`${LIST}/${sid}`)
    await admin.get(`${LIST}/01JNG3Y4Z5A6B7C8D9E0F1G2H3`)
    assert.deepEqual(await audited(account.id), [
      { act: 'consultas.listar', subject: agencia.adminMail, detail: { sids: [sid] } },
      { act: 'consulta.leer', subject: sid, detail: null },
    ])
  })

  it('200: by days of the marketplace’s zone, both included; what makes no sense is as if it had not been said', async () => {
    const { admin, insert } = await setUp()
    const insertAt = async (at: string) => (await insert({ at: new Date(at) })).sid
    const [first, last] = [await insertAt('2026-03-01T03:00:00Z'), await insertAt('2026-03-03T02:59:00Z')]
    await insertAt('2026-03-03T03:00:00Z')
    const found = async (query: string) => sidsIn((await admin.get(`${LIST}?${query}`)).text)
    assert.deepEqual(await found('desde=2026-03-01&hasta=2026-03-02'), [last, first])
    assert.deepEqual(await found('hasta=2026-03-01'), [first])
    assert.deepEqual(await found('desde=2026-03-02&hasta=2026-03-01'), [])
    assert.equal((await found('desde=ayer&hasta=2026-02-31')).length, 3)
  })

  it('200: as a file for a spreadsheet: the same filters, every page, nothing that computes; audited, theirs alone', async () => {
    const { admin, account, vendedor, seller, insert, agencia } = await setUp()
    for (let at = 0; at < 30; at++) await insert({ at: new Date(Date.now() - at * 60_000), estado: 'leida' })
    const his = await insert({
      operador: seller.email,
      interesado: { Nombre: '=2+2', Apellido: 'O"Brien, hijo', Comentario: 'Dos\nlíneas' },
    })
    const all = await admin.get(`${LIST}?formato=csv`)
    assert.equal(all.status, 200)
    assert.equal(all.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(all.headers['content-disposition'] ?? '', /^attachment; filename="consultas-\d{4}-\d\d-\d\d.csv"$/)
    assert.equal(all.headers['cache-control'], 'no-store')
    assert.ok(all.text.startsWith('\uFEFF"Fecha";"Estado";"Nombre";"Apellido";"Correo";"Teléfono";'))
    assert.equal(all.text.match(/[0-9A-Z]{26}";"[^"]*"\r\n/g)?.length, 31)
    assert.ok(all.text.includes(`"Nueva";"'=2+2";"O""Brien, hijo";"lucia@correo.test";"'+54 9 341 555-0134";`))
    assert.ok(all.text.includes('"Dos\nlíneas";"Fiat";"Cronos";"1.3 Drive";"2022";"ARS";"18500000";"AB-1";'))
    assert.match(all.text, /;"Identificador";"Teléfono con código de país"\r\n/)
    assert.match(all.text, /";"'\+5493415550134"\r\n/)
    const read = (await admin.get(`${LIST}?formato=csv&estado=leida&q=cronos`)).text
    assert.ok(read.match(/[0-9A-Z]{26}";"[^"]*"\r\n/g)?.length === 30 && !read.includes(his.sid))
    const own = (await vendedor.get(`${LIST}?formato=csv`)).text
    assert.equal(own.match(/[0-9A-Z]{26}";"[^"]*"\r\n/g)?.length, 1)
    const [first] = await audited(account.id)
    const sids = all.text.match(/[0-9A-Z]{26}(?=";"[^"]*"\r\n)/g)
    assert.deepEqual(first, {
      act: 'consultas.listar',
      subject: agencia.adminMail,
      detail: { formato: 'csv', cantidad: 31, desde: sids?.at(-1), hasta: sids?.[0] },
    })
    const part = await admin.get(`${LIST}?formato=csv`, { 'hx-request': 'true' })
    assert.equal(sidsIn(part.text).length, 25, 'a part of the page has one page of rows')
    assert.equal((await visitor(server).get(`${LIST}?formato=csv`)).status, 303)
    assert.ok((await admin.get(`${LIST}?estado=leida`)).text.includes(`href="${LIST}?estado=leida&amp;formato=csv"`))
  })

  it('200: who was erased is nobody', async () => {
    const { admin, insert } = await setUp()
    const { sid } = await insert({ interesado: { Email: 'erased@correo.test' } })
    await erasePerson(depsOf(server), { email: 'erased@correo.test' }, { accountId: null, via: 'comando' })
    const { text } = await admin.get(`${LIST}/${sid}`)
    assert.match(text, /Datos borrados/)
    assert.match(text, /pidió que se borraran sus datos/)
    assert.doesNotMatch(text, /tel:|mailto:|Lucía/)
    assert.match((await admin.get(LIST)).text, /Datos borrados/)
  })
})

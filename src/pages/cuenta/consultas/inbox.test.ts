import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { depsOf, emailsTo, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import type { Answer } from '../../../../tests/support/caller.ts'
import { type InsertOptions, insertConsulta } from '../../../../tests/support/consulta.ts'
import { eventOf, hook } from '../../../../tests/support/deliveries.ts'
import { LARGE_PAQUETE } from '../../../../tests/support/listing.ts'
import { makePublicacion } from '../../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { setPaquete } from '../../../resources/agencias/paquetes.ts'
import { erasePerson } from '../../../resources/consultas/erase-person.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { importNotes, timelineOf } from '../../../resources/consultas/history.ts'
import { sendReminders, setReminder } from '../../../resources/consultas/reminders.ts'
import { deleteBefore } from '../../../resources/consultas/retention.ts'
import { insertSucursal } from '../../../resources/sucursales/store.ts'
import { insertEvents } from '../../../webhooks/events.ts'

const LIST = '/cuenta/consultas'

describe('the inbox of an agency', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  async function setUp() {
    const { agencia, mail, account } = await makeAgencia(depsOf(server), app.app)
    const join = async (nombre: string) => {
      const person = await makeAccount(server, { email: newMail(nombre.toLowerCase()), nombre, apellido: 'Gil' })
      await server.store.query(sql`insert into operadores values (${agencia.id}, ${person.id}, 'vendedor')`)
      return person
    }
    const [luis, eva] = [await join('Luis'), await join('Eva')]
    const insert = (given: Partial<InsertOptions> = {}) =>
      insertConsulta(server.store, { agencia, fuente: app.app, ...given })
    return {
      agencia,
      mail,
      account,
      luis,
      eva,
      insert,
      admin: await visitor(server).enter(mail),
      luisPages: await visitor(server).enter(luis.email),
      evaPages: await visitor(server).enter(eva.email),
    }
  }
  const sidsIn = (text: string) =>
    [...text.matchAll(/href="\/cuenta\/consultas\/([0-9A-Z]{26})"/g)].map(([, sid]) => sid)
  const changesOf = async (sid: string) =>
    (
      await server.store.query<{ payload: string }>(sql`
        select payload from events where sid = ${sid} and topic = 'consulta.modificada' order by id`)
    ).map(({ payload }) => JSON.parse(payload).Consulta)
  const totalFor = async (mail: string, operador: string) =>
    (await app.get(`/v3/consultas/${mail}?operador=${operador}`)).json.Total

  it('303: the administrator gives one or several inquiries to somebody; counts, event, email and timeline follow', async () => {
    const { admin, luisPages, evaPages, luis, eva, mail, insert } = await setUp()
    const sids = [(await insert()).sid, (await insert()).sid, (await insert()).sid]
    assert.deepEqual(sidsIn((await luisPages.get(LIST)).text), [])
    const give = () => admin.post(`${LIST}/${sids[0]}/asignar`, { Operador: String(luis.id) })
    const noticeOf = ({ headers }: Answer) => [
      headers.location,
      /rodado_hecho=([\w-]+)/.exec(headers['set-cookie'] ?? '')?.[1],
    ]
    assert.deepEqual(noticeOf(await give()), [`${LIST}/${sids[0]}`, 'asignada'])
    assert.deepEqual(noticeOf(await give()), [LIST, 'asignadas-antes'], 'a second time nothing changes')
    assert.deepEqual(sidsIn((await luisPages.get(LIST)).text), [sids[0]])
    assert.deepEqual([await totalFor(mail, luis.email), await totalFor(mail, mail)], [1, 3])
    assert.deepEqual(
      (await changesOf(sids[0] ?? '')).map(({ OperadorResponsable }) => OperadorResponsable),
      [luis.email],
    )
    const [email] = (await emailsTo(server, luis.email)).filter(({ kind }) => kind === 'consultas-asignadas')
    assert.match(email?.subject ?? '', /le asignó una consulta/)
    assert.ok(email?.text.includes(`/cuenta/consultas/${sids[0]}`) && !email.text.includes('Lucía'))

    const body = new URLSearchParams([...sids.map((sid) => ['sid', sid]), ['Operador', String(eva.id)]])
    const [, action = ''] =
      /action="([^"]+asignar[^"]*)"/.exec(
        (await admin.get(`${LIST}?ver=sin-responder&antes=7ZZZZZZZZZZZZZZZZZZZZZZZZZ`)).text,
      ) ?? []
    const several = await admin.post(action.replaceAll('&amp;', '&'), body.toString())
    assert.deepEqual(
      [several.status, several.headers.location],
      [303, `${LIST}?ver=sin-responder&antes=7ZZZZZZZZZZZZZZZZZZZZZZZZZ`],
    )
    assert.deepEqual(sidsIn((await evaPages.get(LIST)).text).sort(), [...sids].sort())
    assert.deepEqual(
      [await totalFor(mail, luis.email), await totalFor(mail, eva.email), await totalFor(mail, mail)],
      [0, 3, 3],
    )
    assert.equal((await changesOf(sids[0] ?? '')).length, 2)
    const { text: list } = await admin.get(LIST)
    assert.ok(list.includes('Eva Gil') && !list.includes(eva.email))
    assert.match((await admin.get(`${LIST}/${sids[0]}`)).text, /la asignó a Eva Gil/)
    const chosen = async (operador: string) => sidsIn((await admin.get(`${LIST}?operador=${operador}`)).text).length
    assert.deepEqual([await chosen(String(eva.id)), await chosen(String(luis.id)), await chosen('nadie')], [3, 0, 0])
  })

  it('400, 403, 404: somebody of another agency, another’s inquiry, a salesperson who gives; nothing changes', async () => {
    const { admin, luisPages, luis, eva, insert } = await setUp()
    const other = await setUp()
    const [{ sid }, { sid: theirs }] = [await insert(), await other.insert()]
    const { sid: evas } = await insert({ operador: eva.email })
    assert.equal((await admin.post(`${LIST}/${sid}/asignar`, { Operador: String(other.luis.id) })).status, 400)
    assert.equal((await admin.post(`${LIST}/${theirs}/asignar`, { Operador: String(luis.id) })).status, 404)
    assert.equal((await admin.post(`${LIST}/asignar`, { sid: theirs, Operador: String(luis.id) })).status, 303)
    assert.equal((await luisPages.post(`${LIST}/asignar`, { sid, Operador: String(eva.id) })).status, 403)
    for (const each of [sid, evas])
      assert.equal((await luisPages.post(`${LIST}/asignar`, { sid: each, Operador: String(luis.id) })).status, 303)
    assert.deepEqual(sidsIn((await luisPages.get(LIST)).text), [], 'unassigned ones are not open')
    for (const path of ['notas', 'recordatorio'])
      assert.equal((await luisPages.post(`${LIST}/${sid}/${path}`, { Nota: 'x' })).status, 404)
    assert.equal((await changesOf(theirs)).length + (await changesOf(evas)).length, 0)
  })

  it('200: unassigned inquiries and listings are open to all if the administrator says so; each is taken once', async () => {
    const { admin, luisPages, evaPages, luis, eva, mail, agencia, insert } = await setUp()
    const { sid } = await insert()
    const { sid: evas } = await insert({ operador: eva.email })
    const { sid: former } = await insert({ operador: 'gone@agencia.test' })
    const listing = await makePublicacion(server.store, app.app, agencia, { operador: mail })
    const finds = async () =>
      (await luisPages.get(`/ir?q=${listing.externalId}`)).text.includes('/cuenta/publicaciones?q=')
    assert.equal((await luisPages.get('/cuenta/publicaciones')).text.includes(listing.externalId), false)
    assert.equal(await finds(), false)
    assert.equal((await luisPages.post('/cuenta/reparto', { Abierta: 'si' })).status, 403)
    assert.match((await luisPages.get('/cuenta/reparto')).text, /si su aviso está sin asignar/)
    assert.equal((await admin.post('/cuenta/reparto', { Regla: 'ninguna', Abierta: 'si', Objetivo: '60' })).status, 303)
    assert.deepEqual(sidsIn((await luisPages.get(LIST)).text).sort(), [sid, former].sort())
    assert.equal(await totalFor(mail, luis.email), 2, 'the API says the same of operador')
    assert.equal((await luisPages.get(`${LIST}/${evas}`)).status, 404)
    assert.ok((await luisPages.get('/cuenta/publicaciones')).text.includes(listing.externalId))
    assert.ok(await finds())
    assert.equal((await luisPages.post(`${LIST}/${sid}/asignar`, { Operador: String(luis.id) })).status, 303)
    assert.equal((await evaPages.get(`${LIST}/${sid}`)).status, 404)
    const late = await evaPages.post(`${LIST}/asignar`, { sid, Operador: String(eva.id) })
    assert.match(late.headers['set-cookie'] ?? '', /=asignadas-antes;/)
    assert.equal((await luisPages.get(`${LIST}/${sid}`)).status, 200, 'nobody takes it from a colleague')
  })

  it('303: a listing is given to somebody, who gets its inquiries; an app that does not name anybody leaves it so', async () => {
    const { admin, account, luis, agencia, mail } = await setUp()
    await setPaquete(server.store, agencia.id, LARGE_PAQUETE)
    const { id, externalId } = await makePublicacion(server.store, app.app, agencia, { operador: mail })
    const given = { aviso: String(id), Operador: String(luis.id) }
    assert.equal((await admin.post('/cuenta/publicaciones/asignar', given)).status, 303)
    const path = `/v3/publicaciones/${mail}/${externalId}`
    const read = (await app.get(path)).json
    assert.equal(read.OperadorResponsable, luis.email)
    const { OperadorResponsable, ...rest } = read
    const put = await app.call('PUT', path, { body: JSON.stringify(rest) })
    assert.deepEqual([put.status, put.json.OperadorResponsable], [200, luis.email], put.text)
    assert.ok((await admin.get('/cuenta/publicaciones')).text.includes('A cargo de Luis Gil'))
    assert.ok((await admin.get('/cuenta/publicaciones')).text.includes(`${LIST}?aviso=${externalId}`))
    const back = await admin.post('/cuenta/publicaciones/asignar', { ...given, Operador: String(account.id) })
    assert.match(back.headers['set-cookie'] ?? '', /=avisos-sin-asignar;/)
  })

  it('201: new inquiries are shared in turn, or by the branch in the city of the listing', async () => {
    const { admin, luis, eva, agencia } = await setUp()
    const sitio = await server.newSitio()
    const [car, elsewhere] = [
      await makePublicacion(server.store, app.app, agencia, { operador: agencia.adminMail, ciudadId: 71, regionId: 7 }),
      await makePublicacion(server.store, app.app, agencia, { operador: agencia.adminMail, ciudadId: 81, regionId: 8 }),
    ]
    let number = 0
    const receive = async ({ id }: { id: number }, Email = `zoe${number++}@correo.test`) => {
      const Interesado = { Interes: 'compra', Nombre: 'Zoe', Email }
      const body = JSON.stringify({ Aviso: id, OrigenLead: 'form', Interesado })
      const { status, json } = await sitio.call('POST', '/interno/v1/consultas', { body })
      assert.equal(status, 201)
      return json.OperadorResponsable as string
    }
    assert.equal(await receive(car), agencia.adminMail, 'without a rule')
    await admin.post('/cuenta/reparto', { Regla: 'turno', Objetivo: '120' })
    const got = await Promise.all(Array.from({ length: 10 }, () => receive(car)))
    assert.equal(got.filter((email) => email === luis.email).length, 5)
    assert.equal(got.filter((email) => email === eva.email).length, 5)
    const same = await Promise.all(Array.from({ length: 3 }, () => receive(car, 'ana@correo.test')))
    assert.equal(new Set(same).size, 1, 'a person who asks again gets the same salesperson')

    const place = { ciudadId: 71, ciudad: 'Rosario', regionId: 7, region: 'Santa Fe' }
    const nothing = { telefono: null, whatsapp: null, email: null, direccion: null, codigoPostal: null, horarios: null }
    const branch = await insertSucursal(server.store, agencia.id, { nombre: 'Centro', ...place, ...nothing })
    const foreign = await insertSucursal(server.store, (await setUp()).agencia.id, {
      nombre: 'Otra',
      ...place,
      ...nothing,
    })
    await admin.post('/cuenta/reparto', {
      Regla: 'sucursal',
      Objetivo: '120',
      [`recibe.${luis.id}`]: String(branch.id),
      [`recibe.${eva.id}`]: String(foreign.id),
    })
    const here = await Promise.all(Array.from({ length: 4 }, () => receive(car)))
    assert.deepEqual([...new Set(here)], [luis.email])
    assert.equal(await receive(elsewhere), eva.email, 'nobody is near: who has fewest')
    await admin.post('/cuenta/reparto', { Regla: 'turno', Objetivo: '120', [`recibe.${eva.id}`]: 'no' })
    assert.equal(await receive(elsewhere), luis.email)
    const off = { Regla: 'turno', Objetivo: '120', [`recibe.${eva.id}`]: 'no', [`recibe.${luis.id}`]: 'no' }
    assert.match((await admin.post('/cuenta/reparto', off)).headers['set-cookie'] ?? '', /=reparto-nadie;/)
    assert.equal(await receive(elsewhere), agencia.adminMail, 'nobody takes part')
  })

  it('200, 303: a large agency sets who takes turns fifty people at a time; the others stay as they are', async () => {
    const { admin, agencia } = await setUp()
    await server.store.query(sql`
      with people as (insert into accounts (modo, email, nombre, apellido)
        select 'produccion', 'persona' || n || '.' || ${agencia.id}::int || '@agencia.test', 'Persona', 'Número ' || n
        from generate_series(1, 120) n returning id)
      insert into operadores select ${agencia.id}, id, 'vendedor' from people`)
    const fieldsIn = (text: string) => [...text.matchAll(/name="(recibe\.\d+)"/g)].map(([, name = '']) => name)
    const first = (await admin.get('/cuenta/reparto')).text
    const last = (await admin.get('/cuenta/reparto?pagina=3')).text
    assert.deepEqual([fieldsIn(first).length, fieldsIn(last).length], [50, 23])
    assert.match(last, /Personas 101 a 123 de 123[\s\S]*href="\/cuenta\/reparto\?pagina=2"/)
    const form = { Regla: 'turno', Objetivo: '120', ...Object.fromEntries(fieldsIn(last).map((name) => [name, 'no'])) }
    const { status, headers } = await admin.post('/cuenta/reparto?pagina=3', form)
    assert.deepEqual([status, headers.location], [303, '/cuenta/reparto?pagina=3'])
    const [counted] = await server.store.query<{ off: number }>(sql`
      select count(*)::int as off from operadores where agencia_id = ${agencia.id} and recibe = false`)
    assert.equal(counted?.off, 23)
  })

  it('200: opening marks as read and tells the apps; a timeline has who did what; notes are text', async () => {
    const { admin, luisPages, luis, agencia, insert } = await setUp()
    const { sid } = await insert({ operador: luis.email })
    assert.match((await luisPages.get(`${LIST}/${sid}`)).text, /Estado: Leída/)
    await admin.get(`${LIST}/${sid}`)
    const note = () => luisPages.post(`${LIST}/${sid}/notas`, { Nota: 'Pasa el <b>sábado</b>\na las 10' })
    await Promise.all([note(), note()])
    await luisPages.post(`${LIST}/${sid}/estado`, { Estado: 'vendida' })
    await importNotes(server.store, agencia.modo, [{ sid, Momento: '2025-03-14T10:00:00Z', Texto: 'De otro sistema' }])
    const { text } = await admin.get(`${LIST}/${sid}`)
    assert.match(text, /<span>Nota:<span class="note">De otro sistema/)
    const entries = [
      'Llegó la consulta',
      'Luis Gil la abrió',
      'Luis Gil la marcó como leída',
      'Luis Gil anotó',
      'Luis Gil la marcó como vendida',
    ]
    for (const shown of [
      ...entries,
      'Pasa el &lt;b>sábado&lt;/b>\na las 10',
      `Notificación a ${app.app.nombre} del cambio`,
    ])
      assert.ok(text.includes(shown), shown)
    assert.equal(text.split('Luis Gil anotó').length, 2, 'a double click is one note')
    assert.deepEqual(
      (await changesOf(sid)).map(({ Estado }) => Estado),
      ['leida', 'vendida'],
    )
    const opening = {
      agencia,
      sid,
      scope: { agenciaId: agencia.id, app: 'all' },
      estado: 'leida',
      from: 'nueva',
    } as const
    const { estado } = (await changeEstado(depsOf(server), opening)) ?? {}
    assert.equal(estado, 'vendida', 'somebody was faster than who opens it')
    assert.equal((await luisPages.post(`${LIST}/${sid}/notas`, { Nota: '  ' })).status, 400)
    const long = await luisPages.post(`${LIST}/${sid}/notas`, { Nota: 'x'.repeat(2_001) })
    assert.deepEqual(
      [long.status, long.text.includes('x'.repeat(2_001))],
      [400, true],
      'what was written is still there',
    )
    assert.match(long.text, /campo-Nota-error/)
    assert.equal(server.logged().includes('sábado'), false)
  })

  it('a timeline has notifications and emails when they arrived, after a retry too', async () => {
    const own = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), own.app)
    await hook(server, own, 'consulta.recibida', 'https://crm.example/avisos')
    const { sid } = await insertConsulta(server.store, { agencia, fuente: own.app })
    const event = eventOf(own.app.id, 'consulta.recibida', { sid, agenciaId: agencia.id })
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    await server.store.query(sql`
      insert into mails (kind, to_address, sealed, sid) values ('consulta', ${newMail()}, '', ${sid})`)
    const arrive = (table: Sql, which: Sql) =>
      server.store.query(sql`
        update ${table} set estado = 'entregada', settled_at = now() + interval '2 hours' where ${which}`)
    await arrive(sql`deliveries`, sql`id = ${event.id}`)
    await arrive(sql`mails`, sql`sid = ${sid}`)
    const late = (await timelineOf(server.store, { sid })).filter(({ at }) => at.getTime() > Date.now() + 3_600_000)
    assert.deepEqual(late.map(({ kind }) => kind).sort(), ['app', 'correo'])
  })

  it('200: a reminder in the marketplace’s time is in the inbox that day and sent once, to who still sees the inquiry', async () => {
    const { admin, luisPages, luis, eva, agencia, insert } = await setUp()
    const { sid } = await insert({ operador: luis.email })
    const remind = (Momento: string) => luisPages.post(`${LIST}/${sid}/recordatorio`, { Momento })
    for (const wrong of ['', '2020-01-01T10:00', '2999-01-01T10:00', 'mañana', '2026-13-40T99:99'])
      assert.equal((await remind(wrong)).status, 400, wrong)
    const [unopened] = await server.store.query<{ estado: string }>(
      sql`select estado from consultas where sid = ${sid}`,
    )
    assert.equal(unopened?.estado, 'nueva', 'a refused form does not open the inquiry')
    const reads = await server.store.query(sql`select from audit_log where act = 'consulta.leer' and subject = ${sid}`)
    assert.equal(reads.length, 5, 'each refused form shows the inquiry, which is audited')
    const openings = async () => (await timelineOf(server.store, { sid })).filter(({ kind }) => kind === 'abierta')
    assert.deepEqual(await openings(), [])
    await luisPages.get(`${LIST}/${sid}`)
    assert.equal((await openings()).length, 1)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    assert.equal((await remind(`${tomorrow}T10:30`)).status, 303)
    const due = async () => {
      const rows = await server.store.query<{ at: Date }>(
        sql`select due_at as at from consulta_reminders where sid = ${sid}`,
      )
      return rows.map(({ at }) => at.toISOString())
    }
    assert.deepEqual(await due(), [`${tomorrow}T13:30:00.000Z`])
    assert.match((await luisPages.get(`${LIST}/${sid}`)).text, /Le recordaremos esta consulta por correo/)
    await sendReminders(server.store)
    const reminders = () =>
      server.store.query<{ to: string }>(
        sql`select to_address as to from mails where sid = ${sid} and kind = 'recordatorio'`,
      )
    assert.deepEqual(await reminders(), [])
    await admin.post('/cuenta/reparto', { Regla: 'ninguna', Objetivo: '120', Abierta: 'si' })
    const ofEva = (at: Date | null) => setReminder(server.store, { sid, agenciaId: agencia.id }, eva.id, at)
    await ofEva(new Date()) // as somebody has it who was the administrator
    await server.store.query(sql`update consulta_reminders set due_at = now() - interval '1 second' where sid = ${sid}`)
    await Promise.all([sendReminders(server.store), sendReminders(server.store)])
    await sendReminders(server.store)
    assert.deepEqual(await reminders(), [{ to: luis.email }])
    assert.match((await luisPages.get(`${LIST}/${sid}`)).text, /Ya le enviamos el recordatorio por correo/)
    await ofEva(null)
    assert.match((await luisPages.get(LIST)).text, /Recordatorios<\/h2>/)
    await admin.post(`${LIST}/${sid}/asignar`, { Operador: String(eva.id) })
    assert.deepEqual(await due(), [], 'it ends when another person gets the inquiry')
  })

  it('200: waits longer than the agency’s own target, response times, words of the message', async () => {
    const { admin, luisPages, luis, insert } = await setUp()
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const late = await insert({ at: ago(185), interesado: { Comentario: '¿Aceptan una PERMUTA por mi camión?' } })
    const soon = await insert({ at: ago(20) })
    const { text } = await admin.get(LIST)
    assert.equal(text.match(/Sin responder hace/g)?.length, 1)
    assert.match(text, /Sin responder hace 3\u00a0h/)
    await admin.post('/cuenta/reparto', { Regla: 'ninguna', Objetivo: '15' })
    assert.equal((await admin.get(LIST)).text.match(/Sin responder hace/g)?.length, 2)
    assert.deepEqual(sidsIn((await admin.get(`${LIST}?q=permuta+camion`)).text), [late.sid])
    await admin.post(`${LIST}/${late.sid}/estado`, { Estado: 'contactada' })
    assert.deepEqual(sidsIn((await admin.get(`${LIST}?ver=sin-responder`)).text), [soon.sid])
    const times = (await admin.get('/cuenta/reparto')).text
    assert.match(times, /Mediana<\/dt><dd>3\u00a0h/)
    assert.match(times, /0(,0)?\s?% de 2 consultas/)
    await insert({ operador: luis.email, estado: 'contactada' })
    assert.equal((await luisPages.get('/cuenta/reparto')).status, 200)
  })

  it('an erased person leaves no note and no reminder, and asks for no answer; old inquiries take theirs along', async () => {
    const { admin, insert, agencia } = await setUp()
    const email = newMail('olvido')
    const [{ sid }, old] = [
      await insert({ interesado: { Email: email }, at: new Date(Date.now() - 5 * 3_600_000) }),
      await insert({ at: new Date(Date.now() - 500 * 86_400_000) }),
    ]
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    for (const each of [sid, old.sid]) {
      await admin.post(`${LIST}/${each}/notas`, { Nota: 'Vive en Funes' })
      await admin.post(`${LIST}/${each}/recordatorio`, { Momento: `${tomorrow}T10:30` })
    }
    const left = (each: string) =>
      server.store.query<{ what: string }>(sql`
        select act as what from consulta_history where sid = ${each} and act = 'nota'
        union all select 'recordatorio' from consulta_reminders where sid = ${each}`)
    assert.equal((await left(sid)).length, 2)
    await erasePerson(depsOf(server), { email }, { accountId: null, via: 'comando' })
    assert.deepEqual(await left(sid), [])
    const { text } = await admin.get(`${LIST}/${sid}`)
    assert.doesNotMatch(text, /tel:|mailto:|name="Nota"|name="Momento"|value="contactada"/)
    for (const [path, form] of [
      ['notas', { Nota: 'Otra vez' }],
      ['notas', { Nota: '' }],
      ['recordatorio', { Momento: 'ayer' }],
    ] as const) {
      const refused = await admin.post(`${LIST}/${sid}/${path}`, form)
      assert.equal(refused.status, 403)
      assert.match(refused.text, /La persona pidió que se borraran sus datos/)
    }
    assert.doesNotMatch((await admin.get(LIST)).text, new RegExp(`${sid}[^§]*Sin responder hace`))
    await deleteBefore(server.store, new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10), 'UTC')
    assert.deepEqual(await left(old.sid), [])
    assert.ok(agencia.id > 0)
  })
})

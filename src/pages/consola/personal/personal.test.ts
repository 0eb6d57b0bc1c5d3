import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import type { Answer } from '../../../../tests/support/caller.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { enterStaff, type MadeStaff, makeStaff } from '../../../../tests/support/staff.ts'
import { untilBlocked } from '../../../../tests/support/until-blocked.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { useLink } from '../../../accounts/links.ts'
import { listInvitedStaff, removeStaff } from '../../../accounts/staff.ts'

describe('/consola/personal', () => {
  let server: TestServer
  let boss: MadeStaff
  before(async () => {
    server = await startServer()
    boss = await makeStaff(server, { nombre: 'Sol', apellido: 'Vega' })
  })
  after(() => server.stop())

  const actsOn = async (id: number) =>
    (
      await server.store.query<{ act: string }>(
        sql`select act from audit_log where subject = ${`cuenta ${id}`} and account_id = ${boss.account.id} order by id`,
      )
    ).map(({ act }) => act)
  /** Half a minute goes by. */

  it('404, 303: nobody but the staff knows of it', async () => {
    await makeAccount(server, { email: 'agencia@agencia.test' })
    const developer = await makeDeveloper(server, await server.newApp())
    const dealer = await visitor(server).enter('agencia@agencia.test')
    const paths = ['', '/1/quitar', '/1/reiniciar'].map((path) => `/consola/personal${path}`)
    for (const path of paths) {
      for (const who of [dealer, developer.visitor]) assert.equal((await who.get(path)).status, 404, path)
      assert.equal((await visitor(server).get(path)).headers.location?.split('?')[0], '/entrar', path)
    }
    for (const path of ['', '/1/retirar', '/1/quitar', '/1/reiniciar', '/acceso/codigos', '/acceso/telefono'])
      assert.equal((await dealer.post(`/consola/personal${path}`, { Email: 'x@y.test' })).status, 404, path)
  })

  it('303: an invited person gets a link, is listed as invited, and joins with it', async () => {
    const email = 'nueva@mercado.test'
    const invited = await boss.visitor.post('/consola/personal', { Email: 'Nueva@Mercado.test' })
    assert.deepEqual([invited.status, invited.headers.location], [303, '/consola/personal'])
    const { text } = await boss.visitor.get('/consola/personal')
    assert.ok(text.includes('Invitaciones pendientes') && text.includes(email))
    const [mail] = await server.emails(email)
    assert.match(mail?.subject ?? '', /^Sol Vega le invita/)
    const path = /\/personal\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
    const joined = await visitor(server).post(path, { Nombre: 'Lía', Apellido: 'Ro', Clave: PASSWORD })
    assert.equal(joined.headers.location, '/entrar/codigo')
    const after = await boss.visitor.get('/consola/personal')
    assert.ok(after.text.includes('Lía Ro') && after.text.includes('sin configurar'))
    assert.ok(!after.text.includes('Invitaciones pendientes'))
  })

  it('200: people are found by name, mail and second factor, read page by page, and as CSV', async () => {
    await server.store.query(sql`
      with made as (
        insert into accounts (modo, email, nombre, apellido)
        select 'produccion', 'turno' || n || '@mercado.test', 'Ana', 'Turno ' || n from generate_series(1, 30) n
        returning id)
      insert into staff (account_id) select id from made`)
    await boss.visitor.post('/consola/personal', { Email: 'otra@mercado.test' })
    const list = async (path: string) => {
      const { text } = await boss.visitor.get(path)
      const way = (label: string) => new RegExp(`href="([^"]+)">\\s*${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&')
      return {
        names: [...text.slice(text.indexOf('<table')).matchAll(/<strong>([^<]+)</g)].map(([, name]) => name),
        on: way('Página siguiente'),
        back: way('← Página anterior'),
        text,
      }
    }
    const first = await list('/consola/personal?q=ANA%20TURNO')
    assert.deepEqual([first.names.length, first.back], [25, undefined])
    assert.ok(!first.text.includes('otra@mercado.test'), 'invited people are searched, too')
    assert.ok((await list('/consola/personal?q=Otra@')).text.includes('otra@mercado.test'))
    const second = await list(first.on ?? '')
    assert.deepEqual([second.names.length, second.on], [5, undefined])
    assert.equal(new Set([...first.names, ...second.names]).size, 30)
    assert.deepEqual((await list(second.back ?? '')).names, first.names)
    assert.deepEqual((await list('/consola/personal?q=turno7@')).names, ['Ana Turno 7'])
    assert.deepEqual((await list('/consola/personal?segundo=activo')).names, ['Sol Vega'])
    assert.match((await list('/consola/personal?q=nadie%20asi')).text, /No hay nadie con esos filtros/)

    const csv = await boss.visitor.get('/consola/personal?q=turno&formato=csv')
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
    const [head, ...rows] = csv.text.trim().split('\r\n')
    assert.equal(head, '"Correo";"Persona";"Segundo paso";"Desde";"Rol"')
    assert.equal(rows.length, 30, 'a file has them all')
    assert.match(
      rows[0] ?? '',
      /^"turno\d+@mercado\.test";"Ana Turno \d+";"sin configurar";"20[\d-]+ [\d:]+";"todos los permisos"$/,
    )
    await server.store.query(sql`
      update staff set ended_at = now() where account_id in (select id from accounts where apellido like 'Turno %')`)
  })

  it('400: what is no mail, who is of the staff, and who was written to often', async () => {
    const wrong = await boss.visitor.post('/consola/personal', { Email: 'sin arroba' })
    assert.equal(wrong.status, 400)
    assert.ok(wrong.text.includes('value="sin arroba"') && wrong.text.includes('<title>Error: '))
    assert.match((await boss.visitor.post('/consola/personal', { Email: boss.email })).text, /ya está en el equipo/)
    for (let sent = 0; sent < 3; sent++)
      assert.equal((await boss.visitor.post('/consola/personal', { Email: 'mucho@mercado.test' })).status, 303)
    assert.match((await boss.visitor.post('/consola/personal', { Email: 'mucho@mercado.test' })).text, /varios correos/)
  })

  it('303: a new invitation ends the one before, and one can be withdrawn', async () => {
    const email = 'retirada@mercado.test'
    await boss.visitor.post('/consola/personal', { Email: email })
    await boss.visitor.post('/consola/personal', { Email: email })
    const paths = (await server.emails(email)).map(({ text }) => /\/personal\/[\w-]{43}/.exec(text)?.[0] ?? '')
    const statuses = async () => Promise.all(paths.map(async (path) => (await visitor(server).get(path)).status))
    assert.deepEqual(await statuses(), [200, 410])
    const { text } = await boss.visitor.get('/consola/personal')
    const id = new RegExp(`personal/(\\d+)/retirar.*?${email}`, 's').exec(text.slice(text.indexOf(email)))?.[1] ?? ''
    assert.equal((await boss.visitor.post(`/consola/personal/${id}/retirar`)).status, 303)
    assert.deepEqual(await statuses(), [410, 410])
    assert.equal((await boss.visitor.post(`/consola/personal/${id}/retirar`)).status, 404)
  })

  it('404: an invitation that is accepted while it is withdrawn; the audit log has no withdrawal', async () => {
    const email = 'apurada@mercado.test'
    await boss.visitor.post('/consola/personal', { Email: email })
    const [{ text = '' } = {}] = await server.emails(email)
    const token = /\/personal\/([\w-]{43})/.exec(text)?.[1] ?? ''
    const id = (await listInvitedStaff(server.store)).find((invited) => invited.email === email)?.id ?? 0
    let answer: Promise<Answer> | undefined
    await server.store.transaction(async (tx) => {
      assert.ok(await useLink(tx, token, 'personal'))
      answer = boss.visitor.post(`/consola/personal/${id}/retirar`)
      await untilBlocked(server.store)
    })
    assert.equal((await answer)?.status, 404)
    assert.deepEqual(await actsOn(id), ['personal.invitar'])
  })

  it('303: who is removed is out at once, and the act is in the log', async () => {
    const other = await makeStaff(server, { nombre: 'Eva' })
    const path = `/consola/personal/${other.account.id}/quitar`
    assert.match((await boss.visitor.get(path)).text, /¿Quitar a Eva Vega del equipo\?/)
    assert.equal((await other.visitor.get('/consola/personal')).status, 200)
    assert.equal((await boss.visitor.post(path)).status, 303)
    assert.equal((await other.visitor.get('/consola/personal')).headers.location?.split('?')[0], '/entrar')
    const back = await enterStaff(server, other)
    assert.equal((await back.get('/consola/personal')).status, 404)
    assert.deepEqual(await actsOn(other.account.id), ['personal.quitar'])
    assert.equal((await boss.visitor.post(path)).status, 404)
  })

  it('403: nobody removes or resets themselves; the last one stays, also when two remove each other', async () => {
    for (const act of ['quitar', 'reiniciar']) {
      const path = `/consola/personal/${boss.account.id}/${act}`
      assert.deepEqual([(await boss.visitor.get(path)).status, (await boss.visitor.post(path)).status], [403, 403])
    }
    const fresh = await startServer()
    try {
      const [one, two] = [await makeStaff(fresh), await makeStaff(fresh)]
      const removed = await Promise.all(
        [one, two].map(({ account }) => fresh.store.transaction((tx) => removeStaff(tx, account.id))),
      )
      assert.deepEqual(removed.sort(), [false, true])
    } finally {
      await fresh.stop()
    }
  })

  it('303: a reset second factor is set up anew, its owner gets an email, and it is in the log', async () => {
    const other = await makeStaff(server)
    const path = `/consola/personal/${other.account.id}/reiniciar`
    assert.match((await boss.visitor.get(path)).text, /Asegúrese de que se lo pide esa persona/)
    assert.equal((await boss.visitor.post(path)).status, 303)
    assert.equal((await other.visitor.get('/consola/personal')).headers.location?.split('?')[0], '/entrar')
    const back = await visitor(server).enter(other.email)
    assert.match((await back.get('/entrar/codigo')).text, /Proteja su cuenta/)
    const [mail] = await server.emails(other.email)
    assert.match(mail?.text ?? '', /Se restableció[\s\S]*Lo hizo Sol Vega/)
    assert.deepEqual(await actsOn(other.account.id), ['segundo-paso.reiniciar'])
    assert.equal((await boss.visitor.post(path)).status, 409)
  })
})

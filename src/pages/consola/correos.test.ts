import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { brandWith } from '../../../tests/support/brand.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { download, follow, isTitled, press, search, waitForNotice, withPages } from '../../../tests/support/pages.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { makeAccount, visitor } from '../../../tests/support/visitor.ts'
import { passwordEmail, secondFactorEmail } from '../../mail/compose.ts'
import { enqueueEmail } from '../../mail/email.ts'

const TOKEN_URL = 'http://rodado.test/clave/sQPS8iJdtdZ9li37rnEnf0W0hKPkRJIqZIEzvGqo2GE'

describe('/consola/correos', () => {
  const { server, onPage } = withPages()
  let staff: MadeStaff
  before(async () => {
    staff = await makeStaff(server)
  })

  /** An email with a one-time link, in that state. */
  async function newEmail(to: string, estado: string): Promise<number> {
    await server.store.transaction((tx) =>
      enqueueEmail(
        tx,
        server.seal,
        passwordEmail({ to, nombre: 'Ana <b>', url: TOKEN_URL, horas: 2, brand: brandWith() }),
      ),
    )
    const [row] = await server.store.query<{ id: number }>(
      sql`update mails set estado = ${estado}, attempts = 1, settled_at = now() where to_address = ${to} returning id`,
    )
    return row?.id ?? 0
  }
  const acts = () =>
    server.store.query<{ act: string; subject: string; detail: unknown }>(
      sql`select act, subject, detail from audit_log where account_id = ${staff.account.id} order by id desc limit 1`,
    )

  it('404, 303: it is there for the staff alone', async () => {
    const id = await newEmail('ajeno@correo.test', 'guardada')
    const developer = await makeDeveloper(server, await server.newApp())
    await makeAccount(server, { email: 'agencia@agencia.test' })
    const dealer = await visitor(server).enter('agencia@agencia.test')
    for (const path of ['', `/${id}`, `/${id}/html`]) {
      for (const who of [dealer, developer.visitor])
        assert.equal((await who.get(`/consola/correos${path}`)).status, 404)
      assert.equal((await visitor(server).get(`/consola/correos${path}`)).status, 303)
    }
  })

  it('200: staff that may only read sees a stored email without its links, which would make it another person', async () => {
    const reader = await makeStaff(server, { rol: 'lectura' })
    const path = `/consola/correos/${await newEmail('lectura@correo.test', 'guardada')}`
    const token = TOKEN_URL.split('/').at(-1) ?? assert.fail()
    for (const each of [path, `${path}/html`]) {
      assert.ok((await staff.visitor.get(each)).text.includes(token))
      const { status, text } = await reader.visitor.get(each)
      assert.deepEqual([status, text.includes(token), text.includes('/clave/…')], [200, false, true])
    }
  })

  it('200: a stored email shows its links; one that is under way or has left does not', async () => {
    const storedPage = await staff.visitor.get(`/consola/correos/${await newEmail('uno@correo.test', 'guardada')}`)
    assert.equal(storedPage.status, 200)
    assert.ok(storedPage.text.includes(`href="${TOKEN_URL}"`) && storedPage.text.includes('Elija una contraseña nueva'))
    for (const estado of ['pendiente', 'entregada', 'fallida']) {
      const id = await newEmail(`${estado}@correo.test`, estado)
      const [page, html] = [
        await staff.visitor.get(`/consola/correos/${id}`),
        await staff.visitor.get(`/consola/correos/${id}/html`),
      ]
      assert.equal(page.status, 200)
      for (const { text } of [page, html]) assert.ok(!text.includes('sQPS8iJdtd') && text.includes('/clave/…'), estado)
    }
  })

  it('200: a pending email says when it is tried next, and after how many attempts', async () => {
    const id = await newEmail('espera@correo.test', 'pendiente')
    const next = async (attempts: number) => {
      await server.store.query(sql`
        update mails set attempts = ${attempts}, settled_at = null, due_at = now() + interval '1 hour' where id = ${id}`)
      return (await staff.visitor.get(`/consola/correos/${id}`)).text
    }
    assert.match(await next(0), /Próximo intento<\/dt><dd><time[^>]*>.*?<\/time><\/dd>/)
    assert.match(await next(1), /Próximo intento<\/dt><dd><time[^>]*>.*?<\/time>, después de 1 intento<\/dd>/)
  })

  it('200: the email is in a frame that can run, load and open nothing', async () => {
    const id = await newEmail('dos@correo.test', 'guardada')
    const page = await staff.visitor.get(`/consola/correos/${id}`)
    assert.match(page.text, new RegExp(`<iframe[^>]+src="/consola/correos/${id}/html"[^>]+sandbox`))
    assert.match(page.headers['content-security-policy'] ?? '', /frame-src 'self'/)
    const html = await staff.visitor.get(`/consola/correos/${id}/html`)
    assert.match(
      html.headers['content-security-policy'] ?? '',
      /^sandbox; default-src 'none'; .*frame-ancestors 'self'/,
    )
    assert.ok(!html.text.includes('<b>'))
  })

  it('every reading is in the audit log, without anybody’s address', async () => {
    const id = await newEmail('tres@correo.test', 'guardada')
    await staff.visitor.get(`/consola/correos/${id}`)
    assert.deepEqual(await acts(), [{ act: 'correo.leer', subject: `correo ${id}`, detail: { tipo: 'clave' } }])
    await staff.visitor.get('/consola/correos')
    await staff.visitor.get(`/consola/correos/${id}/html`)
    assert.deepEqual(await acts(), [{ act: 'correo.leer', subject: `correo ${id}`, detail: { tipo: 'clave' } }])
    await staff.visitor.get('/consola/correos?para=tres@correo.test')
    const [listed] = await acts()
    assert.equal(listed?.act, 'correos.listar')
    assert.ok(!JSON.stringify(listed).includes('tres@'))
  })

  it('200: found by address, kind and state, page by page, and as a file', async () => {
    for (let n = 0; n < 30; n++) await newEmail(`lista${n}@correo.test`, n % 2 ? 'fallida' : 'guardada')
    const found = async (query: string) => {
      const { text } = await staff.visitor.get(`/consola/correos?${query}`)
      return { text, ids: [...text.matchAll(/href="\/consola\/correos\/(\d+)"/g)].map(([, id]) => Number(id)) }
    }
    assert.equal((await found('para=LISTA3@correo.test')).ids.length, 1)
    assert.equal((await found('para=nadie@correo.test')).ids.length, 0)
    assert.match((await found('para=nadie@correo.test')).text, /No hay correos con esos filtros/)
    assert.ok((await found('estado=fallida')).ids.length >= 15)
    assert.equal((await found('estado=pendiente&para=lista1@correo.test')).ids.length, 0)
    assert.equal((await found('tipo=invitacion')).ids.length, 0)
    const first = await found('tipo=clave')
    assert.equal(first.ids.length, 25)
    const next = /href="([^"]+)">\s*Página siguiente/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await found(next.split('?')[1] ?? '')
    assert.ok(second.ids.length > 0 && Math.max(...second.ids) < Math.min(...first.ids))
    const csv = await staff.visitor.get('/consola/correos?formato=csv&tipo=clave&estado=fallida')
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
    assert.match(csv.text, /^\uFEFF?"Correo";"Para";"Estado";"Creado";"Intentos";"Error"\r\n/)
    assert.ok(csv.text.split('\r\n').length > 15)
  })

  it('200: the two emails about an inquiry are listed, each with its status; the receipt goes when the person is erased', async () => {
    const app = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const sitio = await server.newSitio()
    const body = JSON.stringify({
      AdminMail: agencia.adminMail,
      Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' },
      OrigenLead: 'form',
      Interesado: { Nombre: 'Lucía', Email: 'lucia@correo.test' },
    })
    const made = await sitio.call('POST', '/interno/v1/consultas', { body })
    assert.equal(made.status, 201, made.text)
    const sid = made.headers.location?.split('/').at(-1)
    const [mail, receipt] = await server.store.query<{ id: number }>(
      sql`select id from mail_recipients where sid = ${sid} order by kind`,
    )
    await server.store.query(sql`update mail_receipts set estado = 'fallida', attempts = 8 where sid = ${sid}`)
    const toAgencia = await staff.visitor.get(`/consola/correos?tipo=consulta&para=${agencia.adminMail}`)
    assert.match(toAgencia.text, new RegExp(`/correos/${mail?.id}">Consulta, a la agencia.*>guardado<`, 's'))
    const toPerson = await staff.visitor.get('/consola/correos?tipo=consulta-recibo&para=lucia@correo.test')
    assert.match(toPerson.text, new RegExp(`/correos/${receipt?.id}">Confirmación, a quien consultó.*>no llegó<`, 's'))
    const read = await staff.visitor.get(`/consola/correos/${receipt?.id}`)
    assert.ok(read.text.includes('Su consulta por') && read.text.includes('lucia@correo.test'))
    const page = await staff.visitor.get(`/consola/correos/${mail?.id}`)
    assert.ok(page.text.includes('Lucía') && page.text.includes(`/consola/consultas/${sid}`))
    await staff.visitor.post('/consola/supresiones/suprimir', { Email: 'LUCIA@correo.test' })
    const after = await staff.visitor.get(`/consola/correos/${mail?.id}`)
    assert.equal(after.status, 200)
    assert.ok(!after.text.includes('Lucía') && after.text.includes('se borró a pedido'))
    assert.equal((await staff.visitor.get(`/consola/correos/${mail?.id}/html`)).status, 404)
    assert.equal((await staff.visitor.get(`/consola/correos/${receipt?.id}`)).status, 404)
    const [row] = await server.store.query<{ text: string }>(
      sql`select m::text as text from mails m where sid = ${sid}`,
    )
    assert.ok(row?.text.includes(agencia.adminMail) && !row.text.includes('lucia'))
  })

  /** An email without any link, that failed. */
  async function failed(to: string): Promise<number> {
    const content = {
      to,
      nombre: 'Ana',
      hecho: 'codigos',
      claveUrl: 'http://rodado.test/clave',
      brand: brandWith(),
    } as const
    await server.store.transaction((tx) => enqueueEmail(tx, server.seal, secondFactorEmail(content)))
    const [row] = await server.store.query<{ id: number }>(sql`
      update mails set estado = 'fallida', attempts = 9, settled_at = now(), last_error = '550' where to_address = ${to}
      returning id`)
    return row?.id ?? 0
  }

  it('303: a failed email is sent again, once, and who had it sent is in the audit log', async () => {
    const id = await failed('otra@correo.test')
    const path = `/consola/correos/${id}`
    assert.match((await staff.visitor.get(path)).text, /<button[^>]*>Reenviar/)
    const [sent, twin] = await Promise.all([1, 2].map(() => staff.visitor.post(`${path}/reenviar`)))
    assert.deepEqual([sent?.status, twin?.status, sent?.headers.location], [303, 303, path])
    const noted = await server.store.query<{ detail: unknown }>(
      sql`select detail from audit_log where act = 'correo.reenviar' and subject = ${`correo ${id}`}`,
    )
    assert.deepEqual(noted, [{ detail: { tipo: 'segundo-paso' } }], 'sent twice, it leaves once')
    const [row] = await server.store.query(sql`
      select estado, attempts, settled_at, last_error, due_at <= now() as due from mails where id = ${id}`)
    assert.deepEqual(row, { estado: 'pendiente', attempts: 0, settled_at: null, last_error: null, due: true })
    assert.doesNotMatch((await staff.visitor.get(path)).text, /<button[^>]*>Reenviar/)
  })

  it('303: what has left, or had a link that is good once, does not leave again; 404 for others', async () => {
    const [left, linked] = [
      await newEmail('salio@correo.test', 'entregada'),
      await newEmail('enlace@correo.test', 'fallida'),
    ]
    for (const [id, estado] of [[left, 'entregada'] as const, [linked, 'fallida'] as const]) {
      assert.doesNotMatch((await staff.visitor.get(`/consola/correos/${id}`)).text, /<button[^>]*>Reenviar/)
      const refused = await staff.visitor.post(`/consola/correos/${id}/reenviar`)
      assert.deepEqual([refused.status, refused.headers['set-cookie']?.includes('correo-no-se-reenvia')], [303, true])
      assert.deepEqual(await server.store.query(sql`select estado from mails where id = ${id}`), [{ estado }])
    }
    assert.match((await staff.visitor.get(`/consola/correos/${linked}`)).text, /no se puede reenviar/)
    const developer = await makeDeveloper(server, await server.newApp())
    const id = await failed('deotros@correo.test')
    assert.equal((await developer.visitor.post(`/consola/correos/${id}/reenviar`)).status, 404)
    assert.deepEqual(await server.store.query(sql`select estado from mails where id = ${id}`), [{ estado: 'fallida' }])
  })

  it('404: what is no email', async () => {
    for (const id of ['0', 'x', '99999999999999999999'])
      assert.equal((await staff.visitor.get(`/consola/correos/${id}`)).status, 404, id)
  })

  it('in a browser: an email that did not arrive is found, read and sent again; the list is downloaded', async () => {
    const id = await failed('navegador@correo.test')
    await onPage('console correos', { as: staff.visitor }, async (page) => {
      await page.goto('/consola/correos')
      await page.getByLabel('Estado').selectOption('No llegó')
      await search(page, { 'Para (correo exacto)': 'navegador@correo.test' })
      assert.match((await download(page)).lines[1] ?? '', /"navegador@correo\.test";"no llegó";.*"550"/)
      await page.getByRole('cell').getByRole('link').click()
      await isTitled(page, 'Actividad en el acceso a su cuenta de Rodado')
      assert.ok(page.url().endsWith(`/consola/correos/${id}`))
      await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page)
      await press(page, 'Reenviar')
      await waitForNotice(page, 'Se reenvía el correo')
      await page.getByText('Espera su turno').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Reenviar' }).count(), 0)
      await follow(page, 'Correos')
      await page.getByLabel('Tipo').selectOption('Invitación a colaborar')
      await page.getByText('No hay correos con esos filtros').waitFor()
    })
  })
})

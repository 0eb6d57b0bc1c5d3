import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, eventsOf, FORM, invitedToken, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount, PASSWORD, visitor } from '../../../tests/support/visitor.ts'
import { disableApp } from '../../apps/store.ts'
import { agenciaOfAccount, asociacionesOf } from '../../resources/agencias/read.ts'
import { acceptInvitacion } from '../../resources/agencias/register.ts'

const FIELDS = FORM as Record<string, string>

describe('registration', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer({ env: { SUPPORT_MAIL: 'ayuda@rodado.test' } })
    app = await server.newApp({ nombre: 'Gestor Uno' })
  })
  after(() => server.stop())
  const invite = (body: Record<string, string> = {}, by = app.app) =>
    invitedToken(depsOf(server), by, { AdminMail: newMail(), ...body })
  const agencies = async () => (await server.store.query(sql`select from agencias`)).length

  it('200: the page says who invites and what it means, prefilled with what the app said', async () => {
    const mail = newMail()
    const token = await invite({
      AdminMail: mail,
      Nombre: 'Autos <b>Norte</b>',
      AdminNombre: 'Ana',
      Telefono: '011 4555-1234',
      Region: 'Buenos Aires',
      Ciudad: 'Temperley',
      Mensaje: 'Vea https://gestor.test/hola',
    })
    const { status, text, headers } = await visitor(server).get(`/registro/${token}`)
    assert.equal(status, 200)
    assert.match(text, /<h1>Gestor Uno le invita a registrar su agencia<\/h1>/)
    assert.match(text, /Editar los datos de la agencia/)
    assert.ok(text.includes('Autos &lt;b>Norte') || text.includes('Autos &lt;b&gt;Norte'))
    assert.ok(!text.includes('<b>Norte'))
    assert.match(text, /<option (selected value="Buenos Aires"|value="Buenos Aires" selected)>/)
    for (const value of ['Ana', '011 4555-1234', 'Temperley', mail]) assert.ok(text.includes(`value="${value}"`), value)
    assert.ok(text.includes('Vea https://gestor.test/hola') && !text.includes('href="https://gestor'))
    assert.match(text, /Al menos 8 caracteres/)
    assert.ok(text.includes('Elija de la lista (opcional)'))
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'; connect-src 'self'$/)
  })

  it('the form sends the fields of the interface and no others', async () => {
    const { text } = await visitor(server).get(`/registro/${await invite()}`)
    const names = [...text.matchAll(/<(?:input|select)[^>]*\sname="([^"]+)"/g)].map(([, name]) => name)
    assert.deepEqual(names.sort(), Object.keys(FORM).sort())
  })

  it('303: the form registers once and ends in a signed-in account; the app hears of it', async () => {
    const mail = newMail()
    const token = await invite({ AdminMail: mail })
    const ana = visitor(server)
    const answer = await ana.post(`/registro/${token}`, FIELDS)
    assert.deepEqual([answer.status, answer.headers.location], [303, '/cuenta'])
    const account = await ana.get('/cuenta')
    assert.equal(account.status, 200)
    for (const shown of ['Automotores del Sur', 'Temperley', 'Gestor Uno', mail])
      assert.ok(account.text.includes(shown), shown)
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.Estado, 'asociada')
    const [row] = await server.store.query<{ id: number }>(sql`select id from agencias where admin_mail = ${mail}`)
    assert.deepEqual(
      (await eventsOf(server, app.app, row?.id ?? 0)).map(({ Topic }) => Topic),
      ['agencia.registrada'],
    )
  })

  it('200: GET, HEAD and a scanner that opens the link a hundred ways use nothing up', async () => {
    const token = await invite()
    for (let i = 0; i < 5; i++) assert.equal((await visitor(server).get(`/registro/${token}`)).status, 200)
    assert.equal((await visitor(server).head(`/registro/${token}`)).status, 200)
    assert.equal((await visitor(server).post(`/registro/${token}`, FIELDS)).status, 303)
  })

  it('303, once: the same form sent five times at once registers one agency, and each ends signed in', async () => {
    const token = await invite()
    const before = await agencies()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor(server).post(`/registro/${token}`, FIELDS)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303, 303, 303],
    )
    assert.equal(await agencies(), before + 1)
  })

  it('400: every fault at once, beside its field and in the order of the page; nothing is lost but the password', async () => {
    const token = await invite()
    const before = await agencies()
    const { status, text } = await visitor(server).post(`/registro/${token}`, {
      ...FIELDS,
      Nombre: '  ',
      Telefono: 'llamar',
      AdminApellido: 'x'.repeat(51),
      Clave: 'corta',
    })
    assert.equal(status, 400)
    assert.match(text, /<title>Error: /)
    assert.match(text, /role="alert"/)
    const order = ['Nombre', 'Telefono', 'AdminApellido', 'Clave']
    const invalid = [...text.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)].map(([tag]) => tag)
    assert.deepEqual(
      invalid.map((tag) => /name="(\w+)"/.exec(tag)?.[1]),
      order,
    )
    assert.ok(/autofocus/.test(invalid[0] ?? ''), 'the keyboard waits at the first')
    assert.equal(text.match(/autofocus/g)?.length, 1)
    for (const name of order) assert.match(text, new RegExp(`id="campo-${name}-error"`))
    for (const tag of invalid) assert.match(tag, /aria-describedby="[^"]*-error"/)
    assert.ok(text.includes('value="llamar"') && text.includes('value="Temperley"'))
    assert.ok(!text.includes('corta"'))
    assert.equal(await agencies(), before)
  })

  it('400: a city that is not known is asked back with those that come near, and one of them is chosen with its region', async () => {
    const token = await invite()
    const ana = visitor(server)
    const response = await ana.post(`/registro/${token}`, {
      ...FIELDS,
      Region: 'Córdoba',
      Ciudad: 'Villa Mariya del Norte Grande',
    })
    assert.equal(response.status, 400)
    const [, href = ''] = /type="radio"[^>]*value="(\/v3\/ciudades\/\d+)"/.exec(response.text) ?? []
    assert.ok(
      href,
      response.text.slice(response.text.indexOf('campo-Ciudad'), response.text.indexOf('campo-Ciudad') + 900),
    )
    // As a browser sends it: the text first, then the choice.
    const body = `${new URLSearchParams({ ...FIELDS, Region: 'Salta', Ciudad: 'Villa Mariya del Norte' })}&Ciudad=${encodeURIComponent(href)}`
    assert.equal((await ana.post(`/registro/${token}`, body)).status, 303)
    const { text } = await ana.get('/cuenta')
    assert.match(text, /Córdoba/)
  })

  it('400: a city of another region than the chosen one is asked about, not moved there; yes is one key', async () => {
    const token = await invite()
    const ana = visitor(server)
    const form = { ...FIELDS, Region: 'Santa Fe', Ciudad: 'Temperley' }
    const response = await ana.post(`/registro/${token}`, form)
    assert.equal(response.status, 400)
    assert.match(response.text, /Encontramos Temperley \(Buenos Aires\), que no está en Santa Fe/)
    const [, href = ''] = /type="radio"[^>]*value="(\/v3\/ciudades\/\d+)"/.exec(response.text) ?? []
    const yes = `${new URLSearchParams(form)}&Ciudad=${encodeURIComponent(href)}`
    assert.equal((await ana.post(`/registro/${token}`, yes)).status, 303)
    assert.match((await ana.get('/cuenta')).text, /Temperley, Buenos Aires/)
  })

  it('410: a used link leads to sign-in, an expired or revoked one to whom to ask', async () => {
    const used = await invite()
    await visitor(server).post(`/registro/${used}`, FIELDS)
    const again = await visitor(server).get(`/registro/${used}`)
    assert.equal(again.status, 410)
    assert.match(again.text, /ya se usó[\s\S]*href="\/entrar"/)

    const expired = await invite({ AdminMail: 'tarde@agencia.test' })
    await server.store.query(sql`update invitaciones set vence = now() where admin_mail = 'tarde@agencia.test'`)
    for (const answer of [
      await visitor(server).get(`/registro/${expired}`),
      await visitor(server).post(`/registro/${expired}`, FIELDS),
    ]) {
      assert.equal(answer.status, 410)
      assert.match(answer.text, /venció[\s\S]*Gestor Uno[\s\S]*ayuda@rodado\.test/)
    }

    const gone = await server.newApp({ nombre: 'Gestor Cerrado' })
    const closed = await invite({}, gone.app)
    await disableApp(server.store, gone.app.appKey, true)
    assert.equal((await visitor(server).get(`/registro/${closed}`)).status, 410)
  })

  it('404: an unknown link, and the former one of an invitation that was renewed', async () => {
    const mail = newMail()
    const former = await invite({ AdminMail: mail })
    const renewed = await invite({ AdminMail: mail })
    for (const token of [former, 'nada', 'x'.repeat(43), '..%2f..']) {
      const { status, text } = await visitor(server).get(`/registro/${token}`)
      assert.equal(status, 404, token)
      assert.match(text, /<html lang="es">/)
    }
    assert.equal((await visitor(server).post(`/registro/${former}`, FIELDS)).status, 404)
    assert.equal((await visitor(server).get(`/registro/${renewed}`)).status, 200)
  })

  it('a second app’s link asks the owner to sign in, and associates it once accepted', async () => {
    const second = await server.newApp({ nombre: 'Gestor Dos' })
    const mail = newMail()
    const [one, two] = [await invite({ AdminMail: mail }), await invite({ AdminMail: mail }, second.app)]
    await visitor(server).post(`/registro/${one}`, FIELDS)

    const ana = visitor(server)
    const response = await ana.get(`/registro/${two}`)
    assert.equal(response.status, 200)
    assert.match(response.text, /action="\/entrar"/)
    const refused = await visitor(server).post(`/registro/${two}`, { ...FIELDS, Clave: 'la clave de un extraño' })
    assert.equal(refused.status, 303)
    assert.equal(refused.headers['set-cookie'], undefined, 'a form does not open somebody’s account')

    const [, volver = ''] = /name="volver" value="([^"]+)"/.exec(response.text) ?? []
    const entered = await ana.post('/entrar', { Email: mail, Clave: PASSWORD, volver })
    assert.equal(entered.headers.location, `/registro/${two}`)
    const offer = await ana.get(`/registro/${two}`)
    assert.match(offer.text, /Gestor Dos quiere trabajar con Automotores del Sur/)
    const accepted = await ana.post(`/registro/${two}`)
    assert.deepEqual([accepted.status, accepted.headers.location], [303, '/cuenta'])
    assert.match((await ana.get('/cuenta')).text, /Gestor Dos/)
    assert.equal((await ana.get(`/registro/${two}`)).status, 410)
  })

  it('403: somebody else who is signed in is told whose the invitation is, and can do nothing with it', async () => {
    const second = await server.newApp({ nombre: 'Gestor Tres' })
    const { mail } = await makeAgencia(depsOf(server), app.app)
    await server.store.query(
      sql`delete from operadores o using accounts a where a.id = o.account_id and a.email = ${mail}`,
    )
    const token = await invite({ AdminMail: mail }, second.app)
    await makeAccount(server, { email: 'bob@otra.test' })
    const bob = await visitor(server).enter('bob@otra.test')
    const { status, text } = await bob.get(`/registro/${token}`)
    assert.equal(status, 403)
    assert.ok(text.includes(mail))
    assert.equal((await bob.post(`/registro/${token}`, FIELDS)).status, 303)
    assert.equal((await bob.get('/cuenta')).text.includes('Gestor Tres'), false)
  })

  it('303: who has an account and no agency registers one without choosing a password', async () => {
    const mail = newMail()
    const account = await makeAccount(server, { email: mail, nombre: 'Luz', apellido: 'Sol' })
    const token = await invite({ AdminMail: mail })
    const luz = await visitor(server).enter(mail)
    const form = await luz.get(`/registro/${token}`)
    assert.ok(!form.text.includes('name="Clave"') && !form.text.includes('name="AdminNombre"'))
    assert.equal((await luz.post(`/registro/${token}`, { Nombre: 'Autos Luz' })).status, 303)
    const agencia = await agenciaOfAccount(server.store, account)
    assert.deepEqual([agencia?.nombre, agencia?.rol], ['Autos Luz', 'administrador'])
    assert.equal((await eventsOf(server, app.app, agencia?.id ?? 0))[0]?.Topic, 'agencia.registrada')
    assert.equal((await asociacionesOf(server.store, agencia?.id ?? 0)).length, 1)
    assert.equal((await acceptInvitacion(depsOf(server), token, account)).kind, 'used')
  })

  it('429: a used link is no way to guess its owner’s password', async () => {
    const token = await invite()
    await visitor(server).post(`/registro/${token}`, FIELDS)
    const statuses = new Set<number>()
    for (let i = 0; i < 12; i++)
      statuses.add((await visitor(server).post(`/registro/${token}`, { ...FIELDS, Clave: `intento ${i}` })).status)
    assert.deepEqual([...statuses], [410, 429])
  })

  it('200: cities are suggested by region and by what is typed, without accents or case', async () => {
    const suggest = async (query: Record<string, string>) => {
      const { status, text } = await visitor(server).get(`/sugerencias/ciudades?${new URLSearchParams(query)}`)
      assert.equal(status, 200)
      return [...text.matchAll(/value="([^"]+)"/g)].map(([, value]) => value)
    }
    assert.equal((await suggest({ Region: 'Córdoba', Ciudad: '' }))[0], 'Córdoba')
    assert.equal((await suggest({ Region: 'Córdoba', Ciudad: 'cordo' }))[0], 'Córdoba')
    assert.ok((await suggest({ Region: 'Buenos Aires', Ciudad: 'TEMPER' })).includes('Temperley'))
    assert.ok((await suggest({ Region: '', Ciudad: 'rosario' })).includes('Rosario'))
    assert.deepEqual(await suggest({ Region: '', Ciudad: '' }), [])
    assert.deepEqual(await suggest({ Region: 'Santa Fe', Ciudad: '<script>' }), [])
  })

  it('no token, mail or name is in the log', () => {
    const log = server.logged()
    assert.ok(log.includes('/registro/:token'))
    assert.doesNotMatch(log, /\/registro\/[\w-]{20}/)
    for (const secret of ['@agencia.test', 'Automotores', 'Temperley']) assert.ok(!log.includes(secret), secret)
  })
})

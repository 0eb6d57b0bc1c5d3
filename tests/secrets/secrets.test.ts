import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import type { Answer } from '../support/caller.ts'
import { LOOPBACK, makeDue } from '../support/deliveries.ts'
import { makeDeveloper } from '../support/developer.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer, TestSitio } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { PASSWORD, visitor } from '../support/visitor.ts'
import { PERSONAL_COLUMNS } from './allowed.ts'
import { type Marks, marksIn, marksInStore } from './traces.ts'
import { startServer } from './watched.ts'

const ADMIN = { mail: 'tatarenda@yuchan.test', nombre: 'Tatarendá', apellido: 'Yuchanpora', telefono: '011 4777-8899' }
const PERSON = {
  Nombre: 'Ñandubayra',
  Apellido: 'Quebrachales',
  Email: 'nandubayra@quebrachal.test',
  Telefono: '+54 9 341 777-4321',
  DocIdentidad: '30999888',
  Comentario: 'permuto por una Siambretta',
}
const HOOK_SECRET = 'secreto-del-webhook-marcado-0042'
const HEADER_VALUE = 'Bearer cabecera-marcada-0042'
/** An address that the mail server rejects. */
const NOBODY = 'nadie-lapacho@quebrachal.test'
const COLLEAGUES = { colaborar: 'colega@yuchan.test', equipo: 'equipo@yuchan.test', personal: 'personal@yuchan.test' }
const [CLAVE, NEW_CLAVE] = ['una clave marcada 0042', 'otra clave marcada 0043']

/** Personal data; every other mark is a secret. */
const PERSONAL: Marks = {
  'admin mail': ADMIN.mail,
  'admin name': ADMIN.nombre,
  'admin surname': ADMIN.apellido,
  'admin telephone': ADMIN.telefono,
  nobody: NOBODY,
  ...COLLEAGUES,
  ...Object.fromEntries(Object.entries(PERSON).map(([name, value]) => [`person ${name}`, value])),
  'person digits': PERSON.Telefono.replace(/\D/g, ''),
}
const OF_THE_PERSON = Object.fromEntries(Object.entries(PERSONAL).filter(([name]) => name.startsWith('person ')))

/** Not in the documents: the search of the docs names routes by their operationId. */
const HIDDEN = { schema: { hide: true } } as const

describe('secrets and personal data: search after every kind of request', () => {
  let server: TestServer
  let mailbox: Mailbox
  let receiver: Receiver
  let app: TestApp
  let sitio: TestSitio
  let staff: Awaited<ReturnType<typeof makeStaff>>
  const secrets: Marks = {
    password: CLAVE,
    'new password': NEW_CLAVE,
    'webhook secret': HOOK_SECRET,
    header: HEADER_VALUE,
  }
  /** Bodies of refusals, with their requests. */
  const refusals: { request: string; text: string }[] = []

  const expect = (answer: Answer, status: number, request: string): Answer => {
    assert.equal(answer.status, status, `${request}: ${answer.text.slice(0, 500)}`)
    if (answer.status >= 400) refusals.push({ request, text: answer.text })
    return answer
  }
  const api = async (method: string, path: string, status: number, body?: object) =>
    expect(await app.call(method, path, body ? { body: JSON.stringify(body) } : {}), status, `${method} ${path}`)

  before(async () => {
    ;[mailbox, receiver] = [await openMailbox(), await openReceiver()]
    server = await startServer({
      worker: { smtpUrl: mailbox.url },
      env: LOOPBACK,
      routes(v3) {
        v3.get('/falla/sql', HIDDEN, () => server.store.query(sql`select ${PERSON.Email}::text::int`))
        v3.get('/falla/json', HIDDEN, () => JSON.parse(`"${HOOK_SECRET}" y más`))
      },
    })
    ;[app, sitio] = [await server.newApp(), await server.newSitio()]
    staff = await makeStaff(server)
    Object.assign(secrets, { 'app secret': app.secret, 'site key': sitio.sitioKey })
    for (const [at, code] of staff.recoveryCodes.entries()) secrets[`recovery code ${at}`] = code
    await happen()
  })
  after(async () => {
    await server.stop()
    await Promise.all([mailbox.close(), receiver.close()])
  })

  /** The one-time link of a kind in the email to an address. */
  async function linkTo(mail: string, kind: string): Promise<string> {
    const link = new RegExp(`/${kind}/[\\w-]{43}`)
    const found = () =>
      mailbox.mails
        .filter(({ to }) => to.includes(mail))
        .flatMap(({ mail: { text = '' } }) => link.exec(text)?.[0] ?? [])
    await until(() => found().length > 0)
    const path = found()[0] ?? assert.fail(`no link to /${kind}`)
    secrets[`${kind} token`] = path.split('/').at(-1) ?? ''
    return path
  }

  async function happen(): Promise<void> {
    await getToken()
    await invite()
    await register()
    await signInAndReset()
    const sid = await inquire()
    await refuse(sid)
    await fail()
    await work()
    await bounce()
  }

  async function getToken(): Promise<void> {
    const { appKey } = app.app
    const form = { grant_type: 'client_credentials', client_id: appKey, client_secret: app.secret }
    const given = await visitor(server).post('/oauth/token', form)
    secrets['access token'] = expect(given, 200, 'token').json.access_token
    expect(await visitor(server).post('/oauth/token', { ...form, client_secret: `${app.secret}x` }), 401, 'token')
  }

  async function invite(): Promise<void> {
    await api('POST', '/v3/agencias', 202, {
      AdminMail: ADMIN.mail,
      AdminNombre: ADMIN.nombre,
      AdminApellido: ADMIN.apellido,
      Telefono: ADMIN.telefono,
    })
    await api('POST', '/v3/agencias', 400, { AdminMail: `${ADMIN.nombre} no es un correo`, Telefono: 7 })
  }

  async function register(): Promise<void> {
    const path = await linkTo(ADMIN.mail, 'registro')
    const form = {
      Nombre: 'Automotores',
      AdminNombre: ADMIN.nombre,
      AdminApellido: ADMIN.apellido,
      Telefono: ADMIN.telefono,
      Region: 'Buenos Aires',
      Ciudad: 'Temperley',
      Clave: CLAVE,
    }
    const person = visitor(server)
    expect(await person.get(path), 200, 'registro')
    const wrong = await person.post(path, { ...form, Clave: 'corta' })
    assert.equal(wrong.status, 400)
    expect(await person.post(path, form), 303, 'registro')
    secrets.session = person.cookie().split('=')[1] ?? ''
    await api('POST', '/v3/agencias', 409, { AdminMail: ADMIN.mail })
    await api('PUT', `/v3/agencias/${ADMIN.mail}`, 200, { Nombre: 'Automotores', Telefono: ADMIN.telefono })
  }

  async function signInAndReset(): Promise<void> {
    const person = visitor(server)
    expect(await person.post('/entrar', { Email: ADMIN.mail, Clave: `${CLAVE} no` }), 400, 'entrar')
    await person.enter(ADMIN.mail, CLAVE)
    expect(await person.get('/cuenta'), 200, 'cuenta')
    expect(await visitor(server).post('/clave', { Email: ADMIN.mail }), 200, 'clave')
    const path = await linkTo(ADMIN.mail, 'clave')
    expect(await visitor(server).post(path, { Clave: NEW_CLAVE, Repetida: NEW_CLAVE }), 303, 'clave')
    const half = visitor(server)
    await half.post('/entrar', { Email: staff.email, Clave: PASSWORD })
    const code = await half.post('/entrar/codigo', { Codigo: '000000' })
    assert.ok(code.status >= 400, String(code.status))
  }

  async function inquire(): Promise<string> {
    await api('POST', '/v3/appnotificaciones/consulta.recibida', 201, {
      Callback: `${receiver.url}/consultas`,
      Secret: HOOK_SECRET,
      HeaderCustom01: { Name: 'X-Clave', Value: HEADER_VALUE },
    })
    await api('POST', '/v3/appnotificaciones/agencia.modificada', 400, {
      Callback: 'nada',
      Secret: HOOK_SECRET.slice(0, 5),
    })
    await api('POST', `/v3/publicaciones/${ADMIN.mail}`, 201, {
      ExternalId: 'AB-1',
      Marca: 'Fiat',
      Modelo: 'Cronos',
      Activa: false,
    })
    // The receiver echoes what it got, as one left in debug mode does.
    receiver.answer((delivery, turn) => (turn === 1 ? { status: 500, body: delivery.body } : 200))
    const body = JSON.stringify({ AdminMail: ADMIN.mail, ExternalId: 'AB-1', OrigenLead: 'form', Interesado: PERSON })
    const options = { body, headers: { 'idempotency-key': 'una-vez' } }
    const taken = expect(await sitio.call('POST', '/interno/v1/consultas', options), 201, 'consulta')
    const sid = taken.headers.location?.split('/').at(-1) ?? ''
    await receiver.waitFor(1, '/consultas')
    await until(async () => {
      await makeDue(server)
      return receiver.received.length >= 2
    })
    await mailbox.waitFor(PERSON.Email)
    // A delivery in progress is not sent twice.
    await until(
      async () => (await server.store.query(sql`select from deliveries where estado = 'entregada'`)).length > 0,
    )
    await api('POST', `/v3/consultas/${ADMIN.mail}/${sid}/resendwebhook`, 202)
    await receiver.waitFor(3, '/consultas')
    return sid
  }

  async function refuse(sid: string): Promise<void> {
    const wrong = JSON.stringify({ AdminMail: ADMIN.mail, OrigenLead: 'no', Interesado: { ...PERSON, Telefono: 'x' } })
    expect(await sitio.call('POST', '/interno/v1/consultas', { body: wrong }), 400, 'consulta')
    const other = await server.newApp()
    for (const path of ['agencias', 'consultas', 'publicaciones', 'operadores', 'sucursales'])
      expect(await other.get(`/v3/${path}/${ADMIN.mail}`), 404, path)
    expect(await other.get(`/v3/consultas/${ADMIN.mail}/${sid}`), 404, 'consulta')
    await api('GET', `/v3/consultas/${ADMIN.mail}?operador=${encodeURIComponent(PERSON.Email)}`, 400)
  }

  /** Server errors whose message contains what was requested. */
  async function fail(): Promise<void> {
    for (const path of ['/v3/falla/sql', '/v3/falla/json']) await api('GET', path, 500)
  }

  /** A mail server that names the recipient in its refusal. */
  async function bounce(): Promise<void> {
    mailbox.refuse('to', 550, `5.1.1 <${NOBODY}>: nobody of that name (${NOBODY})`)
    await api('POST', '/v3/agencias', 202, { AdminMail: NOBODY })
    const refused = sql`select last_error as error from mails where to_address = ${NOBODY} and estado = 'fallida'`
    await until(async () => (await server.store.query(refused)).length > 0)
    mailbox.release()
    assert.match((await server.store.query<{ error: string }>(refused))[0]?.error ?? '', /^550 5\.1\.1 <…>: nobody/)
  }

  /** Page views: the agency, the developer and staff. */
  async function work(): Promise<void> {
    const agency = await visitor(server).enter(ADMIN.mail, NEW_CLAVE)
    for (const path of ['/cuenta/consultas', `/cuenta/consultas?q=${PERSON.Apellido}`, '/cuenta/datos'])
      expect(await agency.get(path), 200, path)
    const developer = await makeDeveloper(server, app)
    expect(await developer.visitor.get(`/portal/${app.app.appKey}/entregas`), 200, 'entregas')
    const searched = await staff.visitor.get(`/consola/consultas?email=${encodeURIComponent(PERSON.Email)}`)
    expect(searched, 200, 'consola')
    expect(await staff.visitor.get('/consola/correos'), 200, 'correos')
    // Invitations: each email has its own link.
    const team = `/portal/${app.app.appKey}/equipo`
    expect(await agency.post('/cuenta/colaboradores', { Email: COLLEAGUES.colaborar }), 303, 'colaboradores')
    expect(await developer.visitor.post(team, { Email: COLLEAGUES.equipo, Rol: 'desarrollador' }), 303, 'equipo')
    expect(await staff.visitor.post('/consola/personal', { Email: COLLEAGUES.personal }), 303, 'personal')
    for (const [kind, mail] of Object.entries(COLLEAGUES)) await linkTo(mail, kind)
  }

  it('no log line, at any level, contains a secret or personal data', () => {
    assert.ok(server.logged().split('\n').length > 40, 'there were lines to look at')
    assert.deepEqual(marksIn(server.logged(), { ...secrets, ...PERSONAL }), [])
  })

  it('a server error is logged without the requested values', () => {
    const faults = server
      .logged()
      .split('\n')
      .filter((line) => line.includes('request failed'))
    assert.equal(faults.length, 2)
    assert.match(faults[0] ?? '', /invalid input syntax for type integer: \\"…\\"/)
    assert.match(faults[1] ?? '', /SyntaxError/)
  })

  it('no metric contains a secret or personal data', async () => {
    const text = await server.metrics.metrics()
    assert.match(text, /rodado_/)
    assert.deepEqual(marksIn(text, { ...secrets, ...PERSONAL }), [])
  })

  it('no refusal contains a secret, or more personal data than its request', () => {
    assert.ok(refusals.length > 10)
    for (const { request, text } of refusals) {
      assert.deepEqual(marksIn(text, secrets), [], request)
      const found = marksIn(text.replaceAll(ADMIN.mail, ''), PERSONAL)
      assert.deepEqual(found, [], request)
    }
  })

  it('no column of any table holds a secret in clear text', async () => {
    assert.deepEqual(await marksInStore(server.store, secrets), [])
  })

  it('personal data is only in the listed columns', async () => {
    const found = await marksInStore(server.store, PERSONAL)
    const columns = new Set(found.map((each) => each.split(' ')[0] ?? ''))
    assert.ok(columns.has('consultas.interesado'), 'what is looked for can be found')
    assert.deepEqual(
      [...columns].filter((column) => !PERSONAL_COLUMNS.has(column)),
      [],
    )
    const inAudit = found.filter((each) => each.startsWith('audit_log.subject '))
    assert.deepEqual(inAudit, ['audit_log.subject admin mail'], 'whose inquiries, never whose name was typed')
  })

  it('an email contains its own one-time link and no other secret', () => {
    const tokens = ['registro', 'clave', ...Object.keys(COLLEAGUES)].map((kind) => `${kind} token`)
    const others = Object.fromEntries(Object.entries(secrets).filter(([name]) => !tokens.includes(name)))
    for (const { raw, mail } of mailbox.mails) {
      const text = `${raw}\n${mail.text}\n${mail.html}`
      assert.deepEqual(marksIn(text, others), [], mail.subject)
      assert.ok(marksIn(text, secrets).length <= 1, mail.subject)
    }
  })

  it('erasure leaves nothing of the person in the database or in the log', async () => {
    const erased = await staff.visitor.post('/consola/supresiones/suprimir', { Email: PERSON.Email })
    assert.equal(erased.status, 303, erased.text)
    await until(async () => (await server.store.query(sql`select from mails where estado = 'pendiente'`)).length === 0)
    assert.deepEqual(await marksInStore(server.store, OF_THE_PERSON), [])
    assert.deepEqual(marksIn(server.logged(), OF_THE_PERSON), [])
  })
})

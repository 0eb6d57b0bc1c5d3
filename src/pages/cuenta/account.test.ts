import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { untilBlocked } from '../../../tests/support/until-blocked.ts'
import { makeAccount, PASSWORD, type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { ensureAccount } from '../../accounts/store.ts'
import { replaceAdministrator } from '../../resources/agencias/administrator.ts'
import { connect } from '../../resources/agencias/associations.ts'
import { asociacionesOf, operadoresOf, pendingOperadores } from '../../resources/agencias/read.ts'

const NOTHING = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }

describe('the account page', () => {
  let server: TestServer
  let app: TestApp
  let other: TestApp
  before(async () => {
    server = await startServer()
    ;[app, other] = [await server.newApp({ nombre: 'Gestor Uno' }), await server.newApp({ nombre: 'Gestor Dos' })]
  })
  after(() => server.stop())

  /** An agency with two apps, its administrator and a vendedor, both signed in. */
  async function setUp() {
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
    await connect(depsOf(server), other.app, agencia, NOTHING)
    const seller = await makeAccount(server, { email: newMail('vende'), nombre: 'Luis', apellido: 'Gil' })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    const [admin, vendedor] = [await visitor(server).enter(mail), await visitor(server).enter(seller.email)]
    return { agencia, mail, seller, admin, vendedor }
  }
  const appPath = (of: TestApp, act = '') => `/cuenta/apps/${of.app.appKey}${act}`
  const collaborarIn = (text = '') => /\/colaborar\/[\w-]{43}/.exec(text)?.[0] ?? ''

  it('200: shows the agency, its apps with what each may see and since when, and its people', async () => {
    const { admin, seller, mail } = await setUp()
    const { status, text, headers } = await admin.get('/cuenta')
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    for (const shown of ['Automotores del Sur', 'Temperley', 'Gestor Uno', 'Gestor Dos', mail, 'Administrador'])
      assert.ok(text.includes(shown), shown)
    assert.match(text, /Desde el \d{1,2} de [a-z]+ de \d{4}/)
    const apps = (await admin.get('/cuenta/apps')).text
    assert.ok(apps.includes('Gestor Dos') && apps.includes('No permitido: </span>Editar los datos'))
    assert.match(apps, new RegExp(`action="${appPath(app)}"`))
    const deps = (await admin.get('/cuenta/colaboradores')).text
    for (const shown of [mail, seller.email, 'Administrador', 'Vendedor']) assert.ok(deps.includes(shown), shown)
  })

  it('200: a vendedor sees the same and changes nothing; who has no agency is told what to do', async () => {
    const { vendedor, mail } = await setUp()
    const { text } = await vendedor.get('/cuenta')
    assert.ok(text.includes('Gestor Uno') && text.includes(`La agencia la administra ${mail}`))
    for (const path of ['', '/datos', '/sucursales', '/apps', '/colaboradores']) {
      const shown = await vendedor.get(`/cuenta${path}`)
      assert.equal(shown.status, 200, path)
      assert.doesNotMatch(shown.text, /action="\/cuenta|\/(terminar|quitar|nueva|administrador)"/, path)
    }
    const email = newMail('solo')
    await makeAccount(server, { email })
    const alone = await (await visitor(server).enter(email)).get('/cuenta')
    assert.match(alone.text, /Usted no trabaja en ninguna agencia/)
    const staff = await (await makeStaff(server)).visitor.get('/cuenta')
    assert.match(staff.text, /parte del equipo del mercado/)
    assert.doesNotMatch(staff.text, /no trabaja en ninguna agencia/)
  })

  it('200: who administers one agency and helps in another sees both, and decides in one', async () => {
    const [own, helped] = [await setUp(), await makeAgencia(depsOf(server), other.app, { Nombre: 'Autos Vecinos' })]
    await server.store.query(sql`
      insert into operadores select ${helped.agencia.id}, account_id, 'vendedor' from operadores
      where agencia_id = ${own.agencia.id} and rol = 'administrador'`)
    const { text } = await own.admin.get('/cuenta')
    assert.ok(text.indexOf('Automotores del Sur') < text.indexOf('Autos Vecinos'))
    const there = `?agencia=${helped.agencia.id}`
    assert.ok(text.includes(`href="/cuenta${there}"`), 'the way to the other')
    assert.match((await own.admin.get(`/cuenta${there}`)).text, /<h1>Autos Vecinos<\/h1>/)
    assert.match((await own.admin.get('/cuenta/apps')).text, new RegExp(`action="${appPath(other)}"`))
    const seen = (await own.admin.get(`/cuenta/apps${there}`)).text
    assert.ok(seen.includes('Gestor Dos') && !seen.includes('action="/cuenta'), 'seen, and not decided there')
    assert.equal((await own.admin.get(`/cuenta?agencia=${(await setUp()).agencia.id}`)).status, 404)
  })

  it('303: the administrator widens and narrows what an app may do', async () => {
    const { admin, agencia } = await setUp()
    const answer = await admin.post(appPath(other), { editar: 'si', consultasDeOtros: 'si' })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/cuenta/apps'])
    const [, wide] = await asociacionesOf(server.store, agencia.id)
    assert.deepEqual([wide?.editar, wide?.consultasDeCatalogo, wide?.consultasDeOtros], [true, false, true])
    await admin.post(appPath(other))
    const [, narrow] = await asociacionesOf(server.store, agencia.id)
    assert.deepEqual([narrow?.editar, narrow?.consultasDeOtros], [false, false])
  })

  it('303: ends an association after asking; the app is told who ended it, the others stay', async () => {
    const { admin, agencia, mail } = await setUp()
    const question = await admin.get(appPath(other, '/terminar'))
    assert.equal(question.status, 200)
    assert.match(question.text, /¿Terminar la asociación con Gestor Dos\?/)
    assert.equal((await asociacionesOf(server.store, agencia.id)).length, 2, 'asking ends nothing')
    assert.equal((await admin.post(appPath(other, '/terminar'))).status, 303)
    assert.deepEqual(
      (await asociacionesOf(server.store, agencia.id)).map((each) => each.app.nombre),
      ['Gestor Uno'],
    )
    const [event] = (await eventsOf(server, other.app, agencia.id)).slice(-1)
    assert.deepEqual([event?.Topic, event?.Por], ['agencia.desasociada', 'agencia'])
    assert.equal((await other.get(`/v3/agencias/${mail}`)).status, 404)
    assert.equal((await admin.post(appPath(other, '/terminar'))).status, 404)
    assert.equal((await admin.post(appPath(other), { editar: 'si' })).status, 404, 'what has ended is not widened')
  })

  it('403: an administrator who is replaced while a request waits associates no app and ends none', async () => {
    const third = await server.newApp()
    for (const path of [appPath(other), appPath(other, '/terminar'), `/conectar/${third.app.appKey}`]) {
      const { admin, agencia } = await setUp()
      const before = await asociacionesOf(server.store, agencia.id)
      let answer: ReturnType<Visitor['post']> | undefined
      await server.store.transaction(async (tx) => {
        const successor = await ensureAccount(tx, agencia.modo, newMail('jefa'))
        await replaceAdministrator(tx, depsOf(server), agencia.id, successor)
        answer = admin.post(path, { editar: 'si' })
        await Promise.race([answer, untilBlocked(server.store)])
      })
      assert.equal((await answer)?.status, 403, path)
      assert.deepEqual(await asociacionesOf(server.store, agencia.id), before, path)
    }
  })

  it('303: a collaborator is invited, chooses a password, sees the agency; removed, sees nothing at once', async () => {
    const { admin, agencia } = await setUp()
    const email = newMail('nueva')
    assert.equal((await admin.post('/cuenta/colaboradores', { Email: ` ${email.toUpperCase()} ` })).status, 303)
    assert.ok((await admin.get('/cuenta/colaboradores')).text.includes('todavía no aceptó'))
    const path = collaborarIn((await emailsTo(server, email)).at(-1)?.text)

    const eva = visitor(server)
    for (let i = 0; i < 2; i++) assert.equal((await eva.get(path)).status, 200)
    assert.equal((await eva.head(path)).status, 200)
    const wrong = await eva.post(path, { Nombre: 'Eva', Clave: 'corta' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /id="campo-Apellido-error"[\s\S]*id="campo-Clave-error"/)
    const joined = await eva.post(path, { Nombre: 'Eva', Apellido: 'Luna', Clave: 'la clave de eva' })
    assert.deepEqual([joined.status, joined.headers.location], [303, '/cuenta'])
    assert.match((await eva.get('/cuenta')).text, /Automotores del Sur/)
    assert.equal((await visitor(server).get(path)).status, 410)

    const id = (await operadoresOf(server.store, agencia.id)).find((each) => each.email === email)?.accountId
    const quit = `/cuenta/colaboradores/${id}/quitar`
    assert.match((await admin.get(quit)).text, /¿Quitar a Eva Luna\?/)
    assert.equal((await admin.post(quit)).status, 303)
    assert.equal((await eva.get('/cuenta')).status, 303, 'the session ended')
    assert.match((await (await visitor(server).enter(email, 'la clave de eva')).get('/cuenta')).text, /ninguna agencia/)
    assert.equal((await admin.post(quit)).status, 404)
  })

  it('an invitation of a collaborator is taken back; who has an account signs in to accept', async () => {
    const { admin, agencia } = await setUp()
    const [gone, known] = [newMail('ida'), newMail('conocida')]
    await admin.post('/cuenta/colaboradores', { Email: gone })
    const dead = collaborarIn((await emailsTo(server, gone)).at(-1)?.text)
    const [, quit = ''] =
      /href="(\/cuenta\/colaboradores\/\d+\/retirar)">\s*Retirar/.exec(
        (await admin.get('/cuenta/colaboradores')).text,
      ) ?? []
    assert.match((await admin.get(quit)).text, /Retirar la invitación/)
    await admin.post(quit)
    assert.equal((await visitor(server).get(dead)).status, 410)

    await makeAccount(server, { email: known })
    await admin.post('/cuenta/colaboradores', { Email: known })
    const path = collaborarIn((await emailsTo(server, known)).at(-1)?.text)
    const person = visitor(server)
    assert.match((await person.get(path)).text, /action="\/entrar"/)
    const stranger = await visitor(server).post(path, { Nombre: 'X', Apellido: 'Y', Clave: 'otra clave larga' })
    assert.equal(stranger.status, 303)
    assert.equal(stranger.headers['set-cookie'], undefined)
    await person.post('/entrar', { Email: known, Clave: PASSWORD, volver: path })
    assert.match((await person.get(path)).text, /Colaborar en Automotores del Sur/)
    assert.equal((await admin.get(path)).status, 403, 'somebody else’s link')
    assert.equal((await person.post(path)).status, 303)
    assert.equal((await operadoresOf(server.store, agencia.id)).length, 3)
  })

  it('who decides about apps, people and a password is in the audit log', async () => {
    const { admin, agencia, mail, seller } = await setUp()
    const third = await server.newApp()
    await admin.post(`/conectar/${third.app.appKey}`, { consultasDeOtros: 'si' })
    await admin.post(appPath(other), { editar: 'si' })
    await admin.post(appPath(other, '/terminar'))
    const [refused, invited] = ['nada', newMail('nueva')]
    for (const Email of [refused, invited]) await admin.post('/cuenta/colaboradores', { Email })
    const pending = (await pendingOperadores(server.store, agencia.id)).map(({ accountId }) => accountId)
    for (const id of pending) await admin.post(`/cuenta/colaboradores/${id}/retirar`)
    await admin.post(`/cuenta/colaboradores/${seller.id}/quitar`)
    await admin.post('/cuenta/administrador', { Email: newMail('jefa'), Clave: PASSWORD })
    await admin.post('/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'la clave de mañana' })
    const audited = await server.store.query<{ act: string; subject: string; detail: unknown }>(sql`
      select act, subject, detail from audit_log l join accounts a on a.id = l.account_id
      where a.email = ${mail} and via = 'agencia' order by l.id`)
    const { appKey } = other.app
    const all = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }
    assert.deepEqual(
      audited.map(({ act, subject, detail }) => [act, subject === mail, detail]),
      [
        ['agencia.asociar', true, { app: third.app.appKey, ...all, consultasDeOtros: true }],
        ['agencia.permisos', true, { app: appKey, ...all, editar: true }],
        ['agencia.desasociar', true, { app: appKey }],
        ['agencia.invitar-persona', true, null],
        ['agencia.retirar-invitacion', true, { cuenta: pending[0] }],
        ['agencia.quitar-persona', true, { cuenta: seller.id }],
        ['agencia.administrador', true, null],
        ['clave.cambiar', false, null],
      ],
    )
  })

  it('400: a collaborator who works there already, or no mail at all, is told beside the field', async () => {
    const { admin, seller } = await setUp()
    for (const Email of [seller.email, 'nada', `${'x'.repeat(50)}@agencia.test`]) {
      const { status, text } = await admin.post('/cuenta/colaboradores', { Email })
      assert.equal(status, 400, Email)
      assert.match(text, /<details open[\s\S]*id="campo-Email-error"/)
    }
  })

  it('303: the person who accepts replaces the administrator; the old address still works and the app is notified', async () => {
    const { admin, mail, agencia } = await setUp()
    const email = newMail('jefa')
    const wrong = await admin.post('/cuenta/administrador', { Email: email, Clave: 'no es mi clave' })
    assert.equal(wrong.status, 400)
    assert.equal((await emailsTo(server, email)).length, 0, 'nobody is asked without the password')
    assert.equal((await admin.post('/cuenta/administrador', { Email: email, Clave: PASSWORD })).status, 303)
    const path = collaborarIn((await emailsTo(server, email)).at(-1)?.text)
    const jefa = visitor(server)
    assert.match((await jefa.get(path)).text, /Administrar Automotores del Sur/)
    await jefa.post(path, { Nombre: 'Jefa', Apellido: 'Nueva', Clave: 'la clave de la jefa' })
    assert.match((await jefa.get('/cuenta/apps')).text, new RegExp(`action="${appPath(app)}"`))
    assert.equal((await admin.get('/cuenta')).status, 303, 'the former administrator is signed out')
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.AdminMail, email)
    assert.equal((await eventsOf(server, app.app, agencia.id)).at(-1)?.Topic, 'agencia.modificada')
  })

  it('410: the offer to administer is taken back from a vendedor, who stays', async () => {
    const { admin, agencia, seller } = await setUp()
    await admin.post('/cuenta/administrador', { Email: seller.email, Clave: PASSWORD })
    const path = collaborarIn((await emailsTo(server, seller.email)).at(-1)?.text)
    const withdraw = `/cuenta/colaboradores/${seller.id}/retirar`
    assert.ok((await admin.get('/cuenta/colaboradores')).text.includes(`href="${withdraw}"`))
    assert.match((await admin.get(withdraw)).text, /Retirar la invitación/)
    assert.equal((await admin.post(withdraw)).status, 303)
    assert.equal((await visitor(server).get(path)).status, 410)
    const people = await operadoresOf(server.store, agencia.id)
    assert.equal(people.find(({ accountId }) => accountId === seller.id)?.rol, 'vendedor')
    assert.equal((await admin.post(withdraw)).status, 404)
  })

  it('410: once an administrator was replaced, nobody takes the agency over with an earlier invitation', async () => {
    const { admin, agencia, mail } = await setUp()
    const [wrong, right, colleague] = [newMail('equivocada'), newMail('jefa'), newMail('vende')]
    for (const Email of [wrong, right]) await admin.post('/cuenta/administrador', { Email, Clave: PASSWORD })
    await admin.post('/cuenta/colaboradores', { Email: colleague })
    const pathOf = async (email: string) => collaborarIn((await emailsTo(server, email)).at(-1)?.text)
    const newcomer = { Nombre: 'Jefa', Apellido: 'Nueva', Clave: 'la clave de la jefa' }
    assert.equal((await visitor(server).post(await pathOf(right), newcomer)).status, 303)
    assert.equal((await visitor(server).post(await pathOf(wrong), newcomer)).status, 410)
    assert.equal((await visitor(server).get(await pathOf(colleague))).status, 200, 'others stay')
    const [{ adminMail } = { adminMail: '' }] = await server.store.query<{ adminMail: string }>(sql`
      select admin_mail as "adminMail" from agencias where id = ${agencia.id}`)
    assert.deepEqual([adminMail, adminMail === mail], [right, false])
  })

  it('303, 410: of two who accept to administer an agency at the same moment one does', async () => {
    const { admin } = await setUp()
    const both = [newMail('una'), newMail('otra')]
    for (const Email of both) await admin.post('/cuenta/administrador', { Email, Clave: PASSWORD })
    const newcomer = { Nombre: 'Jefa', Apellido: 'Nueva', Clave: 'la clave de la jefa' }
    const paths = await Promise.all(
      both.map(async (email) => collaborarIn((await emailsTo(server, email)).at(-1)?.text)),
    )
    const answers = await Promise.all(paths.map((path) => visitor(server).post(path, newcomer)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410])
  })

  it('409: who administers an agency already cannot take another over', async () => {
    const [one, two] = [await setUp(), await setUp()]
    await one.admin.post('/cuenta/administrador', { Email: two.mail, Clave: PASSWORD })
    const path = collaborarIn((await emailsTo(server, two.mail)).at(-1)?.text)
    const { status, text } = await two.admin.post(path)
    assert.equal(status, 409)
    assert.match(text, /ya administra otra agencia/)
  })

  it('303: a person who knows the password changes it; other sessions end, this one stays', async () => {
    const { admin, mail } = await setUp()
    const elsewhere = await visitor(server).enter(mail)
    const wrong = await admin.post('/cuenta/clave', { ClaveActual: 'no es', Clave: 'corta' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /campo-ClaveActual-error[\s\S]*campo-Clave-error/)
    assert.equal(
      (await admin.post('/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'la clave de mañana' })).status,
      303,
    )
    assert.equal((await admin.get('/cuenta')).status, 200)
    assert.equal((await elsewhere.get('/cuenta')).status, 303)
    await visitor(server).enter(mail, 'la clave de mañana')
    assert.equal((await emailsTo(server, mail)).at(-1)?.kind, 'clave-cambiada')
  })

  it('303: a person says how they are called; apps hear of it where that is shown, and no fault is lost', async () => {
    const { admin, agencia, mail } = await setUp()
    const wrong = await admin.post('/cuenta/nombre', { Nombre: ' ', Apellido: 'x'.repeat(51) })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /campo-Nombre-error[\s\S]*campo-Apellido-error/)
    const saved = await admin.post('/cuenta/nombre', { Nombre: ' Anita ', Apellido: 'Paz  Ríos' })
    assert.deepEqual([saved.status, saved.headers.location], [303, '/cuenta/acceso'])
    assert.match((await admin.get('/cuenta/acceso')).text, /value="Paz Ríos"/)
    const { Administrador } = (await app.get(`/v3/agencias/${mail}`)).json
    assert.deepEqual([Administrador.Nombre, Administrador.Apellido], ['Anita', 'Paz Ríos'])
    const topics = async () => (await eventsOf(server, other.app, agencia.id)).map(({ Topic }) => Topic)
    assert.deepEqual(await topics(), ['agencia.registrada', 'agencia.modificada'])
    await admin.post('/cuenta/nombre', { Nombre: 'Anita', Apellido: 'Paz Ríos' })
    assert.equal((await topics()).length, 2, 'nothing changed, nobody is told')
    await server.store.query(sql`
      update operadores set nombre = 'Atención', apellido = 'Ventas' where agencia_id = ${agencia.id} and rol = 'administrador'`)
    await admin.post('/cuenta/nombre', { Nombre: 'Ana', Apellido: 'Paz' })
    assert.equal((await topics()).length, 2, 'the agency presents them otherwise')
  })

  it('303: «cerrar todas las sesiones» ends the others', async () => {
    const { admin, mail } = await setUp()
    const elsewhere = await visitor(server).enter(mail)
    assert.equal((await admin.post('/cuenta/sesiones')).status, 303)
    assert.deepEqual([(await admin.get('/cuenta')).status, (await elsewhere.get('/cuenta')).status], [200, 303])
  })

  it('403, 404, 303: a vendedor, another agency’s administrator and nobody at all change nothing of an agency', async () => {
    const { agencia, seller, vendedor } = await setUp()
    const stranger = await makeAgencia(depsOf(server), (await server.newApp()).app)
    const foreign = await visitor(server).enter(stranger.mail)
    const acts: [string, Record<string, string>][] = [
      [appPath(app), { editar: 'si' }],
      [appPath(app, '/terminar'), {}],
      [`/cuenta/colaboradores/${seller.id}/quitar`, {}],
    ]
    const own: [string, Record<string, string>][] = [
      ['/cuenta/colaboradores', { Email: newMail() }],
      ['/cuenta/administrador', { Email: newMail(), Clave: PASSWORD }],
    ]
    const state = async () =>
      JSON.stringify([await asociacionesOf(server.store, agencia.id), await operadoresOf(server.store, agencia.id)])
    const before = await state()
    const statuses = async (who: Visitor, all = acts) => {
      const answers: number[] = []
      for (const [path, form] of all) answers.push((await who.post(path, form)).status)
      return answers
    }
    assert.deepEqual(await statuses(vendedor, [...acts, ...own]), [403, 403, 403, 403, 403])
    assert.deepEqual(await statuses(foreign), [404, 404, 404])
    assert.deepEqual(await statuses(visitor(server), [...acts, ...own]), [303, 303, 303, 303, 303])
    for (const path of [appPath(app, '/terminar'), `/cuenta/colaboradores/${seller.id}/quitar`]) {
      assert.equal((await vendedor.get(path)).status, 403)
      assert.equal((await foreign.get(path)).status, 404)
      assert.match((await visitor(server).get(path)).headers.location ?? '', /^\/entrar\?volver=/)
    }
    assert.equal((await vendedor.get('/cuenta/administrador')).status, 403)
    assert.equal(await state(), before)
  })

  it('what was done is told once', async () => {
    const { admin } = await setUp()
    const given = (await admin.post('/cuenta/sesiones')).headers['set-cookie'] ?? ''
    const session = /rodado_session=[^;]+/.exec(given)?.[0]
    const shown = await visitor(server, `${session}; rodado_hecho=sesiones`).get('/cuenta')
    assert.match(shown.text, /Se cerraron las sesiones/)
    assert.match(shown.headers['set-cookie'] ?? '', /rodado_hecho=; .*Max-Age=0/)
    const forged = await visitor(server, `${session}; rodado_hecho=constructor`).get('/cuenta')
    assert.doesNotMatch(forged.text, /class="notice"/)
  })
})

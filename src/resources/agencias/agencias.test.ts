import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { REF } from '../../../tests/support/names.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { untilBlocked } from '../../../tests/support/until-blocked.ts'
import { connect, detach } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { blockInvitaciones } from './invitacion-store.ts'
import { setPaquete } from './paquetes.ts'
import { findAgencia } from './read.ts'

const MEMBERS = [
  'AdminMail',
  'Nombre',
  'RazonSocial',
  'IdFiscal',
  'Telefono',
  'WhatsApp',
  'SitioWeb',
  'Region',
  'Ciudad',
  'Direccion',
  'CodigoPostal',
  'Estado',
  'Invitacion',
  'Administrador',
  'Operadores',
  'Consultas',
  'Productos',
  '_links',
]

const EDIT = {
  Nombre: 'Autos del Oeste',
  RazonSocial: 'Autos del Oeste S.A.',
  IdFiscal: '30-50001091-2',
  Telefono: '(011) 4444-5555',
  WhatsApp: '+5491144445555',
  SitioWeb: 'https://oeste.example/autos',
  Region: 'Bs As',
  Ciudad: 'moron',
  Direccion: 'Rivadavia 18000',
  CodigoPostal: 'B1708',
}

describe('agencias', () => {
  let server: TestServer
  let deps: AgenciasDeps
  let one: TestApp
  let two: TestApp
  let check: Awaited<ReturnType<typeof schemaCheck>>
  before(async () => {
    server = await startServer({ env: { SUPPORT_URL: 'https://ayuda.example', SUPPORT_MAIL: 'ayuda@rodado.example' } })
    deps = depsOf(server)
    ;[one, two] = [await server.newApp({ nombre: 'Uno' }), await server.newApp({ nombre: 'Dos' })]
    check = await schemaCheck(server)
  })
  after(() => server.stop())

  const invite = (app: TestApp, body: object) => app.call('POST', '/v3/agencias', { body: JSON.stringify(body) })
  const put = (app: TestApp, mail: string, body: object, headers: Record<string, string> = {}) =>
    app.call('PUT', `/v3/agencias/${mail}`, { body: JSON.stringify(body), headers })
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()

  it('200: every answer has the shape that the document promises', async () => {
    const { mail } = await makeAgencia(deps, one.app)
    const invited = newMail()
    await invite(one, { AdminMail: invited })
    check('Agencia', (await put(one, mail, EDIT)).json)
    check('Agencia', (await one.get(`/v3/agencias/${invited}`)).json)
    check('Agencias', (await one.get('/v3/agencias')).json)
    check('AgenciasRef', (await one.get('/v3/agencias', { accept: REF })).json)
    check('EstadoDeAgencia', (await one.call('OPTIONS', `/v3/agencias/${invited}`)).json)
    check('AgenciaProductos', (await one.get(`/v3/agencias/${mail}/productos`)).json)
    check('AgenciaEdit', (await one.get(`/v3/agencias/${mail}`)).json)
    assert.throws(() => check('Agencia', { AdminMail: mail }))
  })

  describe('POST /v3/agencias', () => {
    it('202: no body, a relative Location in lower case, one mail to the address', async () => {
      const mail = newMail()
      const answer = await invite(one, {
        AdminMail: mail.toUpperCase(),
        Nombre: 'Sur',
        Mensaje: 'Hola https://x.example',
      })
      assert.equal(answer.status, 202)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.location, `/v3/agencias/${mail}`)
      const [sentEmail, ...more] = await emailsTo(deps, mail)
      assert.deepEqual(more, [])
      assert.match(sentEmail?.text ?? '', /http:\/\/rodado\.test\/registro\/[\w-]{43}\b/)
      assert.match(sentEmail?.text ?? '', /http:\/\/rodado\.test\/baja\//)
    })

    it('202: the mail of an app in test mode says that it is a test', async () => {
      const test = await server.newApp({ modo: 'prueba' })
      for (const [app, says] of [
        [test, true],
        [one, false],
      ] as const) {
        const mail = newMail()
        assert.equal((await invite(app, { AdminMail: mail })).status, 202)
        const [sent] = await emailsTo(deps, mail)
        assert.equal(sent?.text.includes('Es una prueba'), says)
      }
    })

    it('202: a mail with signs that a path must escape has a Location that leads to it', async () => {
      const mail = `a/b?c%d+e'f{g}@agencia.test`
      const { status, headers } = await invite(one, { AdminMail: mail })
      assert.equal(status, 202)
      assert.equal(headers.location, `/v3/agencias/a%2Fb%3Fc%25d+e'f%7Bg%7D@agencia.test`)
      assert.equal((await one.get(headers.location ?? '')).json.AdminMail, mail)
    })

    it('400: every fault of form at once, by name; unknown members are named', async () => {
      const { status, json } = await invite(one, {
        AdminMail: 'x',
        Nombre: 'n'.repeat(121),
        AdminNombre: 'n'.repeat(51),
        AdminApellido: 7,
        Telefono: '123',
        Region: 'r'.repeat(201),
        Direccion: 'd'.repeat(201),
        Mensaje: 'm'.repeat(501),
        Otro: 1,
        _links: {},
      })
      assert.equal(status, 400)
      const names = ['AdminApellido', 'AdminMail', 'AdminNombre', 'Direccion', 'Mensaje', 'Nombre', 'Otro', 'Region']
      assert.deepEqual(errorsOf(json), [...names, 'Telefono', '_links'])
      assert.deepEqual(errorsOf((await invite(one, {})).json), ['AdminMail'])
      assert.deepEqual(errorsOf((await invite(one, { AdminMail: `${'a'.repeat(45)}@b.com` })).json), ['AdminMail'])
      assert.deepEqual(errorsOf((await one.call('POST', '/v3/agencias')).json), ['_'])
      assert.deepEqual(errorsOf((await invite(one, { AdminMail: newMail(), Telefono: '(((((((())' })).json), [
        'Telefono',
      ])
    })

    it('400: a place that bestmatch does not know comes with its candidates; a city needs its region', async () => {
      const mail = newMail()
      const city = await invite(one, { AdminMail: mail, Region: 'Mendoza', Ciudad: 'San Xyz' })
      assert.deepEqual([city.status, errorsOf(city.json)], [400, ['Ciudad']])
      assert.ok(Array.isArray(city.json.Extensions.Candidatos))
      check('ValidationProblemDetails', city.json)
      assert.deepEqual(errorsOf((await invite(one, { AdminMail: mail, Region: 'Baviera', Ciudad: 'Munich' })).json), [
        'Region',
      ])
      assert.deepEqual(errorsOf((await invite(one, { AdminMail: mail, Ciudad: 'Rosario' })).json), ['Region'])
      assert.equal((await one.get(`/v3/agencias/${mail}`)).status, 404)
      assert.equal((await invite(one, { AdminMail: mail, Region: 'AR-S' })).status, 202)
      const { json } = await one.get(`/v3/agencias/${mail}`)
      assert.deepEqual([json.Region, json.Ciudad], ['Santa Fe', null])
    })

    it('400: more than three mails to one address in 24 h from all apps together; the next day it works again', async () => {
      const mail = newMail()
      for (const app of [one, two, one]) assert.equal((await invite(app, { AdminMail: mail })).status, 202)
      for (const app of [one, two]) {
        const { status, json } = await invite(app, { AdminMail: mail })
        assert.deepEqual([status, errorsOf(json)], [400, ['AdminMail']])
      }
      assert.equal((await emailsTo(deps, mail)).length, 3)
      await server.store.query(
        sql`update mails set created_at = now() - interval '25 hours' where to_address = ${mail}`,
      )
      assert.equal((await invite(one, { AdminMail: mail })).status, 202)
    })

    it('400: an address that asked for no more invitations', async () => {
      const mail = newMail()
      await blockInvitaciones(server.store, mail)
      const { status, json } = await invite(one, { AdminMail: mail })
      assert.deepEqual([status, errorsOf(json)], [400, ['AdminMail']])
      assert.deepEqual(await emailsTo(deps, mail), [])
    })

    it('409: an address that is registered, with whom to ask and where to connect', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const { status, json } = await invite(two, { AdminMail: mail })
      assert.equal(status, 409)
      assert.deepEqual(errorsOf(json), ['AdminMail'])
      assert.match(json.Detail, /https:\/\/ayuda\.example\/?, ayuda@rodado\.example/)
      assert.deepEqual(json.Extensions, {
        Codigo: 'ya-registrada',
        Codigos: { AdminMail: ['ya-registrada'] },
        Conectar: `http://rodado.test/conectar/${two.app.appKey}`,
      })
      check('ValidationProblemDetails', json)
      assert.equal((await invite(two, { AdminMail: mail, Region: 'Baviera' })).status, 400)
    })

    it('202: ten invitations of one address at once by two apps: one of each is kept, three mails leave', async () => {
      const mail = newMail()
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => invite(at % 2 ? one : two, { AdminMail: mail })),
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [202, 202, 202, ...Array(7).fill(400)])
      const rows = await server.store.query(sql`select app_id from invitaciones where admin_mail = ${mail}`)
      assert.ok(rows.length <= 2)
      assert.equal((await emailsTo(deps, mail)).length, 3)
    })

    it('202: in test and in production an address is two addresses', async () => {
      const test = await server.newApp({ modo: 'prueba' })
      const { mail } = await makeAgencia(deps, one.app)
      assert.equal((await invite(test, { AdminMail: mail })).status, 202)
      assert.equal((await test.get(`/v3/agencias/${mail}`)).json.Estado, 'invitada')
      assert.equal((await one.get(`/v3/agencias/${mail}`)).json.Estado, 'asociada')
    })
  })

  it('429: an app invites INVITES_PER_DAY times in 24 h, also at once, and hears when to go on', async () => {
    const small = await startServer({ env: { INVITES_PER_DAY: '3' } })
    try {
      const app = await small.newApp()
      const answers = await Promise.all(Array.from({ length: 8 }, () => invite(app, { AdminMail: newMail() })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 202, 202, 429, 429, 429, 429, 429])
      const refused = answers.find(({ status }) => status === 429)
      assert.ok(Number(refused?.headers['retry-after']) > 86_000)
      assert.equal((await invite(await small.newApp(), { AdminMail: newMail() })).status, 202)
    } finally {
      await small.stop()
    }
  })

  describe('a pending invitation', () => {
    it('200: read at its Location by the app that sent it, with every member; nobody else sees it', async () => {
      const mail = newMail()
      await invite(one, {
        AdminMail: mail,
        Nombre: ' Sur  Autos ',
        AdminNombre: 'Ana',
        Region: 'AR-B',
        Ciudad: 'temperley',
      })
      const { status, json, headers } = await one.get(`/v3/agencias/${mail}`)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(json).sort(), [...MEMBERS].sort())
      assert.deepEqual(
        [json.Estado, json.Nombre, json.Ciudad, json.RazonSocial],
        ['invitada', 'Sur Autos', 'Temperley', null],
      )
      assert.equal(json.Invitacion.Estado, 'pendiente')
      assert.match(json.Invitacion.Enviada, /-03:00$/)
      assert.equal(Date.parse(json.Invitacion.Vence) - Date.parse(json.Invitacion.Enviada), 14 * 86_400_000)
      assert.deepEqual(json.Administrador, { Nombre: 'Ana', Apellido: null, Email: mail })
      assert.deepEqual(Object.keys(json._links), ['self', 'desasociar', 'agencias'])
      assert.deepEqual(json.Productos, { _links: {} })
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual((await one.get(`/v3/agencias/${mail}`, { accept: REF })).json, {
        href: `/v3/agencias/${mail}`,
        title: `Sur Autos (${mail})`,
      })
      assert.equal((await two.get(`/v3/agencias/${mail}`)).status, 404)
    })

    it('200 OPTIONS: Allow and the state, for the app that sent it; 404 for another', async () => {
      const mail = newMail()
      await invite(one, { AdminMail: mail })
      const { status, json, headers } = await one.call('OPTIONS', `/v3/agencias/${mail}`)
      assert.equal(status, 200)
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
      assert.deepEqual(Object.keys(json), ['Estado', 'Invitacion'])
      assert.deepEqual([json.Estado, json.Invitacion.Estado], ['invitada', 'pendiente'])
      assert.equal((await two.call('OPTIONS', `/v3/agencias/${mail}`)).status, 404)
      assert.equal((await one.call('OPTIONS', '/v3/agencias/nobody@agencia.test')).status, 404)
    })

    it('404 productos, 403 PUT, not in the list; 204 desasociar revokes it, and 403 when it is over', async () => {
      const mail = newMail()
      await invite(one, { AdminMail: mail })
      assert.equal((await one.get(`/v3/agencias/${mail}/productos`)).status, 404)
      assert.equal((await put(one, mail, EDIT)).status, 403)
      assert.ok(!(await one.get('/v3/agencias')).text.includes(mail))
      assert.equal((await two.call('PATCH', `/v3/agencias/${mail}/desasociar`)).status, 403)
      assert.equal((await one.call('PATCH', `/v3/agencias/${mail}/desasociar`)).status, 204)
      assert.equal((await one.get(`/v3/agencias/${mail}`)).json.Invitacion.Estado, 'revocada')
      assert.equal((await one.call('PATCH', `/v3/agencias/${mail}/desasociar`)).status, 403)
      assert.equal((await invite(one, { AdminMail: mail })).status, 202)
      assert.equal((await one.get(`/v3/agencias/${mail}`)).json.Invitacion.Estado, 'pendiente')
    })

    it('200, then 404: an ended one stays readable for 90 days', async () => {
      const mail = newMail()
      await invite(one, { AdminMail: mail })
      const age = (days: number) =>
        server.store.query(sql`
          update invitaciones set vence = now() - make_interval(days => ${days}) where admin_mail = ${mail}`)
      await age(89)
      assert.equal((await one.get(`/v3/agencias/${mail}`)).json.Invitacion.Estado, 'vencida')
      await age(90)
      assert.equal((await one.get(`/v3/agencias/${mail}`)).status, 404)
      assert.equal((await invite(one, { AdminMail: mail })).status, 202)
    })
  })

  describe('GET', () => {
    it('200: an associated agency with every member, in both forms, with ETag, 304 and no-store', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const { status, json, headers } = await one.get(`/v3/agencias/${mail.toUpperCase()}`)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(json).sort(), [...MEMBERS].sort())
      assert.deepEqual([json.Estado, json.Invitacion.Estado], ['asociada', 'aceptada'])
      assert.deepEqual(json.Administrador, { Nombre: 'Ana', Apellido: 'Paz', Email: mail })
      assert.deepEqual(json.Operadores, [{ ...json.Administrador, Rol: 'administrador' }])
      const self = `/v3/agencias/${mail}`
      assert.deepEqual(json._links, {
        self: { href: self },
        editar: { href: self, method: 'PUT' },
        desasociar: { href: `${self}/desasociar`, method: 'PATCH' },
        productos: { href: `${self}/productos` },
        consultas: { href: `/v3/consultas/${mail}` },
        publicaciones: { href: `/v3/publicaciones/${mail}` },
        operadores: { href: `/v3/operadores/${mail}` },
        sucursales: { href: `/v3/sucursales/${mail}` },
        agencias: { href: '/v3/agencias' },
      })
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal((await one.get(self, { 'if-none-match': headers.etag ?? '' })).status, 304)
      assert.equal((await one.get(self, { accept: REF })).json.title, `Automotores del Sur (${mail})`)
      const options = await one.call('OPTIONS', self)
      assert.equal(options.headers.allow, 'GET, HEAD, PUT, OPTIONS')
      assert.deepEqual(options.json, { Estado: 'asociada', Invitacion: json.Invitacion })
    })

    it('200: the list has the app’s own, by name; operador keeps those where that mail works', async () => {
      const app = await server.newApp()
      const [b, a] = [
        await makeAgencia(deps, app.app, { Nombre: 'Ñandú' }),
        await makeAgencia(deps, app.app, { Nombre: 'Álamo' }),
      ]
      const { json } = await app.get('/v3/agencias')
      assert.deepEqual(
        json._entries.map((entry: { AdminMail: string }) => entry.AdminMail),
        [a.mail, b.mail],
      )
      assert.deepEqual(json._entries[0], (await app.get(`/v3/agencias/${a.mail}`)).json)
      const refs = await app.get(`/v3/agencias?operador=${b.mail.toUpperCase()}`, { accept: REF })
      assert.deepEqual(refs.json._entries, [{ href: `/v3/agencias/${b.mail}`, title: `Ñandú (${b.mail})` }])
      assert.deepEqual((await app.get('/v3/agencias?operador=nobody@agencia.test')).json._entries, [])
      assert.deepEqual(errorsOf((await app.get('/v3/agencias?operador=x')).json), ['operador'])
    })

    it('200: the list of an app with hundreds is whole and in order, for all who ask at once, and has their last write', async () => {
      const app = await server.newApp()
      await server.store.query(sql`
        with made as (
          insert into agencias (modo, admin_mail, nombre)
          select 'produccion', 'n' || nth || '@cientos.test', 'N ' || to_char(nth, '000') from generate_series(1, 450) nth
          returning id
        )
        insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
        select ${app.app.id}::int, id, true, true, true from made`)
      const mails = Array.from({ length: 450 }, (_, index) => `n${index + 1}@cientos.test`)
      let early: ReturnType<typeof app.get> | undefined
      let late: ReturnType<typeof app.get>[] = []
      await server.store.transaction(async (tx) => {
        await tx.query(sql`lock table operadores in access exclusive mode`) // `early` has read the order, and not yet the people
        early = app.get('/v3/agencias')
        await untilBlocked(server.store, 'operadores')
        await server.store.query(sql`update agencias set nombre = 'Última' where admin_mail = 'n1@cientos.test'`)
        late = [...Array.from({ length: 10 }, () => app.get('/v3/agencias')), app.get('/v3/operadores')]
      })
      const lists = await Promise.all(late)
      const mailsOf = (list: { json: { _entries: { AdminMail: string }[] } }) =>
        list.json._entries.map((entry) => entry.AdminMail)
      for (const list of lists) assert.deepEqual(mailsOf(list), [...mails.slice(1), mails[0]])
      assert.equal((await early)?.json._entries.length, mails.length)
    })

    it('400: a mail of the wrong form or over 50 characters, keyed adminMail, whatever the method', async () => {
      for (const mail of ['x', 'a@b', `${'a'.repeat(45)}@b.com`]) {
        for (const [method, path] of [
          ['GET', `/v3/agencias/${mail}`],
          ['GET', `/v3/agencias/${mail}/productos`],
          ['PATCH', `/v3/agencias/${mail}/desasociar`],
          ['OPTIONS', `/v3/agencias/${mail}`],
        ] as const) {
          const { status, json } = await one.call(method, path)
          assert.deepEqual([status, errorsOf(json)], [400, ['adminMail']])
        }
      }
    })

    it('404, 403: a foreign agency and an absent one are the same bytes, Instance aside', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const pending = newMail()
      await invite(one, { AdminMail: pending })
      const body = { body: JSON.stringify(EDIT), headers: { 'if-match': '"x"' } }
      for (const [method, rest, status, options] of [
        ['GET', '', 404, {}],
        ['OPTIONS', '', 404, {}],
        ['PUT', '', 403, body],
        ['PATCH', '/desasociar', 403, {}],
        ['GET', '/productos', 404, {}],
      ] as const) {
        const texts = new Set<string>()
        for (const each of [mail, pending, 'nobody@agencia.test']) {
          const answer = await two.call(method, `/v3/agencias/${each}${rest}`, options)
          assert.equal(answer.status, status, `${method} ${rest}`)
          texts.add(answer.text.replaceAll(each, ''))
        }
        assert.equal(texts.size, 1)
      }
    })
  })

  describe('PUT', () => {
    it('200: replaces everything, places matched; mail to the administrator, history, event to the others only', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      await connect(deps, two.app, agencia, { editar: false, consultasDeCatalogo: false, consultasDeOtros: false })
      const { status, json, headers } = await put(one, mail, EDIT)
      assert.equal(status, 200)
      const { Region, Ciudad, ...same } = EDIT
      for (const [name, value] of Object.entries(same)) assert.equal(json[name], value)
      assert.deepEqual([json.Region, json.Ciudad], ['Buenos Aires', 'Morón'])
      assert.equal(headers.etag, undefined) // RFC 9110, 9.3.4: places and spaces were changed on the way
      const sentEmail = (await emailsTo(deps, mail)).at(-1)
      assert.equal(sentEmail?.kind, 'agencia-modificada')
      assert.match(sentEmail?.text ?? '', /Uno/)
      for (const words of ['Razón social', 'CUIT', 'Sitio web', 'Código postal'])
        assert.ok(sentEmail?.text.includes(words), `${words}, as people say it`)
      assert.doesNotMatch(sentEmail?.text ?? '', /RazonSocial|IdFiscal|SitioWeb|CodigoPostal/)
      const [history] = await server.store.query<{ app_id: number; changes: { campo: string }[] }>(
        sql`select app_id, changes from agencia_history where agencia_id = ${agencia.id}`,
      )
      assert.equal(history?.app_id, one.app.id)
      assert.equal(history?.changes.length, 9)
      assert.deepEqual(
        (await eventsOf(deps, one.app, agencia.id)).map(({ Topic }) => Topic),
        ['agencia.registrada'],
      )
      const topics = (await eventsOf(deps, two.app, agencia.id)).map(({ Topic }) => Topic)
      assert.deepEqual(topics, ['agencia.registrada', 'agencia.modificada'])
      assert.equal((await put(one, mail, { Nombre: 'Solo' })).json.Telefono, null)
      assert.equal((await put(one, mail, EDIT, { accept: REF })).json.title, `Autos del Oeste (${mail})`)
    })

    it('200: what was read can be sent back, and then nothing changes and nobody is told', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      const read = await one.get(`/v3/agencias/${mail}`)
      const answer = await put(one, mail, read.json, { 'if-match': read.headers.etag ?? '' })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, read.json)
      assert.equal((await emailsTo(deps, mail)).length, 1)
      const rows = await server.store.query(sql`select from agencia_history where agencia_id = ${agencia.id}`)
      assert.equal(rows.length, 0)
    })

    it('200: a place sent back as it was read stays the same place, also one that the catalogue has lost', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      await server.store.query(
        sql`update agencias set ciudad = 'Villa Perdida', ciudad_id = 7 where id = ${agencia.id}`,
      )
      const { json } = await one.get(`/v3/agencias/${mail}`)
      assert.equal((await put(one, mail, { ...json, Telefono: '4444-5555' })).json.Ciudad, 'Villa Perdida')
      const stored = await findAgencia(server.store, one.app, mail)
      assert.deepEqual([stored?.ciudadId, stored?.telefono], [7, '4444-5555'])
    })

    it('400: faults of form by name, then of meaning; unknown members are named', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const form = await put(one, mail, {
        RazonSocial: 'x'.repeat(121),
        WhatsApp: '11 5555',
        SitioWeb: 'x',
        Otro: 1,
        Telefono: 5,
      })
      assert.deepEqual(errorsOf(form.json), ['Nombre', 'Otro', 'RazonSocial', 'SitioWeb', 'Telefono', 'WhatsApp'])
      assert.deepEqual(errorsOf((await put(one, mail, { Nombre: '  ' })).json), ['Nombre'])
      for (const SitioWeb of ['javascript:alert(1)', 'https://?x', 'https://:80/'])
        assert.deepEqual(errorsOf((await put(one, mail, { Nombre: 'x', SitioWeb })).json), ['SitioWeb'], SitioWeb)
      const meaning = await put(one, mail, {
        Nombre: 'x',
        IdFiscal: '30-50001091-3',
        Region: 'Mendoza',
        Ciudad: 'San Xyz',
      })
      assert.deepEqual([meaning.status, errorsOf(meaning.json)], [400, ['Ciudad', 'IdFiscal']])
      assert.deepEqual(errorsOf((await put(one, mail, { Nombre: 'x', Ciudad: 'Rosario' })).json), ['Region'])
    })

    it('412 before 400 of meaning, after 400 of form and 403; a compressed or ref form’s ETag will do', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const { headers } = await one.get(`/v3/agencias/${mail}`, { 'accept-encoding': 'gzip' })
      const stale = { 'if-match': '"otra"' }
      assert.equal((await put(one, mail, EDIT, stale)).status, 412)
      assert.equal((await put(one, mail, { Nombre: 'x', Region: 'Baviera' }, stale)).status, 412)
      assert.equal((await put(one, mail, {}, stale)).status, 400)
      assert.equal((await put(two, mail, EDIT, stale)).status, 403)
      const ref = await one.get(`/v3/agencias/${mail}`, { accept: REF })
      assert.equal((await put(one, mail, EDIT, { 'if-match': ref.headers.etag ?? '' })).status, 200)
      assert.equal((await put(one, mail, EDIT, { 'if-match': headers.etag ?? '' })).status, 412)
      assert.equal((await put(one, mail, EDIT, { 'if-match': '*' })).status, 200)
    })

    it('200 once, 412 for the others: eight edits at once of what they all read', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      const { headers } = await one.get(`/v3/agencias/${mail}`)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => put(one, mail, { Nombre: `N${at}` }, { 'if-match': headers.etag ?? '' })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)])
      const rows = await server.store.query(sql`select from agencia_history where agencia_id = ${agencia.id}`)
      assert.equal(rows.length, 1)
    })

    it('403: the agency did not allow it, and editar is not offered', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      await connect(deps, two.app, agencia, { editar: false, consultasDeCatalogo: true, consultasDeOtros: false })
      assert.equal((await put(two, mail, EDIT)).status, 403)
      const { json } = await two.get(`/v3/agencias/${mail}`)
      assert.equal(json.Invitacion, null)
      assert.ok(!('editar' in json._links))
      assert.equal((await two.call('OPTIONS', `/v3/agencias/${mail}`)).headers.allow, 'GET, HEAD, OPTIONS')
      await connect(deps, two.app, agencia, { editar: true, consultasDeCatalogo: true, consultasDeOtros: false })
      assert.equal((await put(two, mail, EDIT)).status, 200)
    })
  })

  describe('PATCH desasociar', () => {
    const kindsTo = async (mail: string) =>
      (await emailsTo(deps, mail)).map(({ kind }) => kind).filter((kind) => kind !== 'invitacion')

    it('204, then as absent: its events vanish for the app; the agency and its other apps stay', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      await connect(deps, two.app, agencia, { editar: true, consultasDeCatalogo: false, consultasDeOtros: false })
      const answer = await one.call('PATCH', `/v3/agencias/${mail}/desasociar`)
      assert.deepEqual([answer.status, answer.text], [204, ''])
      const sentEmail = (await emailsTo(deps, mail)).at(-1)
      assert.equal(sentEmail?.kind, 'agencia-desasociada')
      assert.match(sentEmail?.text ?? '', /El equipo de la app Uno terminó la asociación/)
      assert.equal((await one.get(`/v3/agencias/${mail}`)).status, 404)
      assert.equal((await one.call('PATCH', `/v3/agencias/${mail}/desasociar`)).status, 403)
      assert.deepEqual(await eventsOf(deps, one.app, agencia.id), [])
      assert.equal((await two.get(`/v3/agencias/${mail}`)).json.Estado, 'asociada')
      assert.equal((await invite(one, { AdminMail: mail })).status, 409)
      await connect(deps, one.app, agencia, { editar: false, consultasDeCatalogo: false, consultasDeOtros: false })
      assert.equal((await one.get(`/v3/agencias/${mail}`)).json.Estado, 'asociada')
    })

    it('204 once: of five at the same moment one ends it', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => one.call('PATCH', `/v3/agencias/${mail}/desasociar`)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 403, 403, 403, 403])
      assert.deepEqual(await kindsTo(mail), ['agencia-desasociada'])
    })

    it('by the agency: agencia.desasociada with Por stays, the rest of its events goes; no email to itself', async () => {
      const { mail, agencia, account } = await makeAgencia(deps, one.app)
      await server.store.transaction((tx) => detach(tx, deps, { app: one.app, agencia, by: 'agencia', account }))
      const events = await eventsOf(deps, one.app, agencia.id)
      assert.deepEqual(
        events.map(({ Topic, Por }) => [Topic, Por]),
        [['agencia.desasociada', 'agencia']],
      )
      assert.deepEqual(await kindsTo(mail), [])
    })

    it('while edits run: each is done before the end or refused after it, and no event of an ended one is left', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      await connect(deps, two.app, agencia, { editar: true, consultasDeCatalogo: false, consultasDeOtros: false })
      const edits = Array.from({ length: 6 }, (_, at) => put(at % 2 ? one : two, mail, { Nombre: `E${at}` }))
      const [parted, ...answers] = await Promise.all([two.call('PATCH', `/v3/agencias/${mail}/desasociar`), ...edits])
      assert.equal(parted?.status, 204)
      for (const { status } of answers) assert.ok(status === 200 || status === 403, String(status))
      assert.deepEqual(await eventsOf(deps, two.app, agencia.id), [])
      assert.equal(await findAgencia(server.store, two.app, mail), undefined)
    })
  })

  describe('GET productos', () => {
    const row = (Exposicion: string, Contratadas: number, Disponibles: number) => ({
      Exposicion,
      Contratadas,
      Usadas: 0,
      Disponibles,
    })
    const days = { vigente: [0, 0], vencido: [-10, -1], 'sin-contratar': [1, 10] } as const

    it('200: without a package, sin-contratar with every member; no Ref form: 406', async () => {
      const { mail } = await makeAgencia(deps, one.app)
      const { status, json, headers } = await one.get(`/v3/agencias/${mail}/productos`)
      assert.equal(status, 200)
      assert.deepEqual(json, {
        Paquete: { Nombre: null, Estado: 'sin-contratar', Desde: null, Hasta: null },
        Publicaciones: [row('Alta', 0, 0), row('Media', 0, 0), row('Baja', 0, 0)],
        ConsultasDeCatalogo: false,
        _links: {
          self: { href: `/v3/agencias/${mail}/productos` },
          publicaciones: { href: `/v3/publicaciones/${mail}` },
          agencia: { href: `/v3/agencias/${mail}` },
        },
      })
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal((await one.get(`/v3/agencias/${mail}/productos`, { accept: REF })).status, 406)
    })

    it('200: vigente, vencido or still to come, by the day of the time zone', async () => {
      const { mail, agencia } = await makeAgencia(deps, one.app)
      for (const [estado, [from, to]] of Object.entries(days)) {
        const [day] = await server.store.query<{ desde: string; hasta: string }>(sql`
          select ((now() at time zone ${server.config.timeZone})::date + ${from}::int)::text as desde,
                 ((now() at time zone ${server.config.timeZone})::date + ${to}::int)::text as hasta`)
        assert.ok(day)
        await setPaquete(server.store, agencia.id, {
          nombre: 'Plan 50',
          ...day,
          alta: 5,
          media: 15,
          baja: 30,
          consultasDeCatalogo: true,
        })
        const { json } = await one.get(`/v3/agencias/${mail}/productos`)
        assert.deepEqual(json.Paquete, { Nombre: 'Plan 50', Estado: estado, Desde: day.desde, Hasta: day.hasta })
        const open = estado === 'vigente'
        assert.deepEqual(json.Publicaciones, [
          row('Alta', 5, open ? 5 : 0),
          row('Media', 15, open ? 15 : 0),
          row('Baja', 30, open ? 30 : 0),
        ])
        assert.equal(json.ConsultasDeCatalogo, open)
      }
    })
  })
})

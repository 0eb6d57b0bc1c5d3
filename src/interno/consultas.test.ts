import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, eventsOf, makeAgencia, newMail } from '../../tests/support/agencia.ts'
import { type Answer, send } from '../../tests/support/caller.ts'
import { createDatabase } from '../../tests/support/database.ts'
import { openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { schemaCheck } from '../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { untilBlocked } from '../../tests/support/until-blocked.ts'
import { makeAccount } from '../../tests/support/visitor.ts'
import { deleteExpiredKeys } from '../http/idempotency.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { connect, detach, replacePermisos } from '../resources/agencias/associations.ts'
import { createConsultaMonths } from '../resources/consultas/retention.ts'
import type { Publicacion } from '../resources/publicaciones/publicacion.ts'
import { revokeSitio } from '../sitios/store.ts'
import { openStore } from '../store/db.ts'

const PATH = '/interno/v1/consultas'
const LUCIA = { Interes: 'compra', Nombre: 'Lucía', Apellido: 'Ferreyra', Email: 'lucia@correo.test' }

let deps = 0
/** Somebody nobody has seen before. */
const somebody = (more: object = {}) => ({ Nombre: 'Ana', Email: `persona${++deps}@correo.test`, ...more })

describe('POST /interno/v1/consultas', () => {
  let server: TestServer
  let app: TestApp
  let sitio: TestSitio
  let agencia: Agencia
  let aviso: Publicacion
  before(async () => {
    server = await startServer()
    ;[app, sitio] = [await server.newApp(), await server.newSitio()]
    agencia = (await makeAgencia(depsOf(server), app.app)).agencia
    aviso = await makePublicacion(server.store, app.app, agencia)
  })
  after(() => server.stop())

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    sitio.call('POST', PATH, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const ask = (more: object = {}, headers: Record<string, string> = {}) =>
    post({ Aviso: aviso.id, OrigenLead: 'form', Interesado: somebody(), ...more }, headers)
  const errorsOf = async (answer: Promise<Answer>): Promise<Record<string, string[]>> => {
    const { status, json } = await answer
    assert.equal(status, 400, JSON.stringify(json))
    return json.Errors
  }
  const sidOf = ({ headers }: Answer) => headers.location?.split('/').at(-1) ?? ''
  const storedRow = async (sid: string) => {
    const [row] = await server.store.query<Record<string, unknown>>(sql`select * from consultas where sid = ${sid}`)
    return row
  }

  it('201: it reads the partition of this month alone', async () => {
    const partitions = () =>
      server.store.query<{ name: string; inserts: number; scans: number }>(sql`
        select relname as name, n_tup_ins as inserts, seq_scan + coalesce(idx_scan, 0) as scans
        from pg_stat_user_tables where relname like 'consultas\\_%' order by relname`)
    // A connection reports what it read when it closes at the latest.
    const own = openStore({ connection: server.connection, max: 1 })
    await createConsultaMonths(own, new Date())
    await own.close()
    await until(async () => (await partitions()).some(({ scans }) => scans > 0))
    const before = await partitions()
    assert.ok(before.length > 2)
    assert.equal((await ask({ Interesado: somebody({ Telefono: '+54 9 341 555-0199' }) })).status, 201)

    const since = async () =>
      (await partitions()).map(({ name, inserts, scans }, at) => ({
        name,
        inserts: inserts - (before[at]?.inserts ?? 0),
        scans: scans - (before[at]?.scans ?? 0),
      }))
    // Each connection reports what it did a moment later.
    const touched = await until(async () => {
      const changed = (await since()).filter(({ inserts, scans }) => inserts + scans > 0)
      return changed.some(({ inserts }) => inserts > 0) && changed.some(({ scans }) => scans > 1) ? changed : undefined
    })
    assert.equal(touched.length, 1, JSON.stringify(touched))
  })

  it('201: the inquiry, every member, where it is found under /v3, and it is found there', async () => {
    const answer = await post({
      Aviso: aviso.id,
      OrigenLead: 'whatsapp',
      Interesado: {
        ...LUCIA,
        Telefono: '+54 9 341 555-0134',
        DocIdentidad: '30111222',
        Provincia: 'Santa Fe',
        Ciudad: 'Rosario',
        Comentario: '¿Sigue disponible?\n\nGracias',
        InfoOperacion: {
          EntregaVehiculo: { Marca: 'Renault', Modelo: 'Clio', VersionYear: 2012 },
          FinanciacionDeseada: { Adelanto: { Moneda: 'ARS', Importe: 5_000_000 }, Cuota: null },
          QuiereCotizacionSeguro: true,
        },
      },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['content-type'], 'application/json')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { _links, Momento, ...consulta } = answer.json
    assert.equal(answer.headers.location, _links.self.href)
    assert.match(_links.self.href, new RegExp(`^/v3/consultas/${agencia.adminMail}/[0-9A-HJKMNP-TV-Z]{26}$`))
    assert.match(Momento, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/)
    assert.deepEqual(consulta, {
      OrigenLead: 'whatsapp',
      TipoAnuncio: 'publicacion',
      Auto: {
        ExternalId: aviso.externalId,
        RefStock: 'S-881',
        Marca: 'Fiat',
        Modelo: 'Cronos',
        Version: '1.3 Drive',
        VersionYear: 2022,
        Kilometraje: 38_000,
        Color: 'Blanco',
        BodyType: 'Sedán',
        Estado: 'usado',
        Precio: { Moneda: 'ARS', Importe: 18_500_000 },
        Anticipo: null,
        Cuota: null,
      },
      Interesado: {
        ...LUCIA,
        Telefono: '+54 9 341 555-0134',
        DocIdentidad: '30111222',
        Provincia: 'Santa Fe',
        Ciudad: 'Rosario',
        Comentario: '¿Sigue disponible?\n\nGracias',
        InfoOperacion: {
          EntregaVehiculo: { Marca: 'Renault', Modelo: 'Clio', VersionYear: 2012 },
          FinanciacionDeseada: { Adelanto: { Moneda: 'ARS', Importe: 5_000_000 }, Cuota: null },
          QuiereCotizacionSeguro: true,
        },
        TelefonoE164: '+5493415550134',
      },
      OperadorResponsable: agencia.adminMail,
      Estado: 'nueva',
    })
    const read = await app.get(_links.self.href)
    assert.deepEqual([read.status, read.text], [200, answer.text])
  })

  it('201: what is not given is null, and mail and surname are empty, never null', async () => {
    const { json } = await ask({
      Interesado: { Nombre: ' Ana \n Paz ', Telefono: '4555-1234', Email: '', Apellido: null },
    })
    assert.deepEqual(json.Interesado, {
      Interes: 'compra',
      Nombre: 'Ana Paz',
      Apellido: '',
      Email: '',
      Telefono: '4555-1234',
      DocIdentidad: null,
      Provincia: null,
      Ciudad: null,
      Comentario: null,
      InfoOperacion: null,
      TelefonoE164: null,
    })
    const empty = await ask({ Interesado: somebody({ InfoOperacion: {} }) })
    assert.deepEqual(empty.json.Interesado.InfoOperacion, {
      EntregaVehiculo: null,
      FinanciacionDeseada: null,
      QuiereCotizacionSeguro: null,
    })
  })

  it('201: by AdminMail and ExternalId, without case, also by a former administrator’s address', async () => {
    const former = newMail('antes')
    await server.store.query(sql`
      insert into agencia_aliases values ('produccion', ${former}, ${agencia.id}, now() + interval '1 day')`)
    for (const AdminMail of [agencia.adminMail.toUpperCase(), former]) {
      const { status, json } = await ask({ Aviso: null, AdminMail, ExternalId: aviso.externalId.toLowerCase() })
      assert.equal(status, 201)
      assert.equal(json.Auto.ExternalId, aviso.externalId)
      assert.match(json._links.self.href, new RegExp(agencia.adminMail))
    }
  })

  it('201: a car of the catalogue: the make as we know it, new, without ExternalId', async () => {
    const about = (Modelo: string) => ({
      Aviso: undefined,
      AdminMail: agencia.adminMail,
      Catalogo: { Marca: 'volksvagen', Modelo, Version: 'Track' },
    })
    const { status, json } = await ask(about('polo'))
    assert.equal(status, 201)
    assert.equal((await ask(about('Polo del futuro'))).json.Auto.Modelo, 'Polo del futuro')
    assert.equal(json.TipoAnuncio, 'catalogo')
    const { ExternalId, Marca, Modelo, Version, Estado, Precio } = json.Auto
    assert.deepEqual(
      { ExternalId, Marca, Modelo, Version, Estado, Precio },
      { ExternalId: '', Marca: 'Volkswagen', Modelo: 'Polo', Version: 'Track', Estado: 'nuevo', Precio: null },
    )
  })

  it('201: a suspended or archived listing takes it, and a new one is new', async () => {
    const make = async (change: (id: number) => Promise<unknown>, more: object = {}) => {
      const made = await makePublicacion(server.store, app.app, agencia, more)
      await change(made.id)
      return ask({ Aviso: made.id })
    }
    const set = (estado: string) => (id: number) =>
      server.store.query(sql`
        update publicaciones set estado = ${estado}, suspensiones = ${estado === 'Suspendida' ? ['app'] : []} where id = ${id}`)
    assert.equal((await make(set('Suspendida'))).status, 201)
    assert.equal((await make(set('Archivada'))).status, 201)
    assert.equal((await make(set('Activa'), { kilometraje: 0 })).json.Auto.Estado, 'nuevo')
  })

  it('201: an ExternalId that was archived and used again means the listing that lives', async () => {
    const first = await makePublicacion(server.store, app.app, agencia, { externalId: 'OTRA-VEZ' })
    await server.store.query(sql`update publicaciones set estado = 'Archivada' where id = ${first.id}`)
    const about = { Aviso: null, AdminMail: agencia.adminMail, ExternalId: 'otra-vez' }
    const archived = await ask(about)
    assert.equal((await storedRow(sidOf(archived)))?.publicacion_id, first.id)
    const second = await makePublicacion(server.store, app.app, agencia, { externalId: 'Otra-Vez' })
    const alive = await ask(about)
    assert.equal((await storedRow(sidOf(alive)))?.publicacion_id, second.id)
  })

  it('400: an ExternalId that is two listings names both; by Aviso each takes its own', async () => {
    const other = await server.newApp()
    await connect(depsOf(server), other.app, agencia, {
      editar: false,
      consultasDeCatalogo: false,
      consultasDeOtros: false,
    })
    const one = await makePublicacion(server.store, app.app, agencia, { externalId: 'DOBLE' })
    const two = await makePublicacion(server.store, other.app, agencia, { externalId: 'doble' })
    const errors = await errorsOf(ask({ Aviso: null, AdminMail: agencia.adminMail, ExternalId: 'Doble' }))
    assert.deepEqual(Object.keys(errors), ['ExternalId'])
    for (const { id } of [one, two]) assert.match(errors.ExternalId?.[0] ?? '', new RegExp(String(id)))
    assert.equal((await ask({ Aviso: two.id })).status, 201)
  })

  it('201: who answers for it: as asked, else the listing’s operator while he works there, else the administrator', async () => {
    const vendedor = await makeAccount(server, { email: newMail('vendedor') })
    await server.store.query(sql`
      insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${vendedor.id}, 'vendedor')`)
    const his = await makePublicacion(server.store, app.app, agencia, { operador: vendedor.email })
    const responsible = async (more: object) => (await ask(more)).json.OperadorResponsable
    assert.equal(await responsible({ Aviso: his.id }), vendedor.email)
    assert.equal(await responsible({ Aviso: his.id, OperadorResponsable: agencia.adminMail }), agencia.adminMail)
    assert.equal(await responsible({ OperadorResponsable: vendedor.email.toUpperCase() }), vendedor.email)
    await server.store.query(sql`delete from operadores where account_id = ${vendedor.id}`)
    assert.equal(await responsible({ Aviso: his.id }), agencia.adminMail)
    assert.deepEqual(Object.keys(await errorsOf(ask({ OperadorResponsable: vendedor.email }))), ['OperadorResponsable'])
  })

  describe('400', () => {
    const cases: [string, object, string[]][] = [
      ['nothing that it is about', { Aviso: null }, ['_']],
      ['two forms at once', { AdminMail: 'a@b.test', ExternalId: 'AB' }, ['_']],
      ['AdminMail beside Aviso', { AdminMail: 'a@b.test' }, ['AdminMail']],
      ['ExternalId without AdminMail', { Aviso: null, ExternalId: 'AB' }, ['AdminMail']],
      ['an Aviso that is not', { Aviso: 1 }, ['Aviso']],
      ['an Aviso that is text', { Aviso: '100001' }, ['Aviso']],
      ['an Aviso beyond int32', { Aviso: 2 ** 31 }, ['Aviso']],
      ['no such agency', { Aviso: null, AdminMail: 'nadie@b.test', ExternalId: 'AB' }, ['AdminMail']],
      ['a mail that is none', { Aviso: null, AdminMail: 'nadie', ExternalId: 'AB' }, ['AdminMail']],
      ['a lead from nowhere', { OrigenLead: 'paloma' }, ['OrigenLead']],
      ['no origin', { OrigenLead: null }, ['OrigenLead']],
      ['nobody', { Interesado: null }, ['Interesado']],
      ['nobody’s name', { Interesado: { Nombre: ' ', Telefono: '4555-1234' } }, ['Interesado.Nombre']],
      ['neither mail nor telephone', { Interesado: { Nombre: 'Ana' } }, ['Interesado.Email', 'Interesado.Telefono']],
      [
        'a mail with a header in it',
        { Interesado: { Nombre: 'A', Email: 'a@b.test\r\nBcc: c@d.test' } },
        ['Interesado.Email'],
      ],
      ['two mails in one', { Interesado: { Nombre: 'A', Email: 'a@b.test,c@d.test' } }, ['Interesado.Email']],
      ['a telephone without digits', { Interesado: { Nombre: 'A', Telefono: '(.)-(.)-' } }, ['Interesado.Telefono']],
      ['a telephone of letters', { Interesado: { Nombre: 'A', Telefono: 'llámeme' } }, ['Interesado.Telefono']],
      ['an interest of another kind', { Interesado: somebody({ Interes: 'robo' }) }, ['Interesado.Interes']],
      ['a member that does not exist', { Interesado: somebody({ Edad: 3 }) }, ['Interesado.Edad']],
      ['a member of the body that does not exist', { Estado: 'nueva' }, ['Estado']],
      ['a name that is too long', { Interesado: somebody({ Nombre: 'x'.repeat(101) }) }, ['Interesado.Nombre']],
      [
        'a comment that is too long',
        { Interesado: somebody({ Comentario: 'x'.repeat(2001) }) },
        ['Interesado.Comentario'],
      ],
      ['a list for a person', { Interesado: [] }, ['Interesado']],
      ['an operator who is none', { OperadorResponsable: 'x' }, ['OperadorResponsable']],
      [
        'money that is none',
        {
          Interesado: somebody({ InfoOperacion: { FinanciacionDeseada: { Cuota: { Moneda: 'pesos', Importe: -1 } } } }),
        },
        [
          'Interesado.InfoOperacion.FinanciacionDeseada.Cuota.Moneda',
          'Interesado.InfoOperacion.FinanciacionDeseada.Cuota.Importe',
        ],
      ],
      [
        'a car without a model, of another century',
        { Interesado: somebody({ InfoOperacion: { EntregaVehiculo: { Marca: 'Ford', VersionYear: 1800 } } }) },
        ['Interesado.InfoOperacion.EntregaVehiculo.Modelo', 'Interesado.InfoOperacion.EntregaVehiculo.VersionYear'],
      ],
    ]
    for (const [title, more, keys] of cases)
      it(`400: ${title}`, async () => assert.deepEqual(Object.keys(await errorsOf(ask(more))).sort(), [...keys].sort()))

    it('400: a make that nothing is like, with what came near', async () => {
      const Catalogo = { Marca: 'mercedez vens', Modelo: 'X' }
      const about = { Aviso: null, AdminMail: agencia.adminMail }
      const { json } = await ask({ ...about, Catalogo: { ...Catalogo, Marca: 'zapatillas' } })
      assert.deepEqual(Object.keys(json.Errors), ['Catalogo.Marca'])
      assert.ok(Array.isArray(json.Extensions.Candidatos))
      ;(await schemaCheck(server))('ValidationProblemDetails', json)
      assert.deepEqual(Object.keys(await errorsOf(ask({ ...about, Catalogo: { Marca: ' ' } }))).sort(), [
        'Catalogo.Marca',
        'Catalogo.Modelo',
      ])
    })

    it('400: broken JSON, none at all, a body that is no object, NUL, half a character', async () => {
      const half = String.fromCharCode(0xd800)
      for (const body of ['{', '', '[]', '7', '"x"', 'null', `{"Aviso":"\\u0000"}`, JSON.stringify({ Aviso: half })])
        assert.equal((await post(body)).status, 400, body)
      assert.equal((await post('['.repeat(50_000))).status, 400)
      assert.equal((await post(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).status, 400)
    })
  })

  it('201: what cannot be seen is taken out, and lines stay where lines are meant', async () => {
    const bell = String.fromCharCode(7)
    const { json } = await ask({
      Interesado: somebody({
        Nombre: `Lu${bell}cía\r\nBcc: otro@correo.test`,
        Comentario: `  uno\r\ndos\u2028tres${bell} \u202eal revés 👨‍👩‍👧  `,
      }),
    })
    assert.equal(json.Interesado.Nombre, 'Lucía Bcc: otro@correo.test')
    assert.equal(json.Interesado.Comentario, 'uno\ndos\ntres al revés 👨‍👩‍👧')
  })

  it('401, 404, 405, 406, 413, 415: as under /v3, in the same order and shape', async () => {
    const without = await send(server.url, PATH, { method: 'POST' })
    assert.deepEqual([without.status, without.json.Extensions.Codigo], [401, 'sin-credenciales'])
    assert.match(without.headers['www-authenticate'] ?? '', /^Bearer realm="rodado"$/)
    assert.match(without.headers['ratelimit-policy'] ?? '', /direccion/)
    assert.ok(without.headers['x-request-id'])
    const unknown = await send(server.url, PATH, { method: 'POST', headers: { authorization: 'Bearer sitio_nada' } })
    assert.deepEqual([unknown.status, unknown.json.Extensions.Codigo], [401, 'token-invalido'])
    for (const path of ['/interno/v1', '/interno/v1/nada', '/interno/v1/%ff'])
      assert.equal((await send(server.url, path)).status, 401, path)
    assert.equal((await app.call('POST', PATH, { body: '{}' })).status, 401)
    assert.equal((await sitio.call('GET', '/v3/agencias')).status, 401)

    assert.equal((await sitio.call('GET', '/interno/v1/nada')).status, 404)
    assert.equal((await sitio.call('GET', '/interno/v1/%ff')).status, 400)
    const wrong = await sitio.call('GET', PATH)
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST, OPTIONS'])
    assert.equal((await sitio.call('OPTIONS', PATH)).status, 204)
    assert.equal((await ask({}, { accept: 'text/html' })).status, 406)
    assert.equal((await ask({}, { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await post(`"${'x'.repeat(1_048_576)}"`)).status, 413)
    const text = await ask({}, { accept: 'text/json' })
    assert.deepEqual([text.status, text.headers['content-type']], [201, 'text/json'])
    assert.match(text.headers['ratelimit-policy'] ?? '', /"sitio";q=/)
    const digest = await ask({}, { digest: 'sha-256=AAAA' })
    assert.deepEqual([digest.status, digest.json.Extensions.Codigo], [401, 'digest-invalido'])
  })

  it('401: a key that was revoked, within a second', async () => {
    const gone = await server.newSitio()
    const attempt = () => gone.call('POST', PATH, { body: '{}' })
    assert.equal((await attempt()).status, 400)
    await revokeSitio(server.store, gone.sitio.id)
    await until(async () => (await attempt()).status === 401, 1_000)
  })

  it('400: a site of test sees nothing of production, and the other way round', async () => {
    const [other, tester] = [await server.newSitio({ modo: 'prueba' }), await server.newApp({ modo: 'prueba' })]
    const body = (more: object) => ({ body: JSON.stringify({ OrigenLead: 'form', Interesado: somebody(), ...more }) })
    assert.deepEqual(Object.keys(await errorsOf(other.call('POST', PATH, body({ Aviso: aviso.id })))), ['Aviso'])
    const mailed = { AdminMail: agencia.adminMail, ExternalId: aviso.externalId }
    assert.deepEqual(Object.keys(await errorsOf(other.call('POST', PATH, body(mailed)))), ['AdminMail'])
    const there = (await makeAgencia(depsOf(server), tester.app)).agencia
    const tested = await makePublicacion(server.store, tester.app, there)
    const { status, headers } = await other.call('POST', PATH, body({ Aviso: tested.id }))
    assert.equal(status, 201)
    assert.equal((await storedRow(headers.location?.split('/').at(-1) ?? ''))?.modo, 'prueba')
    assert.deepEqual(Object.keys(await errorsOf(ask({ Aviso: tested.id }))), ['Aviso'])
  })

  describe('Idempotency-Key', () => {
    const Interesado = { Nombre: 'Dos', Email: 'dos.veces@correo.test' }
    const count = async () =>
      (await server.store.query<{ n: number }>(sql`select count(*) as n from consultas`))[0]?.n ?? 0

    it('201: the same request again is the same inquiry and the same answer', async () => {
      const first = await ask({ Interesado }, { 'idempotency-key': 'una' })
      const before = await count()
      const again = await ask({ Interesado }, { 'idempotency-key': 'una' })
      assert.equal(first.status, 201)
      assert.deepEqual([again.status, again.text, again.headers.location], [201, first.text, first.headers.location])
      assert.equal(await count(), before)
    })

    it('409: the same key with another body, after what is wrong with that body', async () => {
      await ask({ Interesado }, { 'idempotency-key': 'otra' })
      const { status, json } = await ask({ Interesado, OrigenLead: 'chat' }, { 'idempotency-key': 'otra' })
      assert.deepEqual([status, Object.keys(json.Errors)], [409, ['Idempotency-Key']])
      assert.deepEqual(Object.keys(await errorsOf(ask({ Aviso: 1 }, { 'idempotency-key': 'otra' }))), ['Aviso'])
    })

    it('201: thirty at the same moment are one inquiry, one event, and all are answered alike', async () => {
      const [before, published] = [await count(), (await eventsOf(server, app.app, agencia.id)).length]
      const all = await Promise.all(
        Array.from({ length: 30 }, () => ask({ Interesado }, { 'idempotency-key': 'a la vez'.replaceAll(' ', '-') })),
      )
      assert.deepEqual([...new Set(all.map(({ status, text }) => `${status} ${text}`))], [`201 ${all[0]?.text}`])
      assert.equal(await count(), before + 1)
      assert.equal((await eventsOf(server, app.app, agencia.id)).length, published + 1)
    })

    it('201: another site’s key is another’s; after 24 h it is free again, and forgotten', async () => {
      const first = await ask({ Interesado }, { 'idempotency-key': 'vieja' })
      const other = await server.newSitio()
      const body = JSON.stringify({ Aviso: aviso.id, OrigenLead: 'form', Interesado })
      const elsewhere = await other.call('POST', PATH, { headers: { 'idempotency-key': 'vieja' }, body })
      assert.notEqual(elsewhere.headers.location, first.headers.location)
      await server.store.query(sql`
        update idempotency_keys set created_at = now() - interval '24 hours' where key = 'vieja'`)
      const later = await ask({ Interesado, OrigenLead: 'chat' }, { 'idempotency-key': 'vieja' })
      assert.equal(later.status, 201)
      assert.notEqual(later.headers.location, first.headers.location)
      await deleteExpiredKeys(server.store)
      const rows = await server.store.query(sql`select from idempotency_keys where key = 'vieja'`)
      assert.equal(rows.length, 1)
    })

    it('400: a key that is empty, too long, or has spaces or other letters; 255 visible ones will do', async () => {
      for (const key of ['', 'x'.repeat(256), 'con espacio', 'ñ', 'a, b'])
        assert.deepEqual(
          Object.keys(await errorsOf(ask({ Interesado }, { 'idempotency-key': key }))),
          ['Idempotency-Key'],
          key,
        )
      assert.equal((await ask({ Interesado }, { 'idempotency-key': '~'.repeat(255) })).status, 201)
    })

    it('400 keeps nothing: the key is free for the request that is right', async () => {
      await errorsOf(ask({ Interesado: { Nombre: 'x' } }, { 'idempotency-key': 'corregida' }))
      assert.equal((await ask({ Interesado }, { 'idempotency-key': 'corregida' })).status, 201)
    })
  })

  describe('what it sets going', () => {
    it('the app that published it is told, with the inquiry as it would read it, frozen', async () => {
      const answer = await ask()
      const event = (await eventsOf(server, app.app, agencia.id)).at(-1)
      assert.equal(event.Topic, 'consulta.recibida')
      assert.equal(event.AdminMail, agencia.adminMail)
      assert.deepEqual(event.Consulta, answer.json)
      const [row] = await server.store.query<{ payload: string }>(
        sql`select payload from events where sid = ${sidOf(answer)}`,
      )
      assert.ok(row?.payload.includes(answer.text))
    })

    it('others are told where the agency allowed it: of others’ listings, of the catalogue', async () => {
      const made = await makeAgencia(depsOf(server), app.app)
      const listing = await makePublicacion(server.store, app.app, made.agencia)
      const permisos = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }
      const [none, others, catalogue] = [await server.newApp(), await server.newApp(), await server.newApp()]
      await connect(depsOf(server), none.app, made.agencia, permisos)
      await connect(depsOf(server), others.app, made.agencia, { ...permisos, consultasDeOtros: true })
      await connect(depsOf(server), catalogue.app, made.agencia, { ...permisos, consultasDeCatalogo: true })
      const published = async () => {
        const counts = [app, none, others, catalogue].map(async ({ app: each }) => {
          const events = await eventsOf(server, each, made.agencia.id)
          return events.filter(({ Topic }) => Topic === 'consulta.recibida').length
        })
        return Promise.all(counts)
      }
      await ask({ Aviso: listing.id })
      assert.deepEqual(await published(), [1, 0, 1, 0])
      await ask({ Aviso: null, AdminMail: made.mail, Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' } })
      assert.deepEqual(await published(), [1, 0, 1, 1])
    })

    it('201: an app whose permission is withdrawn while the inquiry is stored is not notified', async () => {
      const made = await makeAgencia(depsOf(server), app.app)
      const listing = await makePublicacion(server.store, app.app, made.agencia)
      const other = await server.newApp()
      const permisos = { editar: false, consultasDeCatalogo: false, consultasDeOtros: true }
      await connect(depsOf(server), other.app, made.agencia, permisos)
      const intake = await server.store.transaction(async (tx) => {
        await replacePermisos(tx, other.app, made.agencia, { ...permisos, consultasDeOtros: false })
        const answer = ask({ Aviso: listing.id })
        await untilBlocked(server.store, 'insert consultas')
        return { answer }
      })
      assert.equal((await intake.answer).status, 201)
      const isNotified = async ({ app: each }: TestApp) =>
        (await eventsOf(server, each, made.agencia.id)).some(({ Topic }) => Topic === 'consulta.recibida')
      assert.deepEqual([await isNotified(app), await isNotified(other)], [true, false])
    })

    it('its trace goes with the delivery; one that is not of the form is none', async () => {
      const [webhook] = await server.store.query<{ id: number }>(sql`
        insert into webhooks (app_id, topic, callback) values (${app.app.id}, 'consulta.recibida', 'https://x.test/')
        returning id`)
      const traceOf = async (traceparent: string) => {
        const sid = sidOf(await ask({}, { traceparent }))
        const [row] = await server.store.query<{ estado: string; webhook: number; trace: string | null }>(sql`
          select d.estado, d.webhook_id as webhook, d.traceparent as trace
          from deliveries d join events e on e.id = d.id where e.sid = ${sid}`)
        assert.deepEqual([row?.estado, row?.webhook], ['pendiente', webhook?.id])
        return row?.trace
      }
      const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      assert.equal(await traceOf(trace), trace)
      for (const wrong of ['x', `${trace}-y`, trace.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32))])
        assert.equal(await traceOf(wrong), null)
    })

    it('no event is left with an app that is detached while inquiries arrive', async () => {
      const made = await makeAgencia(depsOf(server), app.app)
      const listing = await makePublicacion(server.store, app.app, made.agencia)
      const arriving = Array.from({ length: 60 }, () => ask({ Aviso: listing.id }))
      const leaving = server.store.transaction((tx) =>
        detach(tx, depsOf(server), { app: app.app, agencia: made.agencia, by: 'app' }),
      )
      for (const { status } of await Promise.all(arriving)) assert.equal(status, 201)
      assert.equal(await leaving, true)
      assert.deepEqual(await eventsOf(server, app.app, made.agencia.id), [])
    })

    it('many at once are each stored, counted, published and mailed once', async () => {
      const made = await makeAgencia(depsOf(server), app.app)
      const listing = await makePublicacion(server.store, app.app, made.agencia)
      const answers = await Promise.all(Array.from({ length: 120 }, () => ask({ Aviso: listing.id })))
      const sids = new Set(answers.map(sidOf))
      assert.deepEqual([sids.size, new Set(answers.map(({ status }) => status))], [120, new Set([201])])
      const [counted] = await server.store.query<Record<string, number>>(sql`
        select (select count(*) from consultas where agencia_id = ${made.agencia.id}) as stored,
          (select sum(n) from consulta_counts, unnest(dias) n where agencia_id = ${made.agencia.id}) as counted,
          (select count(distinct sid) from events where agencia_id = ${made.agencia.id} and topic = 'consulta.recibida') as published,
          (select count(*) from mail_recipients m join consultas c on c.sid = m.sid where c.agencia_id = ${made.agencia.id}) as mailed`)
      assert.deepEqual(counted, { stored: 120, counted: 120, published: 120, mailed: 240 })
    })

    it('the same person about the same car within 24 h is linked to the first; another car, person or day is not', async () => {
      const other = await makePublicacion(server.store, app.app, agencia)
      const person = { Nombre: 'Eva', Email: 'Eva@correo.test', Telefono: '341 555-0001' }
      const first = await ask({ Interesado: person })
      const byMail = await ask({ Interesado: { Nombre: 'Eva', Email: 'eva@CORREO.test' } })
      const byTelephone = await ask({ Interesado: { Nombre: 'E.', Telefono: '(341) 5550001' } })
      const withCountry = await ask({ Interesado: { Nombre: 'E.', Telefono: '+54 9 341 555-0001' } })
      for (const { json } of [byMail, byTelephone, withCountry])
        assert.equal(json._links.primera?.href, first.json._links.self.href)
      assert.equal(first.json._links.primera, undefined)
      assert.equal((await ask({ Aviso: other.id, Interesado: person })).json._links.primera, undefined)
      assert.equal((await ask()).json._links.primera, undefined)
    })

    it('the same person three times at the same moment is first once, and the others are linked to that', async () => {
      const person = { Nombre: 'Eva', Email: 'doble@correo.test' }
      const answers = await Promise.all([1, 2, 3].map(() => ask({ Interesado: person })))
      const links = answers.map(({ json }) => json._links)
      const [first, ...others] = links.filter(({ primera }) => primera === undefined)
      assert.equal(others.length, 0)
      const repeats = links.filter(({ primera }) => primera?.href === first?.self.href)
      assert.equal(repeats.length, 2)
    })

    it('emails: the operator’s and the person’s, who gets five a day however many there are', async () => {
      const Email = 'inundada@correo.test'
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ Interesado: somebody({ Email }) })))
      const sids = answers.map(sidOf)
      const rows = await server.store.query<{ kind: string; to: string; sealed: null }>(sql`
        select kind, to_address as "to", sealed from mail_recipients where sid = any(${sids})`)
      assert.ok(rows.every(({ sealed }) => sealed === null))
      const to = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.to)
      assert.deepEqual(to('consulta'), Array(8).fill(agencia.adminMail))
      assert.deepEqual(to('consulta-recibo'), Array(5).fill(Email))
      const silent = await ask({ Interesado: { Nombre: 'Sin correo', Telefono: '4555-1234' } })
      const only = await server.store.query<{ kind: string }>(
        sql`select kind from mail_recipients where sid = ${sidOf(silent)}`,
      )
      assert.deepEqual(only, [{ kind: 'consulta' }])
    })
  })
})

describe('intake without a database', () => {
  it('503 with Retry-After while it is away, and nothing is half done when it is back', async () => {
    const database = await createDatabase()
    const proxy = await openDatabaseProxy(database.connection)
    const server = await startServer({ connection: proxy.connection })
    try {
      const [app, sitio] = [await server.newApp(), await server.newSitio()]
      const { agencia } = await makeAgencia(depsOf(server), app.app)
      const { id } = await makePublicacion(server.store, app.app, agencia)
      const body = JSON.stringify({ Aviso: id, OrigenLead: 'form', Interesado: { Nombre: 'A', Telefono: '4555-1234' } })
      const ask = () => sitio.call('POST', '/interno/v1/consultas', { headers: { 'idempotency-key': 'k' }, body })
      proxy.cut()
      const away = await ask()
      assert.deepEqual([away.status, away.headers['retry-after']], [503, '5'])
      proxy.restore()
      await until(async () => (await ask()).status === 201)
      const [counts] = await database.store.query<object>(sql`
        select (select count(*) from consultas) as stored, (select sum(n) from consulta_counts, unnest(dias) n) as counted,
          (select count(*) from events where sid is not null) as published, (select count(*) from mail_recipients where sid is not null) as mailed`)
      assert.deepEqual(counts, { stored: 1, counted: 1, published: 1, mailed: 1 })
    } finally {
      await server.stop()
      await proxy.close()
      await database.drop()
    }
  })
})

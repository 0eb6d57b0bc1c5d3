import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { hashPassword, isPasswordOf } from '../accounts/password.ts'
import { secondFactorOf } from '../accounts/second-factor.ts'
import { firstStaffToken, joinStaff } from '../accounts/staff.ts'
import { findAccount } from '../accounts/store.ts'
import { findApp } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { COUNTRIES } from '../config.ts'
import { listAgencias } from '../resources/agencias/read.ts'
import { isCuit } from '../resources/agencias/tax-id.ts'
import { demoMarket } from '../sandbox/fiction/market.ts'
import { firstUlid } from '../ulid.ts'
import { run } from './run.ts'

const MAIL = /^[a-z0-9]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+example$/

const envFor = ({ connection }: TestDatabase) => ({
  DATABASE_URL: urlOf(connection),
  MASTER_KEY: randomBytes(32).toString('hex'),
})

async function runWith(env: Record<string, string>, args: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await run(args, { out, err, env })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

describe('demo in a store that was used before', () => {
  let database: TestDatabase
  let rodado: (...args: string[]) => ReturnType<typeof runWith>
  before(async () => {
    database = await createDatabase()
    const env = envFor(database)
    rodado = (...args) => runWith(env, args)
  })
  after(() => database.drop())

  it('demo: apps, a sandbox with its agencies and a staff member are no obstacle and stay as they are', async () => {
    const former = JSON.parse((await rodado('app', 'create', '--nombre', 'Primera', '--json')).out)
    assert.equal((await rodado('app', 'create', '--nombre', 'Pruebas', '--modo', 'prueba')).code, 0)
    const token = (await firstStaffToken(database.store)) ?? ''
    const passwordHash = await hashPassword('una clave larga y propia')
    const person = { email: 'ana@mercado.example', nombre: 'Ana', apellido: 'Paz', passwordHash }
    assert.equal((await joinStaff(database.store, token, person)).kind, 'joined')

    const { code, out, err } = await rodado('demo', '--json')
    assert.deepEqual([code, err], [0, ''])
    const { Agencias, Console } = JSON.parse(out)
    assert.ok(Agencias.length >= 3)
    const staff = await findAccount(database.store, 'produccion', Console.email)
    assert.ok(staff?.staff && (await isPasswordOf(database.store, staff, Console.password)))
    const ana = await findAccount(database.store, 'produccion', person.email)
    assert.ok(ana?.staff && (await isPasswordOf(database.store, ana, 'una clave larga y propia')))
    assert.ok(await findApp(database.store, former.AppKey))
  })

  it('demo: a market that it did not make is left alone', async () => {
    await database.store.query(sql`update apps set nombre = 'Otra'`)
    const { code, out, err } = await rodado('demo', '--json')
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /already has \d+ agencies.*another DATA_DIR/)
  })
})

describe('demo and paquete', () => {
  let database: TestDatabase
  let rodado: (...args: string[]) => ReturnType<typeof runWith>
  before(async () => {
    database = await createDatabase()
    const env = envFor(database)
    rodado = (...args) => runWith(env, args)
  })
  after(() => database.drop())

  it('demo: one JSON value, associated agencies in several regions with people and packages, no mail; once', async () => {
    const { code, out, err } = await rodado('demo', '--json')
    assert.deepEqual([code, err], [0, ''])
    const made = JSON.parse(out)
    assert.match(made.SitioKey, /^sitio_[\w-]{43}$/)
    assert.deepEqual(Object.keys(made), [
      ...['AppKey', 'AppSecret', 'SitioKey', 'Agencias', 'Console', 'Portal', 'Cuenta'],
    ])
    const app = await findApp(database.store, made.AppKey)
    assert.ok(app)
    const agencias = await listAgencias(database.store, app)
    assert.deepEqual(agencias.map(({ adminMail }) => adminMail).sort(), [...made.Agencias].sort())
    assert.ok(new Set(agencias.map(({ region }) => region)).size >= 3)
    for (const { adminMail, idFiscal } of agencias) {
      assert.match(adminMail, MAIL)
      assert.ok(isCuit(idFiscal ?? ''), adminMail)
    }
    const [counts] = await database.store.query<Record<string, number>>(sql`
      select (select count(*) from mails) as mails, (select count(*) from deliveries) as deliveries,
             (select count(*) from events where topic = 'agencia.registrada') as registered,
             (select count(*) from paquetes) as packages`)
    const packages = agencias.length - 1
    assert.deepEqual(counts, { mails: 0, deliveries: 0, registered: agencias.length, packages })
    const account = await findAccount(database.store, 'produccion', made.Cuenta.email)
    assert.ok(account && (await isPasswordOf(database.store, account, made.Cuenta.password)))
    assert.deepEqual(Object.keys(made.Console), ['url', 'email', 'password'])
    const staff = await findAccount(database.store, 'produccion', made.Console.email)
    assert.ok(staff?.staff && (await isPasswordOf(database.store, staff, made.Console.password)))
    assert.deepEqual(await secondFactorOf(database.store, staff.id), { totp: false, passkeys: 0, recovery: 0 })
    const developer = await findAccount(database.store, 'produccion', made.Portal.email)
    assert.ok(developer?.develops && !developer.staff)

    const again = await rodado('demo', '--json')
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(again.err, /the demo data is already in this database/)
  })

  it('demo: listings in several currencies, three months of inquiries, all counted and with their events', async () => {
    const [facts] = await database.store.query<Record<string, number>>(sql`
      select (select count(*) from publicaciones) as listings,
        (select count(distinct precio_moneda) from publicaciones) as currencies,
        (select count(*) from publicaciones where modelo_id is null) as unknown,
        (select count(*) from consultas) as inquiries,
        (select sum(n) from consulta_counts, unnest(dias) n) as counted,
        (select count(distinct estado) from consultas) as states,
        (select count(*) from consultas where repite is not null) as repeats,
        (select count(*) from consultas c where email is null and telefono is null) as unreachable,
        (select count(*) from consultas_other) as unsorted,
        (select count(*) from consultas where origen_lead in ('whatsapp', 'telefono') and telefono is null
           or origen_lead = 'email' and email is null) as unlikely,
        (select count(*) from consultas where auto::json ->> 'Estado' = 'nuevo' and interesado::json ->> 'Comentario'
           ~ 'VTV|dueño|chapa|patente|por la puerta') as mistaken,
        (select count(*) from events where sid is not null and created_at > now()) as future`)
    assert.ok(facts)
    const {
      listings = 0,
      inquiries = 0,
      counted,
      currencies,
      unknown,
      states,
      repeats = 0,
      unreachable,
      unsorted,
      unlikely,
      mistaken,
      future,
    } = facts
    assert.ok(listings > 100 && inquiries > 1500, JSON.stringify(facts))
    assert.deepEqual(
      { counted, currencies, unknown, states },
      { counted: inquiries, currencies: 2, unknown: 0, states: 5 },
    )
    assert.ok(repeats > 10)
    assert.deepEqual(
      { unreachable, unsorted, unlikely, mistaken, future },
      { unreachable: 0, unsorted: 0, unlikely: 0, mistaken: 0, future: 0 },
    )
    const hours = await database.store.query<{ night: number; day: number; oldest: number; newest: number }>(sql`
      select count(*) filter (where hour between 1 and 5) as night, count(*) filter (where hour between 17 and 21) as day,
        max(age) as oldest, min(age) as newest
      from (select extract(hour from created_at at time zone 'America/Argentina/Buenos_Aires') as hour,
              extract(day from now() - created_at) as age from events where sid is not null) as asked`)
    const { night = 0, day = 0, oldest, newest } = hours[0] ?? {}
    assert.ok(day > 10 * night, `${day} by day, ${night} by night`)
    assert.ok(Number(oldest) >= 88 && Number(newest) <= 1)
  })

  it('demo: the first agency has a package, listings and recent inquiries on them, and the key opens /interno', async () => {
    const [first] = await database.store.query<Record<string, number>>(sql`
      select (select count(*) from paquetes where agencia_id = g.id) as packages,
        (select count(*) from publicaciones where agencia_id = g.id and estado = 'Activa') as listings,
        (select count(*) from consultas c where c.agencia_id = g.id and c.fuente > 0 and c.sid > ${firstUlid(
          new Date(Date.now() - 7 * 86_400_000),
        )}) as recent
      from agencias g order by g.id limit 1`)
    assert.ok(first?.packages === 1 && (first.listings ?? 0) > 20 && (first.recent ?? 0) > 20, JSON.stringify(first))
    const sites = await database.store.query(sql`select from sitios where revoked_at is null`)
    assert.equal(sites.length, 1)
  })

  it('demo: every country has a market whose mails fit', () => {
    for (const country of COUNTRIES) {
      const market = demoMarket(loadCatalogue(country), '2025-03-04')
      assert.ok(market.length >= 3, country)
      const mails = market.flatMap(({ administrador, vendedores }) =>
        [administrador, ...vendedores].map(({ email }) => email),
      )
      assert.equal(new Set(mails).size, mails.length)
      for (const mail of mails) assert.ok(MAIL.test(mail) && mail.length <= 50, mail)
    }
  })

  it('paquete: set and shown; what is wrong is named', async () => {
    const [agencia] = await database.store.query<{ mail: string }>(
      sql`select admin_mail as mail from agencias order by id desc limit 1`,
    )
    const mail = agencia?.mail ?? ''
    const days = ['--desde', '2025-01-01', '--hasta', '2099-12-31']
    const set = await rodado(
      'paquete',
      'set',
      mail,
      '--nombre',
      'Plan 7',
      ...days,
      '--alta',
      '7',
      '--consultas-de-catalogo',
      '--json',
    )
    assert.deepEqual([set.code, set.err], [0, ''])
    const shown = await rodado('paquete', 'show', mail.toUpperCase(), '--json')
    assert.deepEqual(JSON.parse(shown.out), JSON.parse(set.out))
    assert.deepEqual(JSON.parse(set.out), {
      AdminMail: mail,
      Paquete: { Nombre: 'Plan 7', Estado: 'vigente', Desde: '2025-01-01', Hasta: '2099-12-31' },
      Publicaciones: [
        { Exposicion: 'Alta', Contratadas: 7, Usadas: 0, Disponibles: 7 },
        { Exposicion: 'Media', Contratadas: 0, Usadas: 0, Disponibles: 0 },
        { Exposicion: 'Baja', Contratadas: 0, Usadas: 0, Disponibles: 0 },
      ],
      ConsultasDeCatalogo: true,
    })
    assert.match((await rodado('paquete', 'show', mail)).out, /Plan 7: vigente/)
    for (const [args, message] of [
      [['set', mail, '--hasta', '2099-01-01'], /--nombre/],
      [['set', mail, '--nombre', 'x', '--hasta', '2025-02-30'], /--hasta/],
      [['set', mail, '--nombre', 'x', '--desde', '2025-02-02', '--hasta', '2025-02-01'], /before/],
      [['set', mail, '--nombre', 'x', '--hasta', '2099-01-01', '--alta', '-1'], /alta/],
      [['show'], /ADMINMAIL/],
      [['other'], /no "paquete other"/],
    ] as const) {
      const ran = await rodado('paquete', ...args)
      assert.equal(ran.code, 2)
      assert.match(ran.err, message)
    }
    const absent = await rodado('paquete', 'show', mail, '--modo', 'prueba')
    assert.equal(absent.code, 1)
  })
})

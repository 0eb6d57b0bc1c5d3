import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import sql, { raw } from 'sql-template-tag'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { hashPassword, isPasswordOf } from '../accounts/password.ts'
import { secondFactorOf } from '../accounts/second-factor.ts'
import { firstStaffToken, joinStaff } from '../accounts/staff.ts'
import { findAccount } from '../accounts/store.ts'
import { findApp } from '../apps/store.ts'
import { COUNTRIES } from '../config.ts'
import { listAgencias } from '../resources/agencias/read.ts'
import { isCuit } from '../resources/agencias/tax-id.ts'
import { chanceOf } from '../sandbox/fiction/chance.ts'
import { personAsking } from '../sandbox/fiction/interesados.ts'
import { countryFacts, demoMarket } from '../sandbox/fiction/market.ts'
import { firstUlid } from '../ulid.ts'
import { deliveryIdSql } from '../webhooks/delivery-ids.ts'
import { run } from './run.ts'

const MAIL = /^[a-z0-9]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+example$/

const envFor = ({ connection }: TestDatabase) => ({
  DATABASE_URL: urlOf(connection),
  MASTER_KEY: randomBytes(32).toString('hex'),
  PHOTOS_URL: pathToFileURL(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'demo-photos')).href,
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
    const env = { ...envFor(database), PUBLIC_URL: 'https://socios.mercado.example' }
    rodado = (...args) => runWith(env, args)
  })
  after(() => database.drop())

  /** How many rows each table has, without what any command may add. */
  async function rowCounts(): Promise<Record<string, number>> {
    const tables = await database.store.query<{ name: string }>(sql`
      select c.relname as name from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = 'public'::regnamespace and c.relname not in ('settings', 'migrations', 'photo_files') order by 1`)
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await database.store.query<{ count: number }>(sql`select count(*) from ${raw(name)}`)
      counts[name] = row?.count ?? 0
    }
    return counts
  }

  it('demo: refuses a market in production; with --si it is added beside apps, people and agencies; --borrar removes it', async () => {
    const { store } = database
    const former = JSON.parse((await rodado('app', 'create', '--nombre', 'Primera', '--json')).out)
    assert.equal((await rodado('app', 'create', '--nombre', 'Pruebas', '--modo', 'prueba')).code, 0)
    const token = (await firstStaffToken(store)) ?? ''
    const passwordHash = await hashPassword('una clave larga y propia')
    const person = { email: 'ana@mercado.example', nombre: 'Ana', apellido: 'Paz', passwordHash }
    assert.equal((await joinStaff(store, token, person)).kind, 'joined')
    await store.query(
      sql`insert into agencias (modo, admin_mail, nombre) values ('produccion', 'real@agencia.example', 'Real')`,
    )
    const before = await rowCounts()

    const refused = await rodado('demo', '--json')
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /looks like a market in production: .* with 1 agency.*--si/)

    const { code, out, err } = await rodado('demo', '--si', '--json')
    assert.deepEqual([code, err], [0, ''])
    const { AppKey, Agencias, Console } = JSON.parse(out)
    assert.ok(Agencias.length >= 3 && !Agencias.includes('real@agencia.example'))
    const staff = await findAccount(store, 'produccion', Console.email)
    assert.ok(staff?.staff && (await isPasswordOf(store, staff, Console.password)))
    const marked = await store.query(sql`
      select nombre from agencias where modo = 'produccion' and nombre not like '% (demo)'
      union all select nombre from apps where nombre not like '% (demo)'
      union all select nombre from sitios where nombre not like '% (demo)' order by 1`)
    assert.deepEqual(marked, [{ nombre: 'Primera' }, { nombre: 'Pruebas' }, { nombre: 'Real' }])
    const invented = await store.query(sql`select from incidents union all select from heartbeats`)
    assert.equal(invented.length, 0, 'the status page of a market says only what happened')
    const notOwn = await store.query(
      sql`select from mails where to_address not like '%.prueba.example' and sid is null`,
    )
    assert.equal(notOwn.length, 0, 'no email to anybody else')
    const ana = await findAccount(store, 'produccion', person.email)
    assert.ok(ana?.staff && (await isPasswordOf(store, ana, 'una clave larga y propia')))
    assert.ok(await findApp(store, former.AppKey))

    // What was sent to a further webhook that somebody added to the app.
    await store.query(sql`
      with event as (select id, app_id from events where app_id = (select id from apps where app_key = ${AppKey}) limit 1),
        delivery as (
          insert into deliveries (id, app_id, webhook_id, estado, attempts, due_at, created_at)
          select ${deliveryIdSql(sql`id`, 2)}, app_id, 0, 'entregada', 1, now(), now() from event returning id
        )
      insert into delivery_attempts (delivery_id, at, ms) select id, now(), 20 from delivery`)

    const removed = await rodado('demo', '--borrar')
    assert.deepEqual([removed.code, removed.err], [0, ''])
    assert.match(removed.out, /^The demo data was removed: 2 apps, 8 agencies/)
    assert.deepEqual(await rowCounts(), before)
    assert.match((await rodado('demo', '--borrar')).out, /no demo data/)
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

  it('demo: one JSON value, associated agencies in several regions with people and packages; again, it adds nothing', async () => {
    const { code, out, err } = await rodado('demo', '--json')
    assert.deepEqual([code, err], [0, ''])
    const made = JSON.parse(out)
    assert.match(made.SitioKey, /^sitio_[\w-]{43}$/)
    assert.deepEqual(Object.keys(made), ['AppKey', 'AppSecret', 'SitioKey', 'Agencias', 'Console', 'Portal', 'Cuenta'])
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
      select (select count(*) from mails where estado = 'pendiente' and to_address not like '%prueba.example') as mails,
             (select count(*) from deliveries where estado = 'pendiente') as deliveries,
             (select count(*) from events where topic = 'agencia.registrada' and app_id = ${app.id}) as registered,
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
    assert.deepEqual([again.code, again.err], [0, ''])
    const { SitioKey, Portal, ...same } = JSON.parse(again.out)
    assert.deepEqual([same.AppKey, same.AppSecret, same.Agencias], [made.AppKey, made.AppSecret, made.Agencias])
    assert.notEqual(SitioKey, made.SitioKey)
    assert.ok(await isPasswordOf(database.store, developer, Portal.password))
    assert.equal((await listAgencias(database.store, app)).length, agencias.length)
  })

  it('demo: three months of requests and deliveries; a receiver that failed and recovered, one that did not', async () => {
    const [facts] = await database.store.query<Record<string, number>>(sql`
      select (select count(*) from app_usage where solicitudes > 0) as hours,
        (select count(*) from deliveries where estado = 'entregada') as delivered,
        (select count(*) from deliveries d where estado = 'entregada' and attempts > 2) as retried,
        (select count(*) from deliveries where estado = 'fallida') as failed,
        (select count(*) from deliveries where estado = 'descartada') as discarded,
        (select count(*) from deliveries where settled_at > now()) as future,
        (select count(*) from deliveries d where attempts <>
           (select count(*) from delivery_attempts t where t.delivery_id = d.id)) as miscounted,
        (select count(*) from webhooks where disabled_at is null and failing_since is null) as healthy,
        (select count(*) from webhooks where disabled_by = 'fallas') as disabled,
        (select count(*) from audit_log) as audited, (select count(*) from suppressions) as erased,
        (select count(*) from invitaciones where estado = 'pendiente') as invited,
        (select count(*) from (select whatsapp from agencias union all select whatsapp from sucursales) numbers
           where whatsapp !~ '^[+][0-9]{8,15}$') as malformed,
        (select count(*) from publicaciones p where not exists (
           select from photos f where f.publicacion_id = p.id and f.hash is not null)) as bare`)
    const { hours = 0, delivered = 0, retried = 0, failed = 0, discarded = 0, audited = 0, ...others } = facts ?? {}
    assert.ok(hours > 90 * 24 && delivered > 1500 && audited > 100, JSON.stringify(facts))
    assert.ok(retried > 3 && failed > 3 && discarded > 3, JSON.stringify(facts))
    assert.deepEqual(others, {
      future: 0,
      miscounted: 0,
      healthy: 2,
      disabled: 1,
      erased: 1,
      invited: 2,
      malformed: 0,
      bare: 0,
    })
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
        (select count(*) from consultas c where email is null and telefono is null and suprimida_at is null) as unreachable,
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
              extract(day from now() - created_at) as age from events where topic = 'consulta.recibida') as asked`)
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
    const sites = await database.store.query(sql`select from sitios where revoked_at is null`) // the former is revoked
    assert.equal(sites.length, 1)
  })

  it('demo: every country has a market whose mails fit', () => {
    for (const country of COUNTRIES.filter((each) => each !== 'BR')) {
      const market = demoMarket(catalogueOf(country), '2025-03-04')
      assert.ok(market.length >= 3, country)
      const mails = market.flatMap(({ administrador, vendedores }) =>
        [administrador, ...vendedores].map(({ email }) => email),
      )
      assert.equal(new Set(mails).size, mails.length)
      for (const mail of mails) assert.ok(MAIL.test(mail) && mail.length <= 50, mail)
    }
  })

  it('demo: messages have the words of their country', () => {
    const chance = chanceOf(1)
    const car = { Marca: 'Fiat', Modelo: 'Cronos', Estado: 'usado' } as const
    const wordsIn = (country: string) =>
      Array.from({ length: 500 }, () => {
        const person = personAsking(car, 'form', { ciudad: null, region: null }, countryFacts(country), chance)
        return person.Comentario ?? ''
      }).join('\n')
    for (const country of COUNTRIES) assert.doesNotMatch(wordsIn(country), /[{}]|undefined/, country)
    assert.match(wordsIn('AR'), /VTV[^§]*patente|patente[^§]*VTV/)
    assert.match(wordsIn('BR'), /deudas de placa/)
    assert.doesNotMatch(wordsIn('BR'), /VTV|GNC|patente/)
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

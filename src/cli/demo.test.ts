import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { isPasswordOf } from '../accounts/password.ts'
import { findAccount } from '../accounts/store.ts'
import { findApp } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { COUNTRIES } from '../config.ts'
import { isCuit } from '../resources/agencias/cuit.ts'
import { listAgencias } from '../resources/agencias/store.ts'
import { demoMarket } from './demo/market.ts'
import { run } from './run.ts'

const MAIL = /^[a-z0-9]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+example$/

describe('demo and paquete', () => {
  let database: TestDatabase
  let env: Record<string, string>
  before(async () => {
    database = await createDatabase()
    env = { DATABASE_URL: urlOf(database), MASTER_KEY: randomBytes(32).toString('hex') }
  })
  after(() => database.drop())

  function urlOf({ connection }: TestDatabase): string {
    if (connection.connectionString) return connection.connectionString
    const { host = '', port, user, password, database } = connection
    const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
    return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`
  }

  async function rodado(...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(args, { out, err, env })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }

  it('demo: one JSON value, associated agencies in several regions with people and packages, no mail; once', async () => {
    const { code, out, err } = await rodado('demo', '--json')
    assert.deepEqual([code, err], [0, ''])
    const made = JSON.parse(out)
    assert.deepEqual(Object.keys(made), ['AppKey', 'AppSecret', 'SitioKey', 'Agencias', 'Console', 'Cuenta'])
    const app = await findApp(database.store, made.AppKey)
    assert.ok(app)
    const agencias = await listAgencias(database.store, app)
    assert.deepEqual(agencias.map(({ adminMail }) => adminMail).sort(), [...made.Agencias].sort())
    assert.ok(new Set(agencias.map(({ region }) => region)).size >= 3)
    for (const { adminMail, idFiscal } of agencias) {
      assert.match(adminMail, MAIL)
      assert.ok(isCuit(idFiscal ?? ''), adminMail)
    }
    const [told] = await database.store.query<{ mails: number; events: number; fresh: number; packages: number }>(sql`
      select (select count(*) from mails) as mails, (select count(*) from events) as events,
             (select count(*) from events where created_at > now() - interval '1 day') as fresh,
             (select count(*) from paquetes) as packages`)
    assert.deepEqual(told, { mails: 0, events: agencias.length, fresh: 0, packages: agencias.length - 1 })
    const account = await findAccount(database.store, 'produccion', made.Cuenta.email)
    assert.ok(account && (await isPasswordOf(database.store, account, made.Cuenta.password)))

    const again = await rodado('demo', '--json')
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(again.err, /not empty/)
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
    const [agencia] = await database.store.query<{ mail: string }>(sql`select admin_mail as mail from agencias limit 1`)
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

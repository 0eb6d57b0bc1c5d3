import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { callerFor } from '../../tests/support/caller.ts'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { findPgBouncer, missingPgBouncer, type PgBouncer, startPgBouncer } from '../../tests/support/pgbouncer.ts'
import { type RodadoProcess, startRodado } from '../../tests/support/rodado-process.ts'
import { until } from '../../tests/support/until.ts'
import { createApp, disableApp } from '../apps/store.ts'
import { run } from '../cli/run.ts'
import { readConfig } from '../config.ts'
import { backUp } from './backup/backup.ts'
import { openStore } from './db.ts'
import { openListener } from './listener.ts'
import { MIGRATIONS_DIR, migrate } from './migrate.ts'
import { checkPooler, inspectPooler } from './pooler.ts'
import { createSeal } from './sealed.ts'

const HIDDEN_MS = 1_000 // docs/decisions/api.md: a disabled app is refused within a second
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const ADVISORY_LOCKS = sql`
  select from pg_locks l join pg_database d on d.oid = l.database
  where locktype = 'advisory' and d.datname = current_database()`

describe('PgBouncer in transaction mode', { skip: missingPgBouncer('supported') }, () => {
  const masterKey = randomBytes(32)
  let folder: string
  let database: TestDatabase
  let relay: DatabaseProxy // PostgreSQL's socket is in a folder that PgBouncer's user cannot enter
  let pooler: PgBouncer
  const poolers: PgBouncer[] = []
  const start = async (settings: Record<string, string | number>, wanted: 'supported' | 'too old' = 'supported') => {
    const program = findPgBouncer(wanted)
    assert.ok(program)
    const { connection } = relay
    const url = new URL(connection.connectionString ?? 'postgres://localhost')
    const started = await startPgBouncer({
      program,
      host: '127.0.0.1',
      settings,
      port: Number(connection.port ?? url.port),
      user: connection.user ?? url.username,
      password: decodeURIComponent(url.password),
      database: connection.database ?? url.pathname.slice(1),
    })
    poolers.push(started)
    return started
  }
  const through = ({ url }: PgBouncer) => ({ connectionString: url })
  const configFor = ({ url }: PgBouncer, more: Record<string, string> = {}) => ({
    DATABASE_URL: url,
    MASTER_KEY: masterKey.toString('hex'),
    ...more,
  })

  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'pooler-'))
    database = await createDatabase()
    relay = await openDatabaseProxy(database.connection)
    pooler = await start({ max_prepared_statements: 100 })
  })
  after(async () => {
    for (const each of poolers) await each.stop()
    await relay?.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is recognised, with its mode, and by its version where our user may read it', async () => {
    assert.equal(await inspectPooler(database.connection), undefined)
    assert.deepEqual(await inspectPooler(through(pooler)), {
      mode: 'transaction',
      keepsPrepared: true,
      version: undefined,
      hasTimeouts: false,
    })
    const session = await start({ pool_mode: 'session', admin_users: new URL(pooler.url).username })
    const { version, ...rest } = (await inspectPooler(through(session))) ?? {}
    assert.deepEqual(rest, { mode: 'session', keepsPrepared: true, hasTimeouts: false })
    assert.match(version ?? '', /^PgBouncer 1\./)
  })

  it('without prepared statements it is refused at the start, with the remedy', async () => {
    const plain = await start({ max_prepared_statements: 0 })
    const refused = checkPooler(readConfig(configFor(plain)), silent)
    await assert.rejects(refused, /does not support prepared statements .*max_prepared_statements above 0/)
  })

  it('its start names what is missing: a direct address, and timeouts of the role', async () => {
    const warnings: string[] = []
    const log = { ...silent, warn: (_: unknown, message = '') => void warnings.push(message) }
    assert.equal(await checkPooler(readConfig(configFor(pooler)), log), true)
    assert.equal(warnings.length, 2)
    assert.match(warnings.join('\n'), /Set DATABASE_DIRECT_URL.*\n.*alter role … set statement_timeout = '30s'/)
  })

  it('one before 1.21 is refused at the start, by its name', { skip: missingPgBouncer('too old') }, async () => {
    const old = await start({ admin_users: new URL(pooler.url).username }, 'too old')
    const refused = checkPooler(readConfig(configFor(old)), silent)
    await assert.rejects(refused, /prepared statements .*\(PgBouncer 1\.\d+.*\)\. Use PgBouncer 1\.21 or later/)
  })

  it('`rodado doctor` names it and what to do', async () => {
    const poolerIn = async (env: Record<string, string>) => {
      const [out, err] = [new PassThrough(), new PassThrough()]
      await run(['doctor', '--json'], { out, err, env })
      const findings: { check: string; status: string; remedy?: string }[] = JSON.parse(String(out.read()))
      const { status, remedy } = findings.find(({ check }) => check === 'pooler') ?? {}
      return { status, remedy }
    }
    const { status, remedy = '' } = await poolerIn(configFor(pooler))
    assert.deepEqual([status, /DATABASE_DIRECT_URL/.test(remedy)], ['warning', true])
    const direct = { DATABASE_DIRECT_URL: urlOf(database.connection) }
    const withoutTimeouts = await poolerIn(configFor(pooler, direct))
    assert.equal(withoutTimeouts.status, 'warning')
    assert.match(withoutTimeouts.remedy ?? '', /alter role … set statement_timeout/)
    const plain = await start({ max_prepared_statements: 0 })
    assert.match((await poolerIn(configFor(plain, direct))).remedy ?? '', /PgBouncer 1\.21 or later/)
  })

  it('what it refuses is the reason that a command gives', async () => {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const url = new URL(pooler.url)
    url.username = 'nobody_here'
    assert.equal(await run(['sitio', 'list'], { out, err, env: configFor({ ...pooler, url: url.href }) }), 1)
    assert.equal(String(err.read()), 'rodado sitio: "trust" authentication failed\n')
  })

  it('LISTEN is not trusted, because our own NOTIFY does not arrive; with the direct address it does', async (t) => {
    const errors: string[] = []
    const log = { ...silent, error: (_: unknown, message = '') => void errors.push(message) }
    const blind = openListener({ connection: through(pooler), log })
    const hearing = openListener({ connection: through(pooler), direct: database.connection, log: silent })
    t.after(() => Promise.all([blind.close(), hearing.close()]))
    const received: string[] = []
    for (const listener of [blind, hearing]) listener.on('apps', (payload) => received.push(payload))
    await until(() => hearing.freshSince() > 0)
    await database.store.query(sql`select pg_notify('apps', '7')`)
    await until(() => received.includes('7'))
    await until(() => errors.length > 0)
    assert.match(errors[0] ?? '', /NOTIFY does not arrive.*set DATABASE_DIRECT_URL/)
    assert.equal(blind.freshSince(), Number.NEGATIVE_INFINITY)
  })

  it('migrations run through it, also at once, and leave no lock and no setting behind', async () => {
    const dir = join(folder, 'migrations')
    await cp(MIGRATIONS_DIR, dir, { recursive: true })
    await writeFile(join(dir, '9001_pooled.sql'), 'create table pooled (id int);')
    const runs = await Promise.all([1, 2, 3].map(() => migrate(through(pooler), { dir })))
    assert.deepEqual(runs.flat(), ['9001_pooled'])
    assert.deepEqual(await database.store.query(ADVISORY_LOCKS), [])
    await backUp({ connection: through(pooler), path: join(folder, 'pooled.backup'), madeAt: new Date(), version: 'x' })
    const store = openStore({ connection: through(pooler), max: 4, isPooled: true })
    const settings = sql`select pg_sleep(0.01), name, setting from pg_settings where source = 'session'
      and name in ('TimeZone', 'extra_float_digits', 'lock_timeout', 'statement_timeout', 'search_path')`
    const found = await Promise.all([1, 2, 3, 4].map(() => store.query(settings)))
    await store.close()
    assert.deepEqual(found.flat(), [])
  })

  it('prepared statements of many clients run over few connections', async () => {
    const stores = [1, 2, 3].map(() => openStore({ connection: through(pooler), max: 5, isPooled: true }))
    const query = (n: number) => sql`select ${n}::int + 1 as next`
    const ran = await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        stores[n % 3]?.transaction((tx) => tx.query<{ next: number }>(query(n), 'keep-plan')),
      ),
    )
    assert.ok(ran.every((rows, n) => rows?.[0]?.next === n + 1))
    for (const store of stores) await store.close()
  })

  describe('two nodes, one of them without DATABASE_DIRECT_URL', () => {
    let nodes: RodadoProcess[] = []
    before(async () => {
      const direct = { DATABASE_DIRECT_URL: urlOf(database.connection) }
      nodes = await Promise.all(
        [direct, {}].map((more: Record<string, string>) =>
          startRodado(through(pooler), masterKey, { ...more, ROLE: 'api' }),
        ),
      )
    })
    after(async () => {
      for (const node of nodes) await node.kill()
    })

    it('401: a disabled app is refused by both within a second', async () => {
      const { app, secret } = await createApp(database.store, createSeal(masterKey), { nombre: 'X', modo: 'prueba' })
      const callers = nodes.map(({ url }) => callerFor(url, app.appKey, secret))
      for (const caller of callers) await until(async () => (await caller.get('/v3/colores')).status === 200)
      await disableApp(database.store, app.appKey, true)
      const disabled = performance.now()
      for (const caller of callers)
        await until(async () => {
          const late = performance.now() - disabled > HIDDEN_MS
          const { status } = await caller.get('/v3/colores')
          assert.ok(!late || status === 401, `still ${status} after a second`)
          return status === 401
        })
    })

    it('0: `migrate`, `app list` and another start do not wait for anything', async () => {
      for (const args of [['migrate'], ['app', 'list'], ['migrate']]) {
        const [out, err] = [new PassThrough(), new PassThrough()]
        assert.equal(await run(args, { out, err, env: configFor(pooler) }), 0, String(err.read()))
      }
      const third = await startRodado(through(pooler), masterKey, { ROLE: 'api' })
      assert.equal(await third.stop(), 0)
      assert.deepEqual(await database.store.query(ADVISORY_LOCKS), [])
    })

    it('200: requests go on when the pooler is restarted', async () => {
      const { app, secret } = await createApp(database.store, createSeal(masterKey), { nombre: 'Y', modo: 'prueba' })
      const callers = nodes.map(({ url }) => callerFor(url, app.appKey, secret))
      await pooler.restart()
      for (const caller of callers)
        await until(async () => {
          const { status } = await caller.get('/v3/agencias')
          assert.ok(status === 200 || status === 503 || status === 401, `${status}`)
          return status === 200
        })
    })
  })
})

import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { asAdmin, createDatabase, type TestDatabase, testServer } from '../../tests/support/database.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { until } from '../../tests/support/until.ts'
import { withClient } from './failover.ts'
import { checkSchema, MIGRATIONS_DIR, migrate, SCHEMA_LOCK } from './migrate.ts'

let database: TestDatabase
let dir: string
beforeEach(async () => {
  database = await createDatabase()
  dir = await mkdtemp(join(tmpdir(), 'rodado-migrations-'))
  await cp(MIGRATIONS_DIR, dir, { recursive: true })
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

test('migrate: a database that is up to date is left alone', async () => {
  assert.deepEqual(await migrate(database.connection), [])
})

test('migrate: eight nodes start at once, one migrates, all go on', async () => {
  await writeFile(join(dir, '9001_slow.sql'), 'create table slow (id int); select pg_sleep(0.2);')
  await writeFile(join(dir, 'README.md'), 'not a migration')
  const runs = await Promise.all(Array.from({ length: 8 }, () => migrate(database.connection, { dir })))
  assert.deepEqual(runs.flat(), ['9001_slow'])
})

test('migrate: one that fails leaves nothing of itself; those before it stay, and the next start goes on there', async () => {
  await writeFile(join(dir, '9001_good.sql'), 'create table good (id int);')
  await writeFile(join(dir, '9002_mended.sql'), 'create table mended (id int); select 1 / 0;')
  await assert.rejects(
    migrate(database.connection, { dir }),
    /the migration 9002_mended failed and left nothing of itself: division by zero/,
  )
  const made = sql`select tablename as name from pg_tables where tablename in ('good', 'mended')`
  assert.deepEqual(await database.store.query(made), [{ name: 'good' }])
  await writeFile(join(dir, '9002_mended.sql'), 'create table mended (id int);')
  assert.deepEqual(await migrate(database.connection, { dir }), ['9002_mended'])
})

test('migrate: a request that holds its lock succeeds, and the migration goes on after it', async () => {
  await writeFile(
    join(dir, '9001_both.sql'),
    'alter table agencias add column a int; alter table apps add column a int;',
  )
  const waits = sql`select from pg_stat_activity where application_name = 'rodado migrate' and wait_event_type = 'Lock'
    and datname = current_database()`
  const ran = await database.store.transaction(async (tx) => {
    await tx.query(sql`update apps set nombre = nombre`)
    const migrating = migrate(database.connection, { dir })
    await until(async () => (await database.store.query(waits)).length > 0)
    // It has agencias and wants apps, we have apps and want agencias.
    await tx.query(sql`select from agencias`)
    return { migrating }
  })
  assert.deepEqual(await ran.migrating, ['9001_both'])
})

test('migrate: one that takes longer than a transaction may by the settings of the database', async () => {
  await writeFile(join(dir, '9001_long.sql'), 'select pg_sleep(1.2);')
  const { name } = database
  await asAdmin(testServer(), `alter database ${name} set transaction_timeout = '1s'`)
  assert.deepEqual(await migrate(database.connection, { dir }), ['9001_long'])
})

test('migrate: where the first that is new fails, the former version starts as before', async () => {
  await writeFile(join(dir, '9001_bad.sql'), 'create table bad (id int); select 1 / 0;')
  await assert.rejects(migrate(database.connection, { dir }), /9001_bad failed/)
  assert.deepEqual(await migrate(database.connection), [])
})

test('schema: a version that lacks a migration serves a newer schema, and neither changes nor refuses it', async () => {
  for (const name of ['9001_newer', '9002_newest']) await writeFile(join(dir, `${name}.sql`), 'select 1;')
  await migrate(database.connection, { dir })
  const stored = () => database.store.query(sql`select name, value from settings order by name`)
  const before = await stored()
  assert.deepEqual(await migrate(database.connection), [])
  assert.deepEqual(await checkSchema(database.connection), [])
  assert.deepEqual(await stored(), before)
})

test('schema: a newer one that takes something away names the versions that can serve it', async () => {
  await writeFile(join(dir, '9001_contracts.sql'), 'select 1;')
  await migrate(database.connection, { dir })
  await database.store.query(sql`update settings set value = '9001_contracts' where name = 'schema_served_from'`)
  const refused =
    /newer version of Rodado \(9001_contracts is not known here\), which only versions from 9001_contracts on/
  await assert.rejects(migrate(database.connection), refused)
  await assert.rejects(checkSchema(database.connection), refused)
  assert.deepEqual(await checkSchema(database.connection, { dir }), [])
})

test('schema: one that lacks a migration is refused with what to run, and stays as it is', async () => {
  await writeFile(join(dir, '9001_missing.sql'), 'create table missing (id int);')
  await assert.rejects(
    checkSchema(database.connection, { dir }),
    /lacks a migration of this version \(9001_missing\)\. Run `rodado migrate`/,
  )
  assert.deepEqual(await database.store.query(sql`select to_regclass('missing') as found`), [{ found: null }])
  await migrate(database.connection, { dir })
  assert.deepEqual(await checkSchema(database.connection, { dir }), [])
})

test('migrate: a lock that another session keeps is waited for, and then its holder is named', async () => {
  await writeFile(join(dir, '9001_late.sql'), 'select 1;')
  await withClient(database.connection, { application_name: 'an older node' }, async (client) => {
    await client.query(`select pg_advisory_lock(${SCHEMA_LOCK})`)
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await assert.rejects(
      migrate(database.connection, { dir, holderWaitMs: 100 }),
      new RegExp(`by another process: an older node, pid ${rows[0].pid} of PostgreSQL, from .*pg_terminate_backend`),
    )
    assert.deepEqual(await checkSchema(database.connection), [], 'nobody is kept from starting')
  })
  assert.deepEqual(await migrate(database.connection, { dir }), ['9001_late'])
})

test('0001: an app key is 32 lower case hexadecimal digits and a modo is one of two', async () => {
  const insert = (key: string, modo: string) =>
    database.store.query(sql`insert into apps (app_key, nombre, modo) values (${key}, 'n', ${modo})`)
  await assert.rejects(insert('A'.repeat(32), 'prueba'), /check constraint/)
  await assert.rejects(insert('a'.repeat(32), 'otro'), /check constraint/)
  await insert('a'.repeat(32), 'produccion')
})

test('0019: how much of a package is used is counted anew, whatever was published while 0008 was run', async () => {
  const recount = await readFile(join(dir, '0019_recount.sql'), 'utf8')
  const { store } = database
  const [agencia] = await store.query<{ id: number }>(sql`
    insert into agencias (modo, admin_mail, nombre) values ('produccion', 'a@agencia.test', 'A') returning id`)
  const [app] = await store.query<{ id: number }>(sql`
    insert into apps (app_key, nombre, modo) values (${'b'.repeat(32)}, 'n', 'produccion') returning id`)
  if (!agencia || !app) assert.fail('nothing was made')
  const published = { ...app, modo: 'produccion' as const }
  await makePublicacion(store, published, { ...agencia, adminMail: 'a@agencia.test' }, { exposicion: 'Baja' })
  for (const wrong of [sql`update usos set baja = 7`, sql`delete from usos`]) {
    await store.query(wrong)
    await store.transaction((tx) => tx.query(sql`${raw(recount)}`))
    assert.deepEqual(await store.query(sql`select alta, media, baja from usos`), [{ alta: 0, media: 0, baja: 1 }])
  }
})

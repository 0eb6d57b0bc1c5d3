import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import {
  asAdmin,
  createEmptyDatabase,
  inDatabase,
  type TestDatabase,
  testServer,
  urlOf,
} from '../../tests/support/database.ts'
import { startRodado } from '../../tests/support/rodado-process.ts'
import { run } from './run.ts'

describe('who changes the schema of DATABASE_URL', () => {
  const masterKey = randomBytes(32)
  let database: TestDatabase
  beforeEach(async () => {
    database = await createEmptyDatabase()
  })
  afterEach(() => database.drop())

  async function rodado(...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const env = { DATABASE_URL: urlOf(database.connection), MASTER_KEY: masterKey.toString('hex'), PORT: '0' }
    const code = await run(args, { out, err, env })
    return { code, printed: `${err.read() ?? ''}${out.read() ?? ''}` }
  }
  const tables = () => database.store.query(sql`select tablename from pg_tables where schemaname = 'public'`)
  /** Inserted, changed and deleted rows of all tables. */
  const writes = async () => {
    const [row] = await database.store.query<{ count: number }>(sql`
      select pg_stat_force_next_flush(), (select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)
        from pg_stat_user_tables)::int as count`)
    return row?.count
  }

  it('1: `serve`, `app list` and `doctor` name `rodado migrate`, and create nothing', async () => {
    for (const args of [['serve'], ['app', 'list'], ['doctor']]) {
      const { code, printed } = await rodado(...args)
      assert.equal(code, 1, printed)
      assert.match(printed, /lacks \d+ migrations of this version \(0001_apps … .*Run `rodado migrate`/)
    }
    assert.deepEqual(await tables(), [])
  })

  it('0: after `migrate` they run, and commands that only read store nothing', async () => {
    assert.match((await rodado('migrate')).printed, /^Applied: 0001_apps, /)
    assert.equal((await rodado('migrate')).printed, 'The database is up to date.\n')
    const before = await writes()
    assert.equal((await rodado('app', 'list')).code, 0)
    await rodado('doctor')
    assert.equal(await writes(), before)
  })

  it('1: a search_path without public is named', async () => {
    await rodado('migrate')
    const { name } = database
    await asAdmin(testServer(), `alter database ${name} set search_path = app`)
    for (const args of [['serve'], ['migrate'], ['app', 'list'], ['doctor']]) {
      const { code, printed } = await rodado(...args)
      assert.equal(code, 1, printed)
      assert.match(printed, /in the schema public, which is not first in the search_path of the role \S+: alter role/)
    }
  })

  it('1: another isolation than read committed is named', async () => {
    await rodado('migrate')
    const { name } = database
    await asAdmin(testServer(), `alter database ${name} set default_transaction_isolation = 'serializable'`)
    for (const args of [['serve'], ['app', 'list'], ['doctor']]) {
      const { code, printed } = await rodado(...args)
      assert.equal(code, 1, printed)
      assert.match(printed, /serializable, .* set default_transaction_isolation = 'read committed'/)
    }
  })

  it('1: what PostgreSQL answers is the reason, not that it does not answer', async () => {
    const { name } = database
    const inside = { admin: inDatabase(testServer().admin, name) }
    await asAdmin(
      inside,
      `create schema aside;
       create function aside.full_disk() returns event_trigger language plpgsql as $$ begin
         raise exception 'no space left on device' using errcode = '53100'; end $$;
       create event trigger full_disk on ddl_command_start execute function aside.full_disk()`,
    )
    assert.equal(
      (await rodado('migrate')).printed,
      'rodado migrate: the migration 0001_apps failed and left nothing of itself: no space left on device\n',
    )
    await asAdmin(inside, 'drop event trigger full_disk')
    await asAdmin(testServer(), `alter database ${name} connection limit 0`)
    assert.match((await rodado('migrate')).printed, /^rodado migrate: too many connections for database/)
  })

  it('1: a database that takes no writes, as a replica, is named as such', async () => {
    const { name } = database
    const setReadOnly = (value: 'on' | 'off') =>
      asAdmin(testServer(), `alter database ${name} set default_transaction_read_only = ${value}`)
    const refusal =
      /^rodado migrate: The PostgreSQL of DATABASE_URL takes no writes \(.*Use the address of the primary\.\n$/
    await setReadOnly('on')
    assert.match((await rodado('migrate')).printed, refusal)
    await setReadOnly('off')
    assert.equal((await rodado('migrate')).code, 0)
    await setReadOnly('on')
    assert.match((await rodado('migrate')).printed, refusal)
  })

  it('0: `serve` with AUTO_MIGRATE=si migrates an empty database', async () => {
    const server = await startRodado(database.connection, masterKey, { AUTO_MIGRATE: 'si', DRAIN_SECONDS: '0' })
    assert.ok((await tables()).length > 20)
    assert.equal(await server.stop(), 0)
  })
})

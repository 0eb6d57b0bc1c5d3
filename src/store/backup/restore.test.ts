import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import {
  asAdmin,
  askOnce,
  createDatabase,
  createEmptyDatabase,
  inDatabase,
  type TestDatabase,
  testServer,
  urlOf,
} from '../../../tests/support/database.ts'
import { openDatabaseProxy } from '../../../tests/support/database-proxy.ts'
import { until } from '../../../tests/support/until.ts'
import { isUnavailable } from '../circuit-breaker.ts'
import { openStore } from '../db.ts'
import { MIGRATIONS_DIR, migrate, migrationNames } from '../migrate.ts'
import { type Backup, backUp } from './backup.ts'
import { type Entry, openWriter } from './file.ts'
import { restore } from './restore.ts'

const now = { madeAt: new Date('2026-03-09T12:00:00Z'), version: '0.1.0' }

/** The disk of the database is full only for migrations. */
const FULL_WHEN_MIGRATED = `
  create schema aside;
  create function aside.full_disk() returns event_trigger language plpgsql as $$ begin
    if current_setting('application_name') = 'rodado migrate' then
      raise exception 'no space left on device' using errcode = '53100';
    end if;
  end $$;
  create event trigger full_disk on ddl_command_start execute function aside.full_disk();`

describe('restore', () => {
  let folder: string
  let made: Backup
  const path = () => join(folder, 'store.backup')
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'restore-'))
    await withDatabase(async (database) => {
      await askOnce(
        database,
        sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'Kept', 'produccion')`,
      )
      made = await backUp({ connection: database.connection, path: path(), ...now })
    })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('a node that starts meanwhile waits, and finds all of it', async () => {
    await withDatabase(async ({ connection, store }) => {
      const proxy = await openDatabaseProxy(connection)
      let begun = false
      const onProgress = () => {
        if (!begun) proxy.stall()
        begun = true
      }
      const restoring = restore({ connection: proxy.connection, path: path(), onProgress })
      await until(() => begun)
      const starting = migrate(connection)
      const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
      await until(async () => (await store.query(waits)).length === 1)
      proxy.restore()
      assert.equal((await restoring).rows, made.rows)
      assert.deepEqual(await starting, [])
      await proxy.close()
    }, createEmptyDatabase)
  })

  it('a role with a schema of its own, another search_path and a time limit for transactions: all is in public', async () => {
    const path = join(folder, 'own-schema.backup')
    for (const make of [createDatabase, createEmptyDatabase])
      await withDatabase(async (database) => {
        const { name } = database
        await askOnce(database, sql`create schema authorization current_user`)
        await asAdmin(
          { admin: inDatabase(testServer().admin, name) },
          `alter database ${name} set search_path = "$user"; alter database ${name} set transaction_timeout = '1s'`,
        )
        // Longer than a transaction may take, while the first table is copied.
        const onProgress = (_table: string, _rows: number, done: boolean) => {
          if (done && !isSlow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
          isSlow ||= done
        }
        let isSlow = false
        const { connection } = database
        if (make === createDatabase) await backUp({ connection, path, ...now, onProgress })
        else await restore({ connection, path, onProgress })
        const elsewhere = sql`select from pg_class where relnamespace = current_user::regnamespace`
        assert.deepEqual(await askOnce(database, elsewhere), [])
      }, make)
  })

  it('restored but not migrated to this version: says so, and not that nothing was changed', async () => {
    const names = await migrationNames()
    const dir = join(folder, 'before-last')
    await mkdir(dir)
    for (const name of names.slice(0, -1)) await copyFile(join(MIGRATIONS_DIR, `${name}.sql`), join(dir, `${name}.sql`))
    const file = join(folder, 'before-last.backup')
    await withDatabase(async ({ connection }) => {
      await migrate(connection, { dir })
      await backUp({ connection, path: file, ...now })
    }, createEmptyDatabase)
    await withDatabase(async (database) => {
      const { name } = database
      const admin = inDatabase(testServer().admin, name)
      await asAdmin({ admin }, FULL_WHEN_MIGRATED)
      await assert.rejects(restore({ connection: database.connection, path: file }), (error: NodeJS.ErrnoException) => {
        assert.match(
          error.message,
          /^All of the backup was restored, but .* this version: the migration \w+ failed .*: no space left/,
        )
        return error.code === undefined && !isUnavailable(error)
      })
      assert.equal((await askOnce(database, sql`select from migrations`)).length, names.length - 1)
      await asAdmin({ admin }, 'drop event trigger full_disk')
      assert.deepEqual(await migrate(database.connection), names.slice(-1))
    }, createEmptyDatabase)
  })

  it('refused: a database that anybody uses, whatever the address has them call themselves', async () => {
    await withDatabase(async (database) => {
      const url = urlOf(database.connection)
      const connectionString = `${url}${url.includes('?') ? '&' : '?'}application_name=crm`
      const other = openStore({ connection: { connectionString }, max: 1 })
      await other.query(sql`insert into settings (name, value) values ('here', 'before')`)
      const connection = { connectionString }
      await assert.rejects(restore({ connection, path: path(), force: true }), {
        message: /in use \(1 connection: crm\)/,
      })
      assert.equal((await other.query(sql`select from settings where name = 'here'`)).length, 1)
      await other.close()
    })
  })

  it('refused: a part of a table that is bounded by anything but ids', async () => {
    const file = join(folder, 'bounded.backup')
    const writer = openWriter(file)
    const bound = `default; commit; create table intruder (id int)`
    const partitions = [{ name: 'consultas_1999_01', of: 'consultas', bound }]
    const words: Entry = { kind: 'manifest', manifest: { ...made.manifest, partitions } }
    await writer.write('J', Buffer.from(JSON.stringify(words)))
    await writer.finish()
    await withDatabase(async (database) => {
      await assert.rejects(restore({ connection: database.connection, path: file }), {
        message: /consultas_1999_01 has a partition bound that is not/,
      })
      assert.deepEqual(await database.store.query(sql`select to_regclass('intruder') as found`), [{ found: null }])
    })
  })
})

/** A database that the test may fill, gone with it. */
async function withDatabase(work: (database: TestDatabase) => Promise<void>, make = createDatabase): Promise<void> {
  const database = await make()
  await work(database).finally(() => database.drop())
}

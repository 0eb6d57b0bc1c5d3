import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let dir: string
before(async () => {
  database = await createDatabase()
  dir = await mkdtemp(join(tmpdir(), 'rodado-migrations-'))
  await cp(fileURLToPath(new URL('./migrations/', import.meta.url)), dir, { recursive: true })
})
after(async () => {
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

test('migrate: one that fails leaves nothing of any in its run', async () => {
  await writeFile(join(dir, '9002_good.sql'), 'create table good (id int);')
  await writeFile(join(dir, '9003_bad.sql'), 'create table bad (id int); select 1 / 0;')
  await assert.rejects(migrate(database.connection, { dir }), /division by zero/)
  await rm(join(dir, '9003_bad.sql'))
  assert.deepEqual(await migrate(database.connection, { dir }), ['9002_good'])
})

test('migrate: a database that newer code has migrated is refused', async () => {
  await assert.rejects(migrate(database.connection), /newer version of Rodado \(9001_slow, 9002_good/)
})

test('0001: an app key is 32 lower case hexadecimal digits and a modo is one of two', async () => {
  const insert = (key: string, modo: string) =>
    database.store.query(sql`insert into apps (app_key, nombre, modo) values (${key}, 'n', ${modo})`)
  await assert.rejects(insert('A'.repeat(32), 'prueba'), /check constraint/)
  await assert.rejects(insert('a'.repeat(32), 'otro'), /check constraint/)
  await insert('a'.repeat(32), 'produccion')
})

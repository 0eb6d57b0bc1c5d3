import assert from 'node:assert/strict'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDataDir } from '../../../tests/support/embedded.ts'
import { readConfig } from '../../config.ts'
import { explainDatabase } from '../open.ts'
import { explain } from './cluster.ts'

test('embedded: a folder that is no cluster, or one of another version, is refused with what to do', async (t) => {
  const { dataDir, open } = await makeDataDir(t)
  const dir = join(dataDir, 'pg')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if (process.getuid?.() === 0) await chown(dir, 65_534, 65_534)
  await assert.rejects(open('serve'), /not a PostgreSQL cluster/)
  await writeFile(join(dir, 'PG_VERSION'), '15\n')
  await assert.rejects(open('serve'), /made by PostgreSQL 15.*pg_dump/)
})

test('embedded: a DATA_DIR that cannot be created is refused with its name', async (t) => {
  const { parent, dataDir, open } = await makeDataDir(t, join('file', 'data'))
  await writeFile(join(parent, 'file'), '')
  await assert.rejects(open('serve'), (error: Error) =>
    error.message.startsWith(`DATA_DIR ${dataDir} cannot be created`),
  )
})

test('embedded: a full disk is called a full disk', () => {
  const complaint = 'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device'
  assert.match(explain('PostgreSQL did not start', complaint), /the disk is full/)
})

test('embedded: a command whose PostgreSQL stops under it says where to look', () => {
  const throwIt = explainDatabase(readConfig({ DATA_DIR: '/srv/data' }), {})
  assert.throws(() => throwIt(new Error('Connection terminated unexpectedly')), {
    message:
      'The embedded PostgreSQL stopped (Connection terminated unexpectedly). /srv/data/pg.log says why; is the disk full?',
  })
  assert.throws(() => throwIt(new Error('a fault of ours')), { message: 'a fault of ours' })
})

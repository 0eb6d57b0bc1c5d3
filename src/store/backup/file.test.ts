import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { newClient } from '../failover.ts'
import { backUp } from './backup.ts'
import { copyOut } from './copy.ts'
import { openWriter } from './file.ts'

const now = { madeAt: new Date('2026-03-09T12:00:00Z'), version: '0.1.0' }

describe('the file of a backup', () => {
  let folder: string
  let database: TestDatabase
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'backup-file-'))
    database = await createDatabase()
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is for its owner alone, whatever stood at its side, and its checksum is that of sha256sum', async () => {
    const file = join(folder, 'private.backup')
    const elsewhere = join(folder, 'elsewhere')
    await writeFile(elsewhere, 'kept', { mode: 0o666 })
    await symlink(elsewhere, `${file}.partial`)
    const { sha256, bytes } = await backUp({ connection: database.connection, path: file, ...now })
    const content = await readFile(file)
    assert.deepEqual([sha256, bytes], [createHash('sha256').update(content).digest('hex'), content.length])
    const { mode } = await lstat(file)
    assert.deepEqual([(mode & 0o777).toString(8), await readFile(elsewhere, 'utf8')], ['600', 'kept'])
  })

  it('a file that can be written no more ends the backup, and the rest of the table is not read', async () => {
    const writer = openWriter(join(folder, 'no such folder', 'store.backup'))
    const row = Buffer.from('a row\n')
    const written = async () => {
      for (;;) {
        await writer.write('R', row)
        await new Promise(setImmediate)
      }
    }
    await assert.rejects(written(), { code: 'ENOENT' })
    await writer.abandon()

    const client = newClient(database.connection, {})
    client.on('error', () => undefined)
    await client.connect()
    const endless = `copy (select repeat('x', 1000), generate_series(1, 1000000000)) to stdout`
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
    let chunks = 0
    const copied = copyOut(client, endless, async () => {
      if (++chunks === 3) throw full
    })
    await assert.rejects(copied, full)
    assert.equal(chunks, 3)
    await client.end()
  })
})

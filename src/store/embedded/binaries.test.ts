import assert from 'node:assert/strict'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { privateCopy } from './binaries.ts'

let parent: string
let native: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'rodado-copy-'))
  native = join(parent, 'package', 'native')
  await mkdir(join(native, 'bin'), { recursive: true, mode: 0o700 })
  await mkdir(join(native, 'lib'), { mode: 0o700 })
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 })
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 })
  await writeFile(join(native, 'lib', 'libpq.a'), 'archive')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('copy: everybody can run it, only we can change it, and the library links are there', async () => {
  const copy = await privateCopy(native, parent, 'pg')
  assert.equal(await mode(copy), '755')
  assert.equal(await mode(join(copy, 'bin', 'postgres')), '755')
  assert.equal(await mode(join(copy, 'lib', 'libpq.so.5.18')), '644')
  assert.equal(await readlink(join(copy, 'lib', 'libpq.so.5')), 'libpq.so.5.18')
  await assert.rejects(lstat(join(copy, 'lib', 'libpq.a')), { code: 'ENOENT' })
})

test('copy: it is made once, and again when a file of it was cleaned away', async () => {
  const copy = await privateCopy(native, parent, 'pg')
  const { ino } = await stat(copy)
  assert.equal((await stat(await privateCopy(native, parent, 'pg'))).ino, ino)
  await rm(join(copy, 'lib', 'libpq.so.5.18'))
  await privateCopy(native, parent, 'pg')
  assert.equal(await readFile(join(copy, 'lib', 'libpq.so.5.18'), 'utf8'), 'library')
})

test('copy: several starts make it at once', async () => {
  const copies = await Promise.all(Array.from({ length: 5 }, () => privateCopy(native, parent, 'pg')))
  assert.equal(new Set(copies).size, 1)
  assert.equal(await readFile(join(copies[0] ?? '', 'bin', 'postgres'), 'utf8'), 'program')
})

test('copy: a folder that others made or may write to is not run', async () => {
  const copy = await privateCopy(native, parent, 'pg')
  await writeFile(join(copy, 'bin', 'postgres'), 'evil...')
  await chmod(join(copy, '..'), 0o777)
  assert.equal(await readFile(join(await privateCopy(native, parent, 'pg'), 'bin', 'postgres'), 'utf8'), 'program')
  if (process.getuid?.() !== 0) return
  await writeFile(join(copy, 'bin', 'postgres'), 'evil...')
  await chown(join(copy, '..'), 65_534, 65_534)
  assert.equal(await readFile(join(await privateCopy(native, parent, 'pg'), 'bin', 'postgres'), 'utf8'), 'program')
})

test('copy: a parent where others may rename our folder is refused', async () => {
  await chmod(parent, 0o777)
  await assert.rejects(privateCopy(native, parent, 'pg'), /open to other users/)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chown, link, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { ask, exists, makeDataDir, makeUsedDataDir, recall, remember } from '../../../tests/support/embedded.ts'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { ensureCluster, giveTo } from './cluster.ts'
import { sharedDataWarning } from './start.ts'

const rootOnly = { skip: process.getuid?.() !== 0 && 'only root can become another user' }
const NOBODY = { uid: 65_534, gid: 65_534 }

test('embedded: what was written is there after a stop and a start, and nothing listens on a port', async (t) => {
  const { dataDir, open, isRunning } = await makeDataDir(t)
  const first = await open('serve')
  await ask(first.connection, ...remember)
  assert.deepEqual(await ask(first.connection, sql`show listen_addresses`), [{ listen_addresses: '' }])
  assert.equal((await stat(join(dataDir, 'pg'))).mode & 0o077, 0)
  await first.stop()
  assert.equal(await isRunning(), false)
  const second = await open('serve')
  assert.deepEqual(await ask(second.connection, recall), [{ id: 1 }])
})

test('embedded: the server is no superuser, and durability is not traded for speed', async (t) => {
  const { open } = await makeDataDir(t)
  const { connection } = await open('serve')
  const [role] = await ask(connection, sql`select rolsuper, rolcreatedb from pg_roles where rolname = current_user`)
  assert.deepEqual(role, { rolsuper: false, rolcreatedb: false })
  const safe = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']
  const on = await ask(connection, sql`select from pg_settings where setting = 'on' and name = any(${safe})`)
  assert.equal(on.length, safe.length)
})

test('embedded: a second server is refused and told which DATA_DIR and which process', async (t) => {
  const { dataDir, open } = await makeUsedDataDir(t)
  await open('serve')
  const told = (error: Error) => error.message.includes(`process ${process.pid})`) && error.message.includes(dataDir)
  await assert.rejects(open('serve'), told)
})

test('embedded: of two servers that start at the same moment on a new DATA_DIR, one serves', async (t) => {
  const { dataDir, openElsewhere } = await makeDataDir(t)
  const both = await Promise.all([openElsewhere('serve'), openElsewhere('serve')])
  const [winner] = both.filter(({ refused }) => refused === undefined)
  const [loser] = both.filter(({ refused }) => refused !== undefined)
  assert.match(loser?.refused ?? '', new RegExp(`process ${winner?.child.pid}\\) already uses DATA_DIR ${dataDir}`))
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith('pg.new'))
  assert.deepEqual(leftovers, [])
})

test('embedded: a command is the guest of a running server, and alone starts and stops PostgreSQL itself', async (t) => {
  const { open, isRunning } = await makeUsedDataDir(t)
  const server = await open('serve')
  const guest = await open('command')
  assert.deepEqual([guest.owner, guest.pid], [false, server.pid])
  await guest.stop()
  await ask(server.connection, sql`select 1`)
  await server.stop()
  const alone = await open('command')
  assert.equal(alone.owner, true)
  await alone.stop()
  assert.equal(await isRunning(), false)
})

test('embedded: commands that start at once share PostgreSQL, and the last one stops it', async (t) => {
  const { open, isRunning } = await makeUsedDataDir(t)
  const commands = await Promise.all([open('command'), open('command'), open('command')])
  assert.equal(commands.filter(({ owner }) => owner).length, 1)
  for (const { connection, stop } of commands) {
    await ask(connection, sql`select 1`)
    await stop()
  }
  assert.equal(await isRunning(), false)
})

test('embedded: a server starts while a command has PostgreSQL, and keeps it when the command ends', async (t) => {
  const { open } = await makeUsedDataDir(t)
  const command = await open('command')
  const server = await open('serve')
  await command.stop()
  await ask(server.connection, sql`select 1`)
})

test('embedded: a path too long for a socket works, and its short link is taken away', async (t) => {
  const { open } = await makeUsedDataDir(t, join('a'.repeat(60), 'b'.repeat(60)))
  const server = await open('serve')
  const guest = await open('command')
  await ask(guest.connection, sql`select 1`)
  await guest.stop()
  await server.stop()
  assert.equal(await exists(server.connection.host ?? ''), false)
})

test('embedded: a plain user starts it too, and root after him', rootOnly, async (t) => {
  if (!(await readFile('/etc/passwd', 'utf8')).includes(`:${NOBODY.uid}:`)) return t.skip('nobody is not there')
  const { parent, dataDir, open, openElsewhere } = await makeDataDir(t, '')
  await chown(parent, NOBODY.uid, NOBODY.gid)
  const plain = await openElsewhere('serve', NOBODY)
  assert.equal(plain.refused, undefined)
  await ask(plain.connection, ...remember)
  plain.child.kill('SIGTERM')
  await once(plain.child, 'exit')
  const { connection } = await open('serve')
  assert.deepEqual(await ask(connection, recall), [{ id: 1 }])
  assert.equal((await stat(join(dataDir, 'pg', 'postmaster.pid'))).uid, NOBODY.uid)
  assert.match((await sharedDataWarning(dataDir)) ?? '', /belongs to nobody.*useradd --system rodado && chown -R/)
})

test('embedded: a user without an entry in /etc/passwd is told so', rootOnly, async (t) => {
  const stranger = { uid: 54_321, gid: 54_321 }
  const { parent, openElsewhere } = await makeDataDir(t, '')
  await chown(parent, stranger.uid, stranger.gid)
  const { refused } = await openElsewhere('serve', stranger)
  assert.match(refused ?? '', /no entry in \/etc\/passwd.*DATABASE_URL/)
  await rm(parent, { recursive: true })
})

test('embedded: as root, a user of PostgreSQL’s own is preferred, and nobody is never the owner', () => {
  const user = (name: string, uid: number) => ({ name, uid, gid: uid, foreign: true })
  const [daemon, postgres] = [user('daemon', 1), user('postgres', 101)]
  const [nobody, rodado] = [user('nobody', 65_534), user('rodado', 998)]
  assert.equal(chooseAccount([daemon, postgres, nobody, rodado]).name, 'rodado')
  assert.equal(chooseAccount([daemon, nobody, postgres]).name, 'postgres')
  const own = chooseAccount([daemon, nobody, user('taken', 60_891)])
  assert.deepEqual([own.uid, own.gid, own.initdbAs?.name], [60_892, 60_892, 'nobody'])
  assert.throws(() => chooseAccount([]), /useradd --system rodado/)
})

test('embedded: as root without such a user, the data belongs to an id that no account has', rootOnly, async (t) => {
  const { dataDir, open } = await makeDataDir(t)
  const account = chooseAccount([{ name: 'nobody', ...NOBODY, foreign: true }])
  await mkdir(dataDir, { mode: 0o700 })
  await ensureCluster(dataDir, account, await findBinaries(account))
  const { connection } = await open('serve')
  await ask(connection, ...remember)
  const files = await readdir(join(dataDir, 'pg'), { recursive: true })
  const owners = await Promise.all(files.map(async (name) => (await lstat(join(dataDir, 'pg', name))).uid))
  assert.deepEqual([...new Set(owners)], [60_891])
  assert.equal(await sharedDataWarning(dataDir), undefined)
})

test('embedded: a link in a new cluster is not given away', rootOnly, async (t) => {
  const { parent } = await makeDataDir(t)
  const [secret, folder] = [join(parent, 'secret'), join(parent, 'cluster')]
  await writeFile(secret, 'root’s own')
  await mkdir(folder)
  await link(secret, join(folder, 'planted'))
  await assert.rejects(giveTo(folder, { name: 'own', uid: 60_891, gid: 60_891, foreign: true }), /planted is a link/)
  assert.equal((await stat(secret)).uid, 0)
})

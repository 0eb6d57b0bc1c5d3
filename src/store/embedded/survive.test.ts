import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ask, type Elsewhere, makeUsedDataDir, recall, remember } from '../../../tests/support/embedded.ts'
import { until } from '../../../tests/support/until.ts'
import { openStore } from '../db.ts'

async function kill({ child }: Elsewhere): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('embedded: the server is killed; the next one takes over what runs and loses nothing', async (t) => {
  const { open, openElsewhere, isRunning } = await makeUsedDataDir(t)
  const killed = await openElsewhere('serve')
  await ask(killed.connection, ...remember)
  await kill(killed)
  const next = await open('serve')
  assert.equal(next.pid, killed.pid)
  assert.deepEqual(await ask(next.connection, recall), [{ id: 1 }])
  await next.stop()
  assert.equal(await isRunning(), false)
})

test('embedded: a PostgreSQL left with other settings is restarted with ours', async (t) => {
  const { open, openElsewhere } = await makeUsedDataDir(t)
  const killed = await openElsewhere('serve')
  await ask(killed.connection, ...remember)
  await kill(killed)
  const next = await open('serve', { max_connections: '50' })
  assert.notEqual(next.pid, killed.pid)
  assert.deepEqual(await ask(next.connection, recall), [{ id: 1 }])
})

test('embedded: server and PostgreSQL are killed; the next server repairs and loses nothing', async (t) => {
  const { open, openElsewhere } = await makeUsedDataDir(t)
  const killed = await openElsewhere('serve')
  await ask(killed.connection, ...remember)
  await kill(killed)
  process.kill(killed.pid, 'SIGKILL')
  const next = await open('serve')
  assert.deepEqual(await ask(next.connection, recall), [{ id: 1 }])
})

test('embedded: PostgreSQL is killed under the server; it comes back and the pool finds it', async (t) => {
  const { open } = await makeUsedDataDir(t)
  const server = await open('serve')
  const store = openStore({ connection: server.connection, max: 2 })
  t.after(() => store.close())
  for (const statement of remember) await store.query(statement)
  const before = Number(server.pid)
  process.kill(before, 'SIGKILL')
  await until(() => server.pid !== before)
  const isBack = () =>
    store.ping().then(
      () => true,
      () => false,
    )
  await until(isBack)
  assert.deepEqual(await store.query(recall), [{ id: 1 }])
})

test('embedded: the lock files of a crash name some other process by now; the start goes on', async (t) => {
  const { dataDir, open } = await makeUsedDataDir(t)
  await (await open('command')).stop()
  const crashed = `${process.ppid}\n${dataDir}\n1\n5432\n.\n\n`
  await writeFile(join(dataDir, 'pg', 'postmaster.pid'), crashed)
  await writeFile(join(dataDir, 'pg', '.s.PGSQL.5432.lock'), crashed)
  const { pid } = await open('serve')
  assert.ok((await readFile(join(dataDir, 'pg', 'postmaster.pid'), 'utf8')).startsWith(`${pid}\n`))
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { openReplicas, query, type Replicas } from '../../drills/replicas.ts'
import { until } from '../../tests/support/until.ts'
import { isUnavailable } from './circuit-breaker.ts'
import { openStore, type Store } from './db.ts'
import { newClient, readHosts } from './failover.ts'
import { openListener } from './listener.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const undo: (() => unknown)[] = []
let replicas: Replicas

before(async () => {
  replicas = await openReplicas((work) => undo.push(work))
})
after(async () => {
  for (const work of undo.reverse()) await work()
})

test('a standby is passed over also where the role may not read the timeline, as on managed servers', async () => {
  const { connection, url } = replicas
  const [primary, standby] = (readHosts(url)?.hosts ?? []).map(({ port }) => port)
  const store = openStore({ connection, max: 1 })
  await store.query(sql`create role plain login`)
  await store.query(sql`revoke execute on function pg_control_system() from public`)
  await store.close()
  const replicated = `select has_function_privilege('plain', 'pg_control_system()', 'execute') as may`
  await until(async () => (await query(Number(standby), 'rodado', replicated).catch(() => []))[0]?.may === false)
  const hosts = [standby, primary].map((port) => `127.0.0.1:${port}`).join()
  const plain = openStore({ connection: { connectionString: `postgres://plain@${hosts}/rodado` }, max: 1 })
  try {
    await until(async () => (await portOf(plain)) === primary)
  } finally {
    await plain.close()
  }
})

test('timeline: after a promotion pool and listener leave the former leader, which is refused though it takes writes', async () => {
  const { connection, url } = replicas
  const [former, leader] = (readHosts(url)?.hosts ?? []).map(({ port }) => port)
  const store = openStore({ connection, max: 3 })
  const listener = openListener({ connection, log })
  const heard: string[] = []
  listener.on('prueba', (payload) => heard.push(payload))
  try {
    assert.equal(await portOf(store), former)
    await until(() => Number.isFinite(listener.freshSince()))

    await replicas.promote()
    // Any new search finds the leader; another name makes it another address, which nobody has searched yet.
    const searching = newClient({ connectionString: `${url}&application_name=search` }, {})
    await searching.connect().catch(() => undefined)
    await until(async () => (await portOf(store)) === leader)
    await until(async () => {
      await store.query(sql`select pg_notify('prueba', 'x')`)
      return heard.length > 0
    })
    await searching.end()

    const alone = newClient({ connectionString: `postgres://rodado@127.0.0.1:${former}/rodado` }, {})
    await assert.rejects(alone.connect(), (error: Error) => {
      assert.match(error.message, /former leader: it is on timeline 1, and 2 was seen/)
      return isUnavailable(error)
    })
  } finally {
    await listener.close()
    await store.close()
  }
})

const portOf = (store: Store): Promise<number | undefined> =>
  store.query<{ port: number }>(sql`select inet_server_port() as port`).then(
    ([row]) => row?.port,
    () => undefined,
  )

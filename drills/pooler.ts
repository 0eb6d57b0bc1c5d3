// npm run drill:pooler [-- --rounds 10]
// Two servers and two workers behind a real PgBouncer in transaction mode, under load: it is killed again and again, apps are
// disabled, commands migrate and list. Nothing acknowledged may be lost, and a disabled app is refused within a second.
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { createApp, disableApp } from '../src/apps/store.ts'
import { callerFor } from '../tests/support/caller.ts'
import { openDatabaseProxy } from '../tests/support/database-proxy.ts'
import {
  findPgBouncer,
  missingPgBouncer,
  type PgBouncer,
  type PgBouncerProgram,
  startPgBouncer,
} from '../tests/support/pgbouncer.ts'
import type { Defer } from './cleanup.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { type Cluster, type Instance, startCluster } from './instances.ts'
import { startLoad } from './load.ts'
import { POOLER } from './pooler/verdict.ts'
import { runCommand } from './program.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))
const POOL_SIZE = 10 // of the pooler
const PG_POOL = 20 // of each of four nodes
const NODES = 4
const MANY = 60 // acknowledged requests that show that a node serves again
const SERVED_MS = 30_000
const POLL_MS = 10
const MEASURED_MS = 3_000
const CALLERS = 4

await drill({ rounds: { standard: 10 } }, async ({ say, defer, number }) => {
  const program = findPgBouncer('supported')
  if (!program) {
    say(`SKIPPED: ${missingPgBouncer('supported')}.`)
    return 'skipped'
  }
  const { connection } = await openDatabase(defer)
  // The socket of the embedded PostgreSQL admits only its own users. All nodes go through the relay, so they compare.
  const relay = await openDatabaseProxy(connection)
  defer(() => relay.close())
  const { user = '', database = '', port = 0 } = relay.connection
  const direct = `postgres://${user}@127.0.0.1:${port}/${database}`
  const start = async (started: PgBouncerProgram, settings: Record<string, number>) => {
    const target = { host: '127.0.0.1', port, user, database }
    const starting = startPgBouncer({
      ...target,
      program: started,
      settings: { default_pool_size: POOL_SIZE, ...settings },
    })
    defer(async () => (await starting.catch(() => undefined))?.stop())
    return starting
  }
  const pooler = await start(program, { max_prepared_statements: 200 })
  say(`PgBouncer ${program.version}, ${POOL_SIZE} connections, in front of ${NODES} nodes of ${PG_POOL} …`)
  const cluster = await startCluster(defer, {
    database: { connection, url: pooler.url },
    role: 'all',
    workers: NODES - 2,
    env: { DATABASE_DIRECT_URL: direct, PG_POOL: String(PG_POOL) },
  })
  const blind = await cluster.open('without DATABASE_DIRECT_URL', { ROLE: 'api', DATABASE_DIRECT_URL: '' })
  const plain = await cluster.open('without a pooler', { ROLE: 'api', DATABASE_URL: direct })
  say('comparing what it costs …')
  const ways = { 'without a pooler': plain, 'with it': cluster.server, 'with it, without DATABASE_DIRECT_URL': blind }
  const costs: [string, string][] = []
  for (const [name, node] of Object.entries(ways)) costs.push([`  ${name}`, await measure(node, cluster)])
  await plain.stop()

  const receiver = await openReceiver()
  defer(() => receiver.close())
  const { tally, ...load } = await startLoad(cluster, receiver.url)
  const old = findPgBouncer('too old')
  const tooOld = old ? await startBehind(defer, await start(old, {}), cluster) : 'missing'
  let idle = 0
  let connections = 0
  let hiddenMs = 0
  let hiddenWithoutDirectMs = 0
  let slowestCommandMs: number | undefined = 0
  for (let round = 1; round <= number('rounds'); round++) {
    const acknowledged = tally.acknowledged.size
    await pooler.restart()
    const deadline = performance.now() + SERVED_MS
    while (tally.acknowledged.size <= acknowledged + MANY && performance.now() < deadline) await pause(POLL_MS)
    if (tally.acknowledged.size <= acknowledged) idle++
    hiddenMs = Math.max(hiddenMs, await timeUntilHidden(cluster, cluster.server))
    hiddenWithoutDirectMs = Math.max(hiddenWithoutDirectMs, await timeUntilHidden(cluster, blind))
    for (const args of [['migrate'], ['app', 'list']]) {
      const took = await timeOf(defer, args, cluster, pooler)
      slowestCommandMs =
        took === undefined || slowestCommandMs === undefined ? undefined : Math.max(took, slowestCommandMs)
    }
    connections = Math.max(connections, await countConnections(cluster))
    say(`${round}: ${tally.acknowledged.size} acknowledged, ${tally.announced} refused …`)
  }
  await load.stop()

  const injected = { faults: number('rounds'), crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, injected)
  const locks = await cluster.store.query(sql`
    select from pg_locks l join pg_database d on d.oid = l.database
    where locktype = 'advisory' and d.datname = current_database()`)
  const seen = {
    restarts: number('rounds'),
    idle,
    hiddenMs,
    hiddenWithoutDirectMs,
    slowestCommandMs,
    tooOld,
    locksLeft: locks.length,
    connections,
    poolsTogether: NODES * PG_POOL,
  }
  return {
    rows: [
      ['PgBouncer', program.version],
      ['a catalogue entry / a list of the database, requests a second'],
      ...costs,
      ['connections of PostgreSQL, at most', connections],
      ['  without the pooler, up to', NODES * (PG_POOL + 3)],
      ['times that the pooler was killed', number('rounds')],
      ['a disabled app was refused after, ms', hiddenMs.toFixed(0)],
      ['  without DATABASE_DIRECT_URL', hiddenWithoutDirectMs.toFixed(0)],
      ['slowest of migrate and app list, ms', slowestCommandMs?.toFixed(0) ?? 'failed'],
      ['a pooler before 1.21', tooOld === 'missing' ? 'not at hand' : tooOld === 'accepted' ? tooOld : 'refused'],
      ...rows,
    ],
    failed: [...violationsOf(POOLER, seen), ...failed],
    held: 'Behind the pooler nothing was lost, and a disabled app was refused at once.',
    sum,
  }
})

/** Requests a second of four callers: one that needs only authentication, and one that reads the database. */
async function measure({ url }: Instance, { app }: Cluster): Promise<string> {
  const caller = callerFor(url, app.key, app.secret)
  const rate = async (path: string) => {
    let count = 0
    const began = performance.now()
    const call = async () => {
      while (performance.now() - began < MEASURED_MS) {
        const { status } = await caller.get(path)
        if (status !== 200) throw new Error(`${path}: ${status}`)
        count++
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    return ((count * 1_000) / (performance.now() - began)).toFixed(0)
  }
  return `${await rate('/v3/colores/9')} / ${await rate('/v3/agencias')}`
}

/** Disables an app and returns how long a node served it afterwards. */
async function timeUntilHidden({ store, seal }: Cluster, { url }: Instance): Promise<number> {
  const { app, secret } = await createApp(store, seal, { nombre: 'Disabled', modo: 'prueba' })
  const caller = callerFor(url, app.appKey, secret)
  const statusWithin = async (wanted: number) => {
    const deadline = performance.now() + SERVED_MS
    let served = performance.now()
    for (;;) {
      const began = performance.now()
      const { status } = await caller.get('/v3/colores/9')
      if (status === wanted) return served
      if (status === 200) served = began
      if (performance.now() > deadline) return Number.POSITIVE_INFINITY
      await pause(POLL_MS)
    }
  }
  await statusWithin(200)
  await disableApp(store, app.appKey, true)
  const disabled = performance.now()
  return Math.max(0, (await statusWithin(401)) - disabled)
}

/** How long a command took behind the pooler; undefined if it failed. */
async function timeOf(defer: Defer, args: string[], { masterKey }: Cluster, { url }: PgBouncer) {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, MASTER_KEY: masterKey }
  const began = performance.now()
  const ended = await runCommand(defer, process.execPath, [RODADO, ...args], { env })
  if (ended.with !== 0) process.stderr.write(ended.stderr)
  return ended.with === 0 ? performance.now() - began : undefined
}

/** Those that the pooler has, without what goes past it. */
async function countConnections({ store }: Cluster): Promise<number> {
  const [row] = await store.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
  return row?.count ?? 0
}

/** What a server says at its start behind a pooler that it refuses. */
async function startBehind(defer: Defer, { url }: PgBouncer, { masterKey }: Cluster): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, MASTER_KEY: masterKey, PORT: '0' }
  const ended = await runCommand(defer, process.execPath, [RODADO, 'serve'], { env })
  return ended.with === 0 ? 'accepted' : ended.stderr
}

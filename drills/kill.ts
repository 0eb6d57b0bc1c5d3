// npm run drill:kill [-- --rounds 100]
// Kills a server, a worker or the database again and again, while the servers receive inquiries and deliver them to a
// receiver that sometimes fails: no inquiry may be lost, and other processes must take over what a killed one was delivering.
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import { send } from '../tests/support/caller.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { openMarketplace } from './flood/marketplace.ts'
import { type Instance, startCluster } from './instances.ts'
import { KILL } from './kill/verdict.ts'
import { sendLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { eventsOf, reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const MAX_PAUSE_MS = 1_500
const FAILURE_RATE = 0.05
/** The deliveries of a killed worker are taken over within a minute. */
const LOAD_MS = 90_000
const POLL_MS = 5
const LEASE = sql`interval '45 seconds'` // src/outbox/worker.ts

// At least one kill each: two servers, a worker, the database.
await drill({ rounds: { standard: 100, from: 4 } }, async ({ say, defer, number }) => {
  const rounds = number('rounds')
  const database = await openDatabase(defer)
  const cluster = await startCluster(defer, { database, role: 'all', workers: 1 })
  const { store, server } = cluster
  const servers = [server, await cluster.open('server 2', { ROLE: 'all' })]
  const receiver = await openReceiver(FAILURE_RATE)
  defer(() => receiver.close())
  const market = await openMarketplace(cluster, receiver.url)

  const victims: Pick<Instance, 'name' | 'kill'>[] = [
    ...servers,
    ...cluster.workers,
    { name: 'database', kill: () => database.kill(store) },
  ]

  const sids = new Set<string>()
  const { tally, ...load } = sendLoad((next) => {
    const { url } = servers[next % servers.length] ?? server
    const { path, ...consulta } = market.sendConsulta(next)
    const acknowledge = ({ headers }: { headers: Record<string, string> }) =>
      void sids.add(headers.location?.split('/').at(-1) ?? '')
    return { calling: send(url, path, consulta), success: 201, acknowledge }
  })
  const killed = new Map<string, number>(victims.map(({ name }) => [name, 0]))
  const leased = new Set<string>()
  let idle = 0
  for (let round = 1; round <= rounds; round++) {
    const [acknowledged, received] = [sids.size, receiver.times.size]
    const isLoaded = () => tally.waiting > 0 && sids.size > acknowledged && receiver.times.size > received
    await pause(Math.random() * MAX_PAUSE_MS)
    const victim = round <= victims.length ? victims[round - 1] : anyOf(victims)
    if (!victim) throw new Error('There is nothing to kill.')
    const deadline = performance.now() + LOAD_MS
    while (!isLoaded() && performance.now() < deadline) await pause(POLL_MS)
    if (!isLoaded()) idle++
    await victim.kill()
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1)
    for (const id of await leasedAtInsert(store)) leased.add(id)
    say(`${String(round).padStart(4)}  ${victim.name.padEnd(8)}  received so far: ${receiver.times.size}`)
  }
  await load.stop()
  say('waiting for the leases of killed processes …')
  const faults = [...killed.values()].reduce((sum, times) => sum + times, 0)
  const done = { faults, crashes: cluster.crashes(), canBreak: true }
  tally.acknowledged = await eventsOf(store, sids)
  const { rows, failed, sum } = await reconcile(store, tally, receiver, done)
  const takenOver = await countTakenOver(store, leased)
  const seen = { killed, idle, takenOver, received: receiver.times.size, refused: receiver.refused() }
  const kills = [...killed].map(([name, times]): [string, number] => [`kill -9 of ${name}`, times])
  return {
    rows: [
      ...kills,
      ['  of them without load', idle],
      ...rows,
      ['inserted with a lease, and taken over when it ended', takenOver],
    ],
    failed: [...violationsOf(KILL, seen), ...failed],
    held: 'Nothing was lost.',
    sum,
  }
})

/** The pending deliveries that still have the lease they were inserted with: after a kill, also those of the killed server. */
async function leasedAtInsert(store: Store): Promise<string[]> {
  const rows = await store.query<{ id: string }>(sql`
    select id from deliveries where estado = 'pendiente' and leased_until = created_at + ${LEASE}`)
  return rows.map(({ id }) => id)
}

/** How many of them were delivered after that lease. */
async function countTakenOver(store: Store, ids: ReadonlySet<string>): Promise<number> {
  const [row] = await store.query<{ count: number }>(sql`
    select count(*) from deliveries
    where id = any (${[...ids]}::text[]) and estado = 'entregada' and settled_at >= created_at + ${LEASE}`)
  return row?.count ?? Number.NaN
}

function anyOf<T>(all: T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)]
}

// npm run drill:kill [-- --rounds 100]
// Kills the server, a worker or the database again and again, while events are created and delivered to a receiver that
// sometimes fails: no event may be lost.
import { setTimeout as pause } from 'node:timers/promises'
import { type Instance, startCluster } from './cluster.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { KILL } from './kill/verdict.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const LONGEST_PAUSE_MS = 1_500
const FAILURE_RATE = 0.05
/** The deliveries of a killed worker are taken over within a minute. */
const LOAD_MS = 90_000
const POLL_MS = 5

// At least one kill each: server, two workers, database.
await drill({ rounds: { standard: 100, from: 4 } }, async ({ say, defer, number }) => {
  const rounds = number('rounds')
  const database = await openDatabase(defer)
  const cluster = await startCluster(defer, { database })
  const receiver = await openReceiver(FAILURE_RATE)
  defer(() => receiver.close())

  const victims: Pick<Instance, 'name' | 'kill'>[] = [
    ...[cluster.server, ...cluster.workers],
    { name: 'database', kill: () => database.kill(cluster.store) },
  ]

  const { tally, ...load } = await startLoad(cluster, receiver.url)
  const killed = new Map<string, number>(victims.map(({ name }) => [name, 0]))
  let idle = 0
  for (let round = 1; round <= rounds; round++) {
    const [acknowledged, received] = [tally.acknowledged.size, receiver.times.size]
    const isLoaded = () => tally.waiting > 0 && tally.acknowledged.size > acknowledged && receiver.times.size > received
    await pause(Math.random() * LONGEST_PAUSE_MS)
    const victim = round <= victims.length ? victims[round - 1] : anyOf(victims)
    if (!victim) throw new Error('There is nothing to kill.')
    const deadline = performance.now() + LOAD_MS
    while (!isLoaded() && performance.now() < deadline) await pause(POLL_MS)
    if (!isLoaded()) idle++
    await victim.kill()
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1)
    say(`${String(round).padStart(4)}  ${victim.name.padEnd(8)}  received so far: ${receiver.times.size}`)
  }
  await load.stop()
  say('waiting for the leases of killed workers …')
  const faults = [...killed.values()].reduce((sum, times) => sum + times, 0)
  const done = { faults, crashes: cluster.crashes(), canBreak: true }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  const seen = { killed, idle, received: receiver.times.size, refused: receiver.refused() }
  const kills = [...killed].map(([name, times]): [string, number] => [`kill -9 of ${name}`, times])
  return {
    rows: [...kills, ['  of them without load', idle], ...rows],
    failed: [...violationsOf(KILL, seen), ...failed],
    held: 'Nothing was lost.',
    sum,
  }
})

function anyOf<T>(all: T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)]
}

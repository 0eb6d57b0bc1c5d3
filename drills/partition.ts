// npm run drill:partition [-- --seconds 30]
// The network to the database drops all packets for a while: requests get 503 quickly, none pile up, and everything catches up
// afterwards.
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabaseProxy } from '../tests/support/database-proxy.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { startCluster } from './instances.ts'
import { startLoad, type Tally } from './load.ts'
import { NOTICED_MS, PARTITION, type Partition } from './partition/verdict.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const PER_SECOND = 50
const EMAIL_EVERY = 25
const BEFORE_MS = 5_000
const AFTER_MS = 5_000
const POLL_MS = 20
const RECOVERY_MS = 30_000

await drill({ seconds: { standard: 30, from: 12 } }, async ({ say, defer, number }) => {
  const database = await openDatabase(defer)
  const proxy = await openDatabaseProxy(database.connection)
  defer(() => proxy.close())
  const { user, database: name, port } = proxy.connection
  const url = `postgres://${user}@127.0.0.1:${port}/${name}`
  const cluster = await startCluster(defer, { database: { ...database, url } })
  defer(() => proxy.restore())
  const receiver = await openReceiver()
  defer(() => receiver.close())

  const load = await startLoad(cluster, receiver.url, { perSecond: PER_SECOND, emailEvery: EMAIL_EVERY })
  await pause(BEFORE_MS)
  const before = load.tally.acknowledged.size
  say(`${before} events were acknowledged; now the database is unreachable for ${number('seconds')} s …`)
  const cut = performance.now()
  proxy.stall()
  await pause(number('seconds') * 1_000)
  const mended = performance.now()
  proxy.restore()
  say('the network is back …')
  const recovered = await firstSuccess(load.tally, mended)
  await pause(AFTER_MS)
  await load.stop()

  const during = load.tally.answers.filter(({ at, ms }) => at > cut && at - ms < mended)
  const refused = during.filter(({ status }) => status === 503).length
  // The partition counts as a fault if it caused a refusal.
  const done = { faults: refused > 0 ? 1 : 0, crashes: cluster.crashes(), emails: true }
  const { rows, failed, sum } = await reconcile(cluster.store, load.tally, receiver, done)
  const longest = Math.max(0, ...during.map(({ ms }) => ms))
  const late = during.filter(({ at, ms }) => at - cut > NOTICED_MS && at - ms - cut > NOTICED_MS)
  const latest = Math.max(0, ...late.map(({ ms }) => ms))
  // A request sent just before the network returned may succeed.
  const others = during.filter(
    ({ status, at, ms }) => status !== 503 && at - ms > cut && !(status === 202 && at > mended),
  ).length
  const seen: Partition = {
    before,
    refused,
    others,
    longestMs: longest,
    known: late.length,
    longestKnownMs: latest,
    mostWaiting: load.tally.mostWaiting,
    comeUntilNoticed: (PER_SECOND * NOTICED_MS) / 1_000,
    recoveredMs: recovered,
  }
  return {
    rows: [
      ['without a database, s', number('seconds')],
      ['acknowledged before', before],
      ['refused during the partition', refused],
      ['longest answer during the partition, ms', longest.toFixed(0)],
      [`longest refusal after ${NOTICED_MS / 1000} s, ms`, latest.toFixed(0)],
      ['most requests waiting at once', load.tally.mostWaiting],
      ['served again after, ms', recovered?.toFixed(0) ?? 'never'],
      ...rows,
    ],
    failed: [...violationsOf(PARTITION, seen), ...failed],
    held: 'Refused clearly, nothing piled up, nothing was lost.',
    sum,
  }
})

/** The time until the first success after that moment. */
async function firstSuccess({ answers }: Tally, since: number): Promise<number | undefined> {
  while (performance.now() - since < RECOVERY_MS) {
    const found = answers.find(({ at, status }) => at > since && status === 202)
    if (found) return found.at - since
    await pause(POLL_MS)
  }
  return undefined
}

// npm run drill:failover [-- --seconds 10]
// Two PostgreSQL servers with synchronous replication, under load: the standby stops receiving, then the primary is killed and
// the standby promoted. No acknowledged request may be lost, and the instances find the new primary by themselves.
import { setTimeout as pause } from 'node:timers/promises'
import { drill } from './drill.ts'
import { FAILOVER } from './failover/verdict.ts'
import { startCluster } from './instances.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { openReplicas } from './replicas.ts'
import { violationsOf } from './rules.ts'

/** Far longer than a request takes: one that is in flight for half of it waits for the standby. */
const HELD_MS = 1_000
/** The time until the failure is detected. */
const NOTICED_MS = 1_000
const POLL_MS = 10
const RECOVERY_MS = 60_000

await drill({ seconds: { standard: 10 } }, async ({ say, defer, number }) => {
  const replicas = await openReplicas(defer)
  const cluster = await startCluster(defer, { database: replicas })
  const receiver = await openReceiver()
  defer(() => receiver.close())

  const { tally, ...load } = await startLoad(cluster, receiver.url)
  await pause(number('seconds') * 1_000)
  await replicas.holdStandby()
  say('the standby receives nothing …')
  await pause(HELD_MS)
  const before = tally.acknowledged.size
  const killed = performance.now()
  await replicas.killPrimary()
  say(`${before} events were acknowledged; the primary is gone …`)
  await pause(NOTICED_MS)
  const promoting = performance.now()
  await replicas.promote()
  const promoted = performance.now()
  say('the standby is promoted …')
  const firstSuccess = () => tally.answers.find(({ at, status }) => at > promoting && status === 202)
  while (!firstSuccess() && performance.now() - promoted < RECOVERY_MS) await pause(POLL_MS)
  const served = firstSuccess()?.at
  await pause(number('seconds') * 1_000)
  await load.stop()

  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, {
    faults: 1,
    crashes: cluster.crashes(),
  })
  const after = tally.acknowledged.size - before
  const until = served ?? Number.POSITIVE_INFINITY
  const refused = tally.answers.filter(({ at, status }) => at > killed && at < until && status !== 202).length
  const waited = tally.answers.filter(({ at, ms }) => at > killed && at - ms < killed - HELD_MS / 2).length
  const servedAfterMs = served === undefined ? undefined : served - killed
  const since = (moment: number) => (served === undefined ? 'never' : (served - moment).toFixed(0))
  return {
    rows: [
      ['waited for the standby until the kill', waited],
      ['acknowledged before the kill', before],
      ['acknowledged after it', after],
      ['refused or unanswered until served again', refused],
      ['promotion took, ms', (promoted - promoting).toFixed(0)],
      ['served again after the kill, ms', since(killed)],
      ['served again after the promotion, ms', since(promoted)],
      ...rows,
    ],
    failed: [...violationsOf(FAILOVER, { waited, before, after, refused, servedAfterMs }), ...failed],
    held: 'No acknowledged request was lost.',
    sum,
  }
})

// npm run drill:backup [-- --seconds 5]
// Takes a backup under load and restores it into an empty database: everything acknowledged before is there, nothing is
// incomplete, and nothing is there that never existed.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { openStore } from '../src/store/db.ts'
import { BACKUP, type Copied } from './backup/verdict.ts'
import { makeTempDir } from './cleanup.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { startCluster } from './instances.ts'
import { startLoad } from './load.ts'
import { runNode } from './program.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

/** For the first events and invitations on a busy machine. */
const TIMEOUT_MS = 30_000
const POLL_MS = 20
const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))

await drill({ seconds: { standard: 5 } }, async ({ say, defer, number }) => {
  const folder = makeTempDir(defer, 'backup')
  const [first, second] = [await openDatabase(defer), await openDatabase(defer)]
  const cluster = await startCluster(defer, { database: first })
  const receiver = await openReceiver()
  defer(() => receiver.close())
  const rodado = async (url: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, MASTER_KEY: cluster.masterKey }
    const printed = await runNode(defer, [RODADO, ...args, '--json'], env)
    return JSON.parse(printed) as { bytes: number; rows: number; seconds: number }
  }

  const load = await startLoad(cluster, receiver.url, { perSecond: 100, emailEvery: 10 })
  await pause(number('seconds') * 1_000)
  const { acknowledged, invited: invitations } = load.tally
  const deadline = performance.now() + TIMEOUT_MS
  while ((acknowledged.size === 0 || invitations.size === 0) && performance.now() < deadline) await pause(POLL_MS)
  const before = new Set(load.tally.acknowledged)
  const invitedBefore = [...load.tally.invited]
  const file = join(folder, 'drill.backup')
  say(`${before.size} events were acknowledged; backing up under load …`)
  const began = performance.now()
  const made = await rodado(first.url, 'backup', file)
  const ended = performance.now()
  await pause(number('seconds') * 1_000)
  await load.stop()
  const meanwhile = load.tally.answers.filter(({ at, status }) => at > began && at < ended && status === 202).length
  const done = { faults: 0, crashes: cluster.crashes(), emails: true }
  const { rows, failed, sum } = await reconcile(cluster.store, load.tally, receiver, done)
  say('restoring into an empty database …')
  const restored = await rodado(second.url, 'restore', file)

  const copy = openStore({ connection: second.connection, max: 1 })
  defer(() => copy.close())
  const events = await copy.query<{ id: string }>(sql`select id from events`)
  const [halves] = await copy.query<{ count: number }>(sql`
    select ((select count(*) from deliveries d where not exists (select from events e where e.id = d.id))
      + (select count(*) from events e where not exists (select from deliveries d where d.id = e.id))
      + (select count(*) from invitaciones i where not exists (select from mails m where m.invitacion_id = i.id))
      )::int as count`)
  const mails = await copy.query<{ mail: string }>(sql`select admin_mail as mail from invitaciones`)
  const there = new Set(events.map(({ id }) => id))
  const invited = new Set(mails.map(({ mail }) => mail))
  const missing =
    [...before].filter((id) => !there.has(id)).length + invitedBefore.filter((mail) => !invited.has(mail)).length
  const invented = [...there].filter((id) => !receiver.times.has(id)).length
  const copied: Copied = {
    events: before.size,
    invitations: invitedBefore.length,
    meanwhile,
    missing,
    invented,
    halves: halves?.count ?? Number.NaN,
    saved: made.rows,
    restored: restored.rows,
  }
  return {
    rows: [
      ['events / invitations acknowledged before the backup', `${before.size} / ${invitedBefore.length}`],
      ['acknowledged during the backup', meanwhile],
      ['rows saved / restored', `${made.rows} / ${restored.rows}`],
      ['events in the backup', there.size],
      ['size, KiB', Math.round(made.bytes / 1024)],
      ['backup / restore took, s', `${made.seconds.toFixed(1)} / ${restored.seconds.toFixed(1)}`],
      ['acknowledged before and missing', missing],
      ['incomplete', copied.halves],
      ...rows,
    ],
    failed: [...violationsOf(BACKUP, copied), ...failed],
    held: 'The backup is consistent and complete.',
    sum: { ...sum, lost: sum.lost + missing },
  }
})

// npm run drill:upgrade [-- --seconds 10] (FROM=commit names another one than the oldest that is promised)
// A node of an earlier version serves a market; a new one comes beside it and migrates under it; both serve, the old one
// delivers for both; the old one leaves. Nothing may be lost or changed, and nobody may meet a fault.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openStore, type Store } from '../src/store/db.ts'
import { visitor } from '../tests/support/people.ts'
import { makeTempDir } from './cleanup.ts'
import { crashesOf, startInstance } from './cluster.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { changedSince, miscounted, rowsOf, takeFingerprint } from './fingerprint.ts'
import { buildCommit, namedCommit, oldestCommit } from './previous-version.ts'
import { runNode } from './program.ts'
import { readBack, retold, untold } from './read-back.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'
import { UPGRADE, type Upgrade } from './upgrade/verdict.ts'
import { type Market, mergeTallies, startWorkload } from './workload.ts'

/** Room for all that the trade publishes. */
const PACKAGE = ['--nombre', 'Drill', '--hasta', '2099-12-31', '--baja', '100000', '--consultas-de-catalogo']
const ASKED_AGAIN = 20
const POLL_MS = 50
const TIMEOUT_MS = 30_000

await drill({ seconds: { standard: 10 } }, async ({ say, defer, number }) => {
  const asked = process.env.FROM ? namedCommit(process.env.FROM) : oldestCommit()
  if ('why' in asked) {
    say(`SKIPPED: no earlier version can be taken from here: ${asked.why}.`)
    return 'skipped'
  }
  say(`building ${asked.commit} …`)
  const { program, known, added } = await buildCommit(asked.commit, makeTempDir(defer, 'upgrade'), defer)
  say(`it knows ${known} migrations; ${added.join(', ') || 'none'} will be run under it …`)

  const database = await openDatabase(defer)
  const env = {
    ...{ PATH: process.env.PATH ?? '', NODE_ENV: 'production', DATABASE_URL: database.url, LOG_LEVEL: 'fatal' },
    ...{ MASTER_KEY: randomBytes(32).toString('hex'), ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' },
    ...{ RATE_PER_SECOND: '1000000', RATE_BURST: '10000000', INVITES_PER_DAY: '1000000' },
    PUBLIC_URL: 'http://rodado.example',
  }
  const earlier = (...args: string[]): Promise<string> => runNode(defer, [program, ...args], env)
  const market: Market = JSON.parse(await earlier('demo', '--json'))
  await earlier('paquete', 'set', market.Agencias[0] ?? '', ...PACKAGE)
  const store = openStore({ connection: database.connection, max: 2 })
  defer(() => store.close())
  const before = await takeFingerprint(store)
  const migrationsBefore = await migrationsIn(store)
  const told = new Set((await store.query<{ id: string }>(sql`select id from events`)).map(({ id }) => id))

  const old = await startInstance(defer, 'old', env, { path: program })
  const receiver = await openReceiver()
  defer(() => receiver.close())
  const past = await readBack(old.url, market)
  const person = await visitor(old).enter(market.Cuenta.email, market.Cuenta.password)
  const here = await startWorkload(old.url, market, receiver.url, 'old')
  await pause(number('seconds') * 1_000)

  say(`${rowsOf(before)} rows are remembered; the new node comes, and migrates …`)
  const began = performance.now()
  // It answers and does not deliver yet: whatever is delivered is the old one's work.
  const next = await startInstance(defer, 'new', { ...env, ROLE: 'api' })
  const ready = performance.now()
  const ran = (await migrationsIn(store)).filter((name) => !migrationsBefore.includes(name))
  const there = await startWorkload(next.url, market, receiver.url, 'new')
  const migrated = receiver.times.size
  await pause(number('seconds') * 1_000)
  const received = (ids: Iterable<string>) => [...ids].filter((id) => receiver.times.has(id)).length
  await until(() => received(there.tally.acknowledged) > 0)
  const [byOld, forNew] = [receiver.times.size - migrated, received(there.tally.acknowledged)]
  const readAgain = async (url: string) => retold(past.told, (await readBack(url, market)).told)
  const toldOtherwise = { old: await readAgain(old.url), new: await readAgain(next.url) }
  const session = {
    old: (await person.get('/cuenta')).status,
    new: (await visitor(next, person.cookie()).get('/cuenta')).status,
  }
  await visitor(next).enter(market.Cuenta.email, market.Cuenta.password)
  const ofOld = await Promise.all(here.inquiries.slice(-ASKED_AGAIN).map(there.isKnown))
  const ofNew = await Promise.all(there.inquiries.slice(-ASKED_AGAIN).map(here.isKnown))
  const recognised = [...ofOld, ...ofNew].filter(Boolean).length

  say('a worker of the new version comes, and the old node leaves …')
  const worker = await startInstance(defer, 'new worker', { ...env, ROLE: 'worker' })
  await here.stop()
  await old.stop()
  const left = receiver.times.size
  await pause(number('seconds') * 1_000)
  await there.stop()

  // Each migration is something that is done to the node that serves, and so is that it has to leave.
  const doneToIt = { faults: ran.length + 1, crashes: crashesOf([old, next, worker]), earlier: told, emails: true }
  const { rows, failed, sum } = await reconcile(store, mergeTallies([here, there]), receiver, doneToIt)
  const unheardOf = await unheard(store, [...here.inquiries, ...there.inquiries], receiver.times)
  const changed = await changedSince(store, before)
  const changedRows = changed.reduce((sum, { rows }) => sum + rows, 0)
  const wrong = await miscounted(store)
  const beside = here.tally.answers.filter(({ at }) => at > ready).length
  const meanwhile = here.tally.answers.filter(({ at, ms }) => at > began && at - ms < ready)
  const byNew = receiver.times.size - left
  const seen: Upgrade = {
    ...{ added, ran, rows: rowsOf(before), unread: untold(past, market.Agencias.length), changed },
    ...{ retold: toldOtherwise, session, sentAgain: { old: ofOld.length, new: ofNew.length }, recognised },
    ...{ acts: { old: here.done, new: there.done }, meanwhile: meanwhile.length, beside, byOld, forNew, byNew },
    ...{ refused: sum.announced, unheard: unheardOf, miscounted: wrong.inquiries + wrong.listings },
  }
  return {
    rows: [
      ['from', asked.commit],
      ['migrations run under the old node', ran.length],
      ['rows of before', rowsOf(before)],
      ['  of them gone or changed', changedRows],
      ['answers of before, read again from both', past.told.size * 2],
      ['  with agencies / listings / inquiries', `${past.agencias} / ${past.publicaciones} / ${past.consultas}`],
      ['the new node was ready after, s', ((ready - began) / 1_000).toFixed(1)],
      ['longest answer of the old meanwhile, ms', Math.max(0, ...meanwhile.map(({ ms }) => ms)).toFixed(0)],
      ['answered by the old node beside the new', beside],
      ['answered by the new node', there.tally.answers.length],
      ['inquiries taken by the old / by the new', `${here.inquiries.length} / ${there.inquiries.length}`],
      ['  of them not told to the app', unheardOf],
      ['  sent again to the other node / known there', `${ofOld.length + ofNew.length} / ${recognised}`],
      ['delivered by the old after the migration', byOld],
      ['delivered by the new after the old left', byNew],
      ['agencies whose counts are wrong', seen.miscounted],
      ['a session of the old node, at the new', session.new === 200 ? 'holds' : `is asked to sign in (${session.new})`],
      ...rows,
    ],
    failed: [...violationsOf(UPGRADE, seen), ...failed],
    held: 'Nobody noticed.',
    sum: { ...sum, lost: sum.lost + unheardOf + changedRows },
  }
})

/** The names of those that were run on it. */
async function migrationsIn(store: Store): Promise<string[]> {
  return (await store.query<{ name: string }>(sql`select name from migrations order by id`)).map(({ name }) => name)
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!holds() && performance.now() < deadline) await pause(POLL_MS) // the table tells what is missing
}

/** How many of those inquiries are not kept, or have no event that was received. */
async function unheard(store: Store, inquiries: { sid: string }[], received: Map<string, number>): Promise<number> {
  const events = await store.query<{ sid: string; id: string }>(sql`
    select c.sid, e.id from consultas c join events e on e.sid = c.sid where e.topic = 'consulta.recibida'`)
  const heard = new Set(events.filter(({ id }) => received.has(id)).map(({ sid }) => sid))
  return inquiries.filter(({ sid }) => !heard.has(sid)).length
}

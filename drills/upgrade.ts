// npm run drill:upgrade [-- --seconds 10] (FROM=commit names another one than the oldest that is promised)
// A node of an earlier version serves a market; a new one comes beside it and migrates under it; both serve, the old one
// delivers for both; the old one leaves. Nothing may be lost or changed, and nobody may meet a fault.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openStore, type Store } from '../src/store/db.ts'
import { visitor } from '../tests/support/people.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { checkOut, namedCommit, oldestCommit } from './earlier.ts'
import { fallenOf, openRoom } from './house.ts'
import { changedSince, miscounted, rowsOf, takeImprint } from './imprint.ts'
import { readBack, retold, untold } from './read-back.ts'
import { openReceiver } from './receiver.ts'
import { reckon } from './reckoning.ts'
import { type Market, startTrade, together } from './trade.ts'

/** Room for all that the trade publishes. */
const PACKAGE = ['--nombre', 'Drill', '--hasta', '2099-12-31', '--baja', '100000', '--consultas-de-catalogo']
const ASKED_AGAIN = 20
const POLL_MS = 50
const PATIENCE_MS = 30_000

await drill({ seconds: { standard: 10 } }, async ({ say, atEnd, number }) => {
  const asked = process.env.FROM ? namedCommit(process.env.FROM) : oldestCommit()
  if ('why' in asked) {
    say(`SKIPPED: no earlier version can be taken from here: ${asked.why}.`)
    return 'skipped'
  }
  const folder = await mkdtemp(join(tmpdir(), 'rodado-upgrade-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  say(`building ${asked.commit} …`)
  const { program, known, added } = await checkOut(asked.commit, folder)
  say(`it knows ${known} migrations; ${added.join(', ') || 'none'} will be run under it …`)

  const database = await openDatabase()
  atEnd(() => database.stop())
  const env = {
    ...{ PATH: process.env.PATH ?? '', NODE_ENV: 'production', DATABASE_URL: database.url, LOG_LEVEL: 'fatal' },
    ...{ MASTER_KEY: randomBytes(32).toString('hex'), ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' },
    ...{ RATE_PER_SECOND: '1000000', RATE_BURST: '10000000', INVITES_PER_DAY: '1000000' },
    PUBLIC_URL: 'http://rodado.example',
  }
  const earlier = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
  const market: Market = JSON.parse(earlier('demo', '--json'))
  earlier('paquete', 'set', market.Agencias[0] ?? '', ...PACKAGE)
  const store = openStore({ connection: database.connection, max: 2 })
  atEnd(() => store.close())
  const before = await takeImprint(store)
  if (rowsOf(before) === 0) throw new Error('There is nothing that could be lost.')
  const migrationsBefore = await migrationsIn(store)
  const told = new Set((await store.query<{ id: string }>(sql`select id from events`)).map(({ id }) => id))

  const old = await openRoom('old', env, { path: program })
  atEnd(() => old.stop())
  const receiver = await openReceiver()
  atEnd(() => receiver.close())
  const failed: string[] = []
  const past = await readBack(old.url, market)
  for (const each of untold(past, market.Agencias.length)) failed.push(`nothing of the past was read: ${each}`)
  const person = await visitor(old).enter(market.Cuenta.email, market.Cuenta.password)
  const here = await startTrade(old.url, market, receiver.url, 'old')
  await pause(number('seconds') * 1_000)

  say(`${rowsOf(before)} rows are remembered; the new node comes, and migrates …`)
  const began = performance.now()
  // It answers and does not deliver yet: whatever is delivered is the old one's work.
  const next = await openRoom('new', { ...env, ROLE: 'api' })
  atEnd(() => next.stop())
  const ready = performance.now()
  const ran = (await migrationsIn(store)).filter((name) => !migrationsBefore.includes(name))
  const there = await startTrade(next.url, market, receiver.url, 'new')
  const migrated = receiver.times.size
  await pause(number('seconds') * 1_000)
  const received = (ids: Iterable<string>) => [...ids].filter((id) => receiver.times.has(id)).length
  await until(() => received(there.tally.acknowledged) > 0)
  const [byOld, forNew] = [receiver.times.size - migrated, received(there.tally.acknowledged)]
  for (const [name, path] of [
    ['old', old.url],
    ['new', next.url],
  ] as const)
    for (const each of retold(past.told, (await readBack(path, market)).told))
      failed.push(`the ${name} node tells ${each} otherwise`)
  if ((await person.get('/cuenta')).status !== 200) failed.push('whoever had signed in is not signed in any more')
  const session = (await visitor(next, person.cookie()).get('/cuenta')).status
  if (session !== 200) failed.push('whoever had signed in at the old node is not signed in at the new one')
  await visitor(next).enter(market.Cuenta.email, market.Cuenta.password)
  const again = [here.inquiries.slice(-ASKED_AGAIN), there.inquiries.slice(-ASKED_AGAIN)] as const
  const atOther = await Promise.all([Promise.all(again[0].map(there.isKnown)), Promise.all(again[1].map(here.isKnown))])
  const recognised = atOther.flat().filter(Boolean).length
  if (atOther.some((each) => each.length === 0)) failed.push('no inquiry was sent again to the other node')
  if (recognised < atOther.flat().length) failed.push('an inquiry that one node had taken was taken again by the other')

  say('a worker of the new version comes, and the old node leaves …')
  const worker = await openRoom('new worker', { ...env, ROLE: 'worker' })
  atEnd(() => worker.stop())
  await here.stop()
  await old.stop()
  const left = receiver.times.size
  await pause(number('seconds') * 1_000)
  await there.stop()

  // Each migration is something that is done to the node that serves, and so is that it has to leave.
  const doneToIt = { faults: ran.length + 1, fallen: fallenOf([old, next, worker]), earlier: told, letters: true }
  const reckoned = await reckon(store, together([here, there]), receiver, doneToIt)
  const { sum } = reckoned
  failed.push(...reckoned.failed)
  const unheardOf = await unheard(store, [...here.inquiries, ...there.inquiries], receiver.times)
  const changed = await changedSince(store, before)
  const changedRows = changed.reduce((sum, { rows }) => sum + rows, 0)
  const wrong = await miscounted(store)
  const beside = here.tally.answers.filter(({ at }) => at > ready).length
  const meanwhile = here.tally.answers.filter(({ at, ms }) => at > began && at - ms < ready)
  const byNew = receiver.times.size - left
  if (beside === 0) failed.push('the old node served nobody beside the new one')
  for (const [name, { done }] of Object.entries({ old: here, new: there }))
    for (const [act, times] of done) if (times === 0) failed.push(`the ${name} node never let anybody ${act}`)
  if (ran.join() !== added.join()) failed.push(`${ran.length} migrations were run, and ${added.length} were to be`)
  if (meanwhile.length === 0) failed.push('nobody asked while the new node migrated')
  if (byOld === 0 || forNew === 0) failed.push('the old node delivered nothing after the migration')
  if (byNew === 0) failed.push('the new node delivered nothing')
  if (sum.announced > 0) failed.push(`${sum.announced} requests were refused`)
  if (unheardOf > 0) failed.push(`${unheardOf} inquiries were acknowledged, and nobody was told`)
  for (const { table, rows, of } of changed) failed.push(`${rows} of ${of} rows of ${table} are not as they were`)
  if (wrong.inquiries + wrong.listings > 0) failed.push(`counts are wrong: ${JSON.stringify(wrong)}`)
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
      ['  sent again to the other node / known there', `${atOther.flat().length} / ${recognised}`],
      ['delivered by the old after the migration', byOld],
      ['delivered by the new after the old left', byNew],
      ['agencies whose counts are wrong', wrong.inquiries + wrong.listings],
      ['a session of the old node, at the new', session === 200 ? 'holds' : `is asked to sign in (${session})`],
      ...reckoned.rows,
    ],
    failed,
    held: 'Nobody noticed.',
    sum: { ...sum, lost: sum.lost + unheardOf + changedRows },
  }
})

/** The names of those that were run on it. */
async function migrationsIn(store: Store): Promise<string[]> {
  return (await store.query<{ name: string }>(sql`select name from migrations order by id`)).map(({ name }) => name)
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!holds() && performance.now() < deadline) await pause(POLL_MS) // the table tells what is missing
}

/** How many of those inquiries are not kept, or have no event that was received. */
async function unheard(store: Store, inquiries: { sid: string }[], received: Map<string, number>): Promise<number> {
  const events = await store.query<{ sid: string; id: string }>(sql`
    select c.sid, e.id from consultas c join events e on e.sid = c.sid where e.topic = 'consulta.recibida'`)
  const heard = new Set(events.filter(({ id }) => received.has(id)).map(({ sid }) => sid))
  return inquiries.filter(({ sid }) => !heard.has(sid)).length
}

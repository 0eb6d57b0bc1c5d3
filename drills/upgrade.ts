// npm run drill:upgrade [-- --seconds 10] (FROM=commit chooses another version than the oldest supported one)
// A node of a previous version serves; a new node starts beside it and migrates; both serve while the old one delivers for
// both; the old one leaves. Nothing may be lost or changed, and no request may fail.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openStore, type Store } from '../src/store/db.ts'
import { visitor } from '../tests/support/visitor.ts'
import { makeTempDir } from './cleanup.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { changedSince, miscounted, rowsOf, takeFingerprint } from './fingerprint.ts'
import { crashesOf, startInstance } from './instances.ts'
import { buildCommit, namedCommit, oldestCommit } from './previous-version.ts'
import { runNode } from './program.ts'
import { changedPaths, emptyLists, readBack } from './read-back.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'
import { UPGRADE, type Upgrade } from './upgrade/verdict.ts'
import { type Market, mergeTallies, startWorkload } from './workload.ts'

/** Large enough for everything the workload publishes. */
const PACKAGE = ['--nombre', 'Drill', '--hasta', '2099-12-31', '--baja', '100000', '--consultas-de-catalogo']
const SENT_AGAIN = 20
const POLL_MS = 50
const TIMEOUT_MS = 30_000

await drill({ seconds: { standard: 10 } }, async ({ say, defer, number }) => {
  const version = process.env.FROM ? namedCommit(process.env.FROM) : oldestCommit()
  if ('why' in version) {
    say(`SKIPPED: there is no earlier version: ${version.why}.`)
    return 'skipped'
  }
  say(`building ${version.commit} …`)
  const { program, known, last, added } = await buildCommit(version.commit, makeTempDir(defer, 'upgrade'), defer)
  say(`it has ${known} migrations; ${added.join(', ') || 'none'} will run while it serves …`)

  const database = await openDatabase(defer)
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    LOG_LEVEL: 'fatal',
    MASTER_KEY: randomBytes(32).toString('hex'),
    ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8',
    RATE_PER_SECOND: '1000000',
    RATE_BURST: '10000000',
    INVITES_PER_DAY: '1000000',
    PUBLIC_URL: 'http://rodado.example',
    DRAIN_SECONDS: '0',
  }
  const earlier = (...args: string[]): Promise<string> => runNode(defer, [program, ...args], env)
  await earlier('migrate')
  const market: Market = JSON.parse(await earlier('demo', '--json'))
  await earlier('paquete', 'set', market.Agencias[0] ?? '', ...PACKAGE)
  const store = openStore({ connection: database.connection, max: 2 })
  defer(() => store.close())
  const before = await takeFingerprint(store)
  const migrationsBefore = await migrationsIn(store)
  const eventsBefore = new Set((await store.query<{ id: string }>(sql`select id from events`)).map(({ id }) => id))

  const old = await startInstance(defer, 'old', env, { path: program })
  const receiver = await openReceiver()
  defer(() => receiver.close())
  const servedFrom = async () =>
    (await store.query<{ value: string }>(sql`select value from settings where name = 'schema_served_from'`))[0]?.value
  const readsIt = (await servedFrom()) !== undefined
  const past = await readBack(old.url, market)
  const person = await visitor(old).enter(market.Cuenta.email, market.Cuenta.password)
  const here = await startWorkload(old.url, market, receiver.url, 'old')
  await pause(number('seconds') * 1_000)

  say(`${rowsOf(before)} rows recorded; the new node starts and migrates …`)
  const began = performance.now()
  // It only serves for now: every delivery is the old node's.
  const next = await startInstance(defer, 'new', { ...env, ROLE: 'api', AUTO_MIGRATE: 'si' })
  const ready = performance.now()
  const ran = (await migrationsIn(store)).filter((name) => !migrationsBefore.includes(name))
  // Versions that do not store that row refuse to start on a newer schema.
  const canRestart = readsIt && last >= ((await servedFrom()) ?? '')
  if (canRestart) await (await startInstance(defer, 'old again', { ...env, ROLE: 'api' }, { path: program })).stop()
  const there = await startWorkload(next.url, market, receiver.url, 'new')
  const migrated = receiver.times.size
  await pause(number('seconds') * 1_000)
  const received = (ids: Iterable<string>) => [...ids].filter((id) => receiver.times.has(id)).length
  await until(() => received(there.tally.acknowledged) > 0)
  const [byOld, forNew] = [receiver.times.size - migrated, received(there.tally.acknowledged)]
  const readAgain = async (url: string) => changedPaths(past.responses, (await readBack(url, market)).responses)
  const changes = { old: await readAgain(old.url), new: await readAgain(next.url) }
  const session = {
    old: (await person.get('/cuenta')).status,
    new: (await visitor(next, person.cookie()).get('/cuenta')).status,
  }
  await visitor(next).enter(market.Cuenta.email, market.Cuenta.password)
  const ofOld = await Promise.all(here.consultas.slice(-SENT_AGAIN).map(there.isKnown))
  const ofNew = await Promise.all(there.consultas.slice(-SENT_AGAIN).map(here.isKnown))
  const recognised = [...ofOld, ...ofNew].filter(Boolean).length

  say('a worker of the new version starts, and the old node leaves …')
  const worker = await startInstance(defer, 'new worker', { ...env, ROLE: 'worker' })
  await here.stop()
  await old.stop()
  const left = receiver.times.size
  await pause(number('seconds') * 1_000)
  await there.stop()

  // Each migration under load counts as a fault, and so does the departure of the old node.
  const injected = {
    faults: ran.length + 1,
    crashes: crashesOf([old, next, worker]),
    earlier: eventsBefore,
    emails: true,
  }
  const { rows, failed, sum } = await reconcile(store, mergeTallies([here, there]), receiver, injected)
  const withoutEvent = await countWithoutEvent(store, [...here.consultas, ...there.consultas], receiver.times)
  const changed = await changedSince(store, before)
  const changedRows = changed.reduce((sum, { rows }) => sum + rows, 0)
  const wrong = await miscounted(store)
  const beside = here.tally.answers.filter(({ at }) => at > ready).length
  const meanwhile = here.tally.answers.filter(({ at, ms }) => at > began && at - ms < ready)
  const byNew = receiver.times.size - left
  const seen: Upgrade = {
    added,
    ran,
    rows: rowsOf(before),
    emptyLists: emptyLists(past, market.Agencias.length),
    changed,
    changedPaths: changes,
    session,
    sentAgain: { old: ofOld.length, new: ofNew.length },
    recognised,
    actions: { old: here.done, new: there.done },
    meanwhile: meanwhile.length,
    beside,
    byOld,
    forNew,
    byNew,
    refused: sum.announced,
    withoutEvent,
    miscounted: wrong.consultas + wrong.publicaciones,
  }
  return {
    rows: [
      ['from', version.commit],
      ['migrations run while the old node served', ran.length],
      ['rows from before', rowsOf(before)],
      ['  of them missing or changed', changedRows],
      ['the old version starts on the new schema', canRestart ? 'yes' : 'it is too old for that'],
      ['responses read again from both nodes', past.responses.size * 2],
      ['  with agencies / listings / inquiries', `${past.agencias} / ${past.publicaciones} / ${past.consultas}`],
      ['the new node was ready after, s', ((ready - began) / 1_000).toFixed(1)],
      ['longest answer of the old meanwhile, ms', Math.max(0, ...meanwhile.map(({ ms }) => ms)).toFixed(0)],
      ['answered by the old node beside the new', beside],
      ['answered by the new node', there.tally.answers.length],
      ['inquiries stored by the old / by the new', `${here.consultas.length} / ${there.consultas.length}`],
      ['  of them without a delivered event', withoutEvent],
      ['  sent again to the other node / recognised', `${ofOld.length + ofNew.length} / ${recognised}`],
      ['delivered by the old after the migration', byOld],
      ['delivered by the new after the old left', byNew],
      ['agencies with wrong counters', seen.miscounted],
      ['a session of the old node on the new', session.new === 200 ? 'valid' : `not valid (${session.new})`],
      ...rows,
    ],
    failed: [...violationsOf(UPGRADE, seen), ...failed],
    held: 'The upgrade went unnoticed.',
    sum: { ...sum, lost: sum.lost + withoutEvent + changedRows },
  }
})

/** The names of the migrations that have run. */
async function migrationsIn(store: Store): Promise<string[]> {
  return (await store.query<{ name: string }>(sql`select name from migrations order by id`)).map(({ name }) => name)
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!holds() && performance.now() < deadline) await pause(POLL_MS) // the rules report what is missing
}

/** How many of the inquiries are not stored or have no event that was received. */
async function countWithoutEvent(store: Store, consultas: { sid: string }[], received: Map<string, number>) {
  const events = await store.query<{ sid: string; id: string }>(sql`
    select c.sid, e.id from consultas c join events e on e.sid = c.sid where e.topic = 'consulta.recibida'`)
  const delivered = new Set(events.filter(({ id }) => received.has(id)).map(({ sid }) => sid))
  return consultas.filter(({ sid }) => !delivered.has(sid)).length
}

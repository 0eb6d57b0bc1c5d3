// npm run drill:upgrade [-- --seconds 10] (FROM=commit names another one than the last with fewer migrations)
// A node of an earlier commit serves; a new one comes beside it and migrates under it; both serve; the old one leaves.
// Nothing may be lost, and nobody may meet a fault.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '../src/store/db.ts'
import { migrationNames } from '../src/store/migrate.ts'
import { drill } from './drill.ts'
import { openDatabase, openRoom, type Room } from './house.ts'
import { type Load, startLoad, type Tally } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reckon } from './reckoning.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MIGRATIONS = 'src/store/migrations'

await drill({ seconds: { standard: 10 } }, async ({ say, atEnd, number }) => {
  const from = process.env.FROM || earlierCommit()
  if (!from) {
    say('SKIPPED: there is no history of this repository here to take an earlier version from.')
    return 'skipped'
  }
  const folder = await mkdtemp(join(tmpdir(), 'rodado-upgrade-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const old = await checkOut(from, folder)
  const before = await readdir(join(folder, MIGRATIONS))
  const added = (await migrationNames()).filter((name) => !before.includes(`${name}.sql`))
  say(`${from} has ${before.length} migrations; ${added.join(', ') || 'none'} will be run under it …`)

  const database = await openDatabase()
  atEnd(() => database.stop())
  const env = {
    ...{ PATH: process.env.PATH ?? '', NODE_ENV: 'production', DATABASE_URL: database.url, LOG_LEVEL: 'fatal' },
    ...{ MASTER_KEY: randomBytes(32).toString('hex'), ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' },
    ...{ RATE_PER_SECOND: '1000000', RATE_BURST: '10000000' },
  }
  // One in test mode would come with agencies, and with events from before it had a webhook.
  const create = [old, 'app', 'create', '--nombre', 'Drill', '--modo', 'produccion', '--json']
  const made = JSON.parse(execFileSync(process.execPath, create, { env, encoding: 'utf8' }))
  const app = { key: String(made.AppKey), secret: String(made.AppSecret) }
  const former = await openRoom('old', env, { path: old })
  atEnd(() => former.stop())
  const receiver = await openReceiver()
  atEnd(() => receiver.close())
  const loads: Load[] = []
  const serve = async (server: Room) => loads.push(await startLoad({ server, app }, receiver.url))

  await serve(former)
  await pause(number('seconds') * 1_000)
  const began = performance.now()
  const next = await openRoom('new', env)
  atEnd(() => next.stop())
  say(`the new node was ready after ${((performance.now() - began) / 1000).toFixed(1)} s; both serve …`)
  await serve(next)
  await pause(number('seconds') * 1_000)
  const [oldLoad] = loads
  const beside = oldLoad?.tally.answers.filter(({ at, status }) => at > began && status === 202).length ?? 0
  await oldLoad?.stop()
  await former.stop()
  say('the old node has left …')
  await pause(number('seconds') * 500)
  for (const load of loads) await load.stop()

  const store = openStore({ connection: database.connection, max: 2 })
  const { rows, failed, sum } = await reckon(store, together(loads), receiver, 1).finally(() => store.close())
  if (beside === 0) failed.push('the old node served nobody beside the new one')
  if (loads[1]?.tally.acknowledged.size === 0) failed.push('the new node served nobody')
  const broken = loads.reduce((lost, { tally }) => lost + tally.broken, 0)
  if (broken > 0) failed.push(`${broken} connections were refused or lost`)
  if (sum.announced > 0) failed.push(`${sum.announced} requests were refused`)
  return {
    rows: [
      ['from', from],
      ['migrations run under the old node', added.length],
      ['served by the old node beside the new', beside],
      ['served by the new node', loads[1]?.tally.acknowledged.size ?? 0],
      ...rows,
    ],
    failed,
    held: 'Nobody noticed.',
    sum,
  }
})

/** The last commit that had fewer migrations than there are now. */
function earlierCommit(): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const last = git('log', '-1', '--diff-filter=A', '--format=%h', '--', `${MIGRATIONS}/*.sql`)
    return last && git('rev-parse', '--short', `${last}~1`)
  } catch {
    return undefined
  }
}

/** That commit's files, built, with the packages of this one; its program. */
async function checkOut(commit: string, folder: string): Promise<string> {
  const tar = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: tar })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, [join(folder, 'scripts/build.js')], { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, 'bin/rodado.js')
}

/** Several partners as one. */
function together(loads: Load[]): Tally {
  const tallies = loads.map(({ tally }) => tally)
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0)
  return {
    requests: sum(({ requests }) => requests),
    acknowledged: new Set(tallies.flatMap(({ acknowledged }) => [...acknowledged])),
    announced: sum(({ announced }) => announced),
    broken: sum(({ broken }) => broken),
    serverErrors: tallies.flatMap(({ serverErrors }) => serverErrors),
    others: tallies.flatMap(({ others }) => others),
    invited: new Set(tallies.flatMap(({ invited }) => [...invited])),
    waiting: 0,
    mostWaiting: Math.max(...tallies.map(({ mostWaiting }) => mostWaiting)),
    answers: tallies.flatMap(({ answers }) => answers),
  }
}

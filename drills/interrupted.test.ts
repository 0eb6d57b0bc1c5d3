import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../tests/support/until.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A drill that is interrupted is gone by then; what is half started is waited for. */
const GONE_MS = 20_000

/** A drill as it runs, known by a folder in which it puts whatever it makes. */
interface Running {
  child: ChildProcess
  folder: string
  said(): string
}

type Moment = (running: Running) => Promise<unknown>

/** Of what runs: the processes that the drill started, which have its folder in their address, surroundings or place. */
async function processesOf({ folder, child }: Pick<Running, 'folder' | 'child'>): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== child.pid)) {
    const told = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    if (told.some((text) => text.includes(folder))) found.push(`${pid} ${told[0].replaceAll('\0', ' ')}`)
  }
  return found
}

const servers = async (running: Running) => (await processesOf(running)).filter((each) => each.includes(' serve'))
const holds =
  (condition: (running: Running) => Promise<unknown>): Moment =>
  (running) =>
    until(() => condition(running))
const hasFile = (pattern: RegExp) =>
  holds(async ({ folder }) =>
    (await readdir(folder, { recursive: true }).catch(() => [] as string[])).some((path) => pattern.test(path)),
  )

async function isStartedAgain(running: Running): Promise<void> {
  const first = await until(async () => {
    const all = await servers(running)
    return all.length === 3 && all
  })
  await until(async () => (await servers(running)).some((each) => !first.includes(each)))
}

const MOMENTS: [drill: string, when: string, signal: NodeJS.Signals, moment: Moment][] = [
  ['kill', 'its folder is made', 'SIGTERM', hasFile(/^rodado-drill-/)],
  ['kill', 'PostgreSQL is being started', 'SIGINT', hasFile(/\/pg\/postmaster\.pid$/)],
  [
    'kill',
    'the first process of the house is being started',
    'SIGTERM',
    holds(async (it) => (await servers(it)).length === 1),
  ],
  ['kill', 'one that was killed is being started again', 'SIGINT', isStartedAgain],
  ['failover', 'its folder is made', 'SIGINT', hasFile(/^rodado-replicas-/)],
  ['failover', 'the standby is being made', 'SIGTERM', hasFile(/second$/)],
]

describe('drills: one that is interrupted', {
  skip: process.platform !== 'linux' && 'processes are read from /proc',
}, () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'rodado-interrupted-'))
    await chmod(home, 0o755) // PostgreSQL's user must pass through
  })
  after(() => rm(home, { recursive: true, force: true }))

  for (const [drill, when, signal, moment] of MOMENTS)
    it(`130: ${drill}, by ${signal} when ${when}, leaves no process and no folder`, async () => {
      const folder = await mkdtemp(join(home, 'f'))
      await chmod(folder, 0o755)
      const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, `drills/${drill}.ts`)], {
        cwd: ROOT,
        env: { ...process.env, TMPDIR: folder, PATH: `${process.env.PATH}:${folder}` },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const gone = once(child, 'exit')
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
        })
      try {
        await moment({ child, folder, said: () => said })
        const asked = performance.now()
        child.kill(signal)
        const [code] = await gone
        assert.equal(code, 130, said)
        assert.ok(performance.now() - asked < GONE_MS)
        assert.deepEqual(await processesOf({ folder, child }), [], said)
        const ours = (await readdir(folder)).filter((name) => name.startsWith('rodado-')) // what compiles it has a cache there
        assert.deepEqual(ours, [], said)
        assert.equal(said.trim().split('\n').at(-1), `${signal}: cleaning up …`, said)
      } finally {
        child.kill('SIGKILL')
      }
    })
})

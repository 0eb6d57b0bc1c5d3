import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopLeftovers } from './cluster.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What node is told before a program that is not compiled. */
export const FROM_SOURCE = ['--import', fileURLToPath(import.meta.resolve('tsx'))]
/** What is interrupted is gone by then; what is half started is waited for. */
const GONE_MS = 20_000

/** A program as it runs, known by a folder in which it puts whatever it makes. */
export interface Running {
  child: ChildProcess
  folder: string
  said(): string
}

/** Waits for the moment at which it is interrupted. */
export type Moment = (running: Running) => Promise<unknown>

/** The processes that it started, which have its folder in their address, surroundings or place. */
export async function processesOf({ folder, child }: Pick<Running, 'folder' | 'child'>): Promise<string[]> {
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

/** It has made such a file or folder. */
export const hasFile =
  (pattern: RegExp): Moment =>
  ({ folder }) =>
    until(async () =>
      (await readdir(folder, { recursive: true }).catch(() => [] as string[])).some((path) => pattern.test(path)),
    )

/** For a house to be opened on a machine that does much else. */
export const SLOW_MS = 120_000
/** It has said so, however long a busy machine takes for it. */
export const hasSaid =
  (pattern: RegExp): Moment =>
  ({ said }) =>
    until(() => pattern.test(said()), SLOW_MS)

export const servers = async (running: Running): Promise<string[]> =>
  (await processesOf(running)).filter((each) => each.includes(' serve'))

/** So many servers of ours run. */
export const isServing =
  (count: number) =>
  (running: Running): Promise<string[]> =>
    until(async () => {
      const all = await servers(running)
      return all.length === count && all
    }, SLOW_MS)

/** Starts a program of ours, as node is told to, and has that done with it; whatever it leaves is taken away then. */
export async function withProgram(
  args: string[],
  work: (running: Running) => Promise<unknown>,
  env: Record<string, string> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-interrupted-'))
  await chmod(folder, 0o755) // PostgreSQL's user must pass through
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...{ ...process.env, ...env, TMPDIR: folder, TEST_DATABASE_URL: '' },
      PATH: `${env.PATH ?? process.env.PATH}:${folder}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  try {
    await work({ child, folder, said: () => said })
  } finally {
    child.kill('SIGKILL')
    await gone
    await stopLeftovers(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a program of ours, sends it a signal at that moment, and finds neither a process nor a folder of it left. */
export function interrupt(
  args: string[],
  signal: NodeJS.Signals,
  moment: Moment,
  env: Record<string, string> = {},
): Promise<void> {
  return withProgram(args, leavesNothing, env)

  async function leavesNothing(running: Running): Promise<void> {
    const { child, folder, said } = running
    await moment(running)
    const asked = performance.now()
    child.kill(signal)
    await until(() => child.exitCode !== null || child.signalCode !== null)
    assert.equal(child.exitCode, 130, said())
    assert.ok(performance.now() - asked < GONE_MS)
    assert.deepEqual(await processesOf(running), [], said())
    const ours = (await readdir(folder)).filter((name) => name.startsWith('rodado-')) // what compiles it has a cache there
    assert.deepEqual(ours, [], said())
  }
}

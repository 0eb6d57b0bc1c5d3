import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopLeftovers } from './cluster.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** An interrupted program has ended by then; a half finished start is waited for. */
const GONE_MS = 20_000

/** A running program, identified by the folder for its files. */
export interface Running {
  child: ChildProcess
  folder: string
  said(): string
}

/** Waits for the moment of the interruption. */
export type Moment = (running: Running) => Promise<unknown>

/** Its processes, which have the folder in their arguments, environment or working directory. */
export function processesOf({ folder, child }: Pick<Running, 'folder' | 'child'>, command = ''): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === child.pid) return []
    const line = readable(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    const isOurs = () =>
      line.includes(folder) ||
      readable(() => readFileSync(`/proc/${pid}/environ`, 'utf8')).includes(folder) ||
      readable(() => readlinkSync(`/proc/${pid}/cwd`)).includes(folder)
    return line.includes(command) && isOurs() ? [`${pid} ${line}`] : []
  })
}

/** Nothing for a process that has ended, or that we may not inspect. */
function readable(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Waits until it has created such a file or folder. */
export const hasFile =
  (pattern: RegExp): Moment =>
  ({ folder }) =>
    until(async () =>
      (await readdir(folder, { recursive: true }).catch(() => [] as string[])).some((path) => pattern.test(path)),
    )

/** For a cluster to start on a busy machine. */
export const SLOW_MS = 120_000
/** Waits until it has printed this. */
export const hasSaid =
  (pattern: RegExp): Moment =>
  ({ said }) =>
    until(() => pattern.test(said()), SLOW_MS)

export const servers = (running: Running): string[] => processesOf(running, ' serve')

/** Waits until so many of its servers run. */
export const isServing =
  (count: number) =>
  (running: Running): Promise<string[]> =>
    until(() => {
      const all = servers(running)
      return all.length === count && all
    }, SLOW_MS)

/** Runs a program for the test and removes what it leaves. */
export async function withProgram(
  args: string[],
  work: (running: Running) => Promise<unknown>,
  env: Record<string, string> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-interrupted-'))
  await chmod(folder, 0o755) // PostgreSQL's user must enter it
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      ...env,
      TMPDIR: folder,
      TEST_DATABASE_URL: '',
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

/** Starts a program, sends it a signal at that moment, and checks that it leaves no process and no folder. */
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
    const signalledMs = performance.now()
    child.kill(signal)
    await until(() => child.exitCode !== null || child.signalCode !== null)
    assert.equal(child.exitCode, 130, said())
    assert.ok(performance.now() - signalledMs < GONE_MS)
    assert.deepEqual(processesOf(running), [], said())
    const ours = (await readdir(folder)).filter((name) => name.startsWith('rodado-'))
    assert.deepEqual(ours, [], said())
  }
}

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../circuit-breaker.ts'
import { type Account, run } from './account.ts'
import { PORT } from './settings.ts'

const POLL_MS = 20
/** Fast, immediate, and kill; after the last two PostgreSQL recovers from its log at the next start. */
const SHUTDOWN = [
  { signal: 'SIGINT', patienceMs: 8_000 },
  { signal: 'SIGQUIT', patienceMs: 3_000 },
  { signal: 'SIGKILL', patienceMs: 2_000 },
] as const

/** The process id of the postmaster that runs on the cluster. */
export async function livePostmaster(dir: string, account: Account): Promise<number | undefined> {
  const pid = await recordedPid(join(dir, 'postmaster.pid'))
  return pid !== undefined && (await isPostmaster(pid, dir, account)) ? pid : undefined
}

/** Stops the postmaster within bounded time. */
export async function stopPostmaster(pid: number, dir: string, account: Account, log?: Log): Promise<void> {
  for (const { signal, patienceMs } of SHUTDOWN) {
    signalProcess(pid, signal)
    // A suspended process would not receive the signal.
    signalProcess(pid, 'SIGCONT')
    const deadline = performance.now() + patienceMs
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, dir, account))) return
      await pause(POLL_MS)
    }
    log?.warn({ pid, signal }, 'embedded store: PostgreSQL does not stop')
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${dir} cannot be stopped. End it by hand and start again.`)
}

/**
 * Removes lock files whose process id now belongs to another process or to a zombie: PostgreSQL would take either for a
 * running postmaster. A file that changed meanwhile stays.
 */
export async function clearStaleLocks(dir: string, account: Account): Promise<void> {
  for (const path of [join(dir, 'postmaster.pid'), join(dir, `.s.PGSQL.${PORT}.lock`)]) {
    const pid = await recordedPid(path)
    if (pid === undefined || !exists(pid) || (await isPostmaster(pid, dir, account))) continue
    const aside = `${path}.${randomUUID()}`
    await rename(path, aside).catch(() => undefined)
    if ((await recordedPid(aside)) === pid) await rm(aside)
    else await rename(aside, path).catch(() => undefined)
  }
}

async function recordedPid(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 1 ? pid : undefined
}

/** Process ids are reused, after a reboot or in a new container: the process must have this working directory. */
async function isPostmaster(pid: number, dir: string, account: Account): Promise<boolean> {
  if (!exists(pid)) return false
  if (process.platform !== 'linux') return (await psCommand(account, pid)).endsWith('postgres')
  try {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dir)])
    return its.dev === ours.dev && its.ino === ours.ino
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    return isPostgresOf(pid, account)
  }
}

/** Root in a container may not inspect other users' processes, but name, state and owner are readable. */
async function isPostgresOf(pid: number, account: Account): Promise<boolean> {
  try {
    const [text, { uid }] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), stat(`/proc/${pid}`)])
    return uid === account.uid && /^\d+ \(postgres\) [^ZX]/.test(text)
  } catch {
    return false
  }
}

const psCommand = (account: Account, pid: number) =>
  run(account, '/bin/ps', ['-p', String(pid), '-o', 'comm=']).catch(() => '')

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../circuit-breaker.ts'
import { run, type SystemUser } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterPath, ensureCluster, launch } from './cluster.ts'

/** Part of the socket file's name; there is no TCP port. */
export const PORT = 5432

/** On the command line, so that a postmaster of an earlier version can be recognised by its arguments. */
const SETTINGS = {
  // A socket in its own folder, which only its owner and root can enter.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: String(PORT),
  max_connections: '100',
  shared_buffers: '128MB',
  // Allocated at the start, so that a small /dev/shm and logind's cleaning at logout do no harm.
  min_dynamic_shared_memory: '16MB',
  // The defaults, stated because durability depends on them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  // Our statements are short: compiling them does not pay.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and details contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  cluster_name: 'rodado',
}

const POLL_MS = 20
const MAX_LOG_BYTES = 10 * 1024 * 1024
/** Fast, immediate, and kill; after the last two PostgreSQL recovers from its log at the next start. */
const SHUTDOWN = [
  { signal: 'SIGINT', timeoutMs: 8_000 },
  { signal: 'SIGQUIT', timeoutMs: 3_000 },
  { signal: 'SIGKILL', timeoutMs: 2_000 },
] as const

/** The cluster of a DATA_DIR and how we run it. */
export interface Cluster {
  dataDir: string
  /** The cluster's folder. */
  dir: string
  account: SystemUser
  /** Located when first needed: a command beside a running server starts nothing. */
  binaries(): Promise<Binaries>
  settings: Readonly<Record<string, string>>
  log: Log
}

export interface Postmaster {
  child: ChildProcess
  /** What PostgreSQL wrote to its log since this start. */
  errors(): Promise<string>
}

/** Runs in its own session, so that Ctrl-C does not end it before us, and it outlives us if we are killed. */
export async function startPostmaster(cluster: Cluster): Promise<Postmaster> {
  const { dataDir, dir, account, settings } = cluster
  const binaries = await cluster.binaries()
  await clearStaleLocks(cluster)
  await ensureCluster(dataDir, account, binaries)
  await admitOwner(dir, account)
  const logPath = join(dataDir, 'pg.log')
  const log = await openLog(logPath)
  try {
    const { size } = await log.stat()
    const program = { program: binaries.postgres, dir, account }
    const child = launch(program, settingArguments(settings), [log.fd, log.fd], { detached: true })
    child.on('error', () => undefined)
    child.unref()
    return { child, errors: async () => (await readFile(logPath)).subarray(size).toString('utf8').trim() }
  } finally {
    await log.close()
  }
}

const settingArguments = (settings: Cluster['settings']): string[] =>
  Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** True if the running postmaster has the program and settings that we would use. */
export async function hasOurSettings(cluster: Cluster, serverVersion: string): Promise<boolean> {
  const { dir, account, settings } = cluster
  const { postgres, version } = await cluster.binaries()
  const args = ['-D', clusterPath(dir, account), ...settingArguments(settings)].map((argument) => `"${argument}"`)
  const recorded = await readFile(join(dir, 'postmaster.opts'), 'utf8')
  return recorded.trim() === [await realpath(postgres), ...args].join(' ') && serverVersion.split(' ')[0] === version
}

/** PostgreSQL has its own log file; one older file is kept. */
async function openLog(path: string) {
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > MAX_LOG_BYTES) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

/** Peer authentication needs no password. Written at every start: the server may run as another user now. */
async function admitOwner(dir: string, account: SystemUser): Promise<void> {
  const names = new Set(['root', userInfo().username])
  const map = [...names].map((name) => `rodado "${name}" all\n`).join('')
  await replaceFile(join(dir, 'pg_ident.conf'), map, account)
  await replaceFile(join(dir, 'pg_hba.conf'), 'local all all peer map=rodado\n', account)
}

/** Written to a new file and renamed: root must not write through a link in a folder of another user. */
async function replaceFile(path: string, text: string, account: SystemUser): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { flag: 'wx', mode: 0o600 })
  if (account.foreign) await chown(aside, account.uid, account.gid)
  await rename(aside, path)
}

/** The process id of the postmaster that runs on the cluster. */
export async function livePostmaster(cluster: Cluster): Promise<number | undefined> {
  const pid = await recordedPid(join(cluster.dir, 'postmaster.pid'))
  return pid !== undefined && (await isPostmaster(pid, cluster)) ? pid : undefined
}

/** Stops the postmaster within bounded time. */
export async function stopPostmaster(pid: number, cluster: Cluster): Promise<void> {
  for (const { signal, timeoutMs } of SHUTDOWN) {
    signalProcess(pid, signal)
    // A suspended process would not receive the signal.
    signalProcess(pid, 'SIGCONT')
    const deadline = performance.now() + timeoutMs
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, cluster))) return
      await pause(POLL_MS)
    }
    cluster.log.warn({ pid, signal }, 'embedded store: PostgreSQL does not stop')
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${cluster.dir} cannot be stopped. End it by hand and start again.`)
}

/** PostgreSQL takes a lock file whose process id was reused, even by a zombie, for a running postmaster. */
async function clearStaleLocks(cluster: Cluster): Promise<void> {
  for (const name of ['postmaster.pid', `.s.PGSQL.${PORT}.lock`]) {
    const path = join(cluster.dir, name)
    const pid = await recordedPid(path)
    if (pid === undefined || !signalProcess(pid, 0) || (await isPostmaster(pid, cluster))) continue
    const aside = `${path}.${randomUUID()}`
    await rename(path, aside).catch(() => undefined)
    if ((await recordedPid(aside)) === pid) await rm(aside)
    else await rename(aside, path).catch(() => undefined)
  }
}

async function recordedPid(path: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  return pid > 1 ? pid : undefined
}

/** Process ids are reused, after a reboot or in a new container: the process must have this working directory. */
async function isPostmaster(pid: number, { dir, account }: Cluster): Promise<boolean> {
  if (!signalProcess(pid, 0)) return false
  if (process.platform !== 'linux') {
    const command = await run(account, '/bin/ps', ['-p', String(pid), '-o', 'comm=']).catch(() => '')
    return command.endsWith('postgres')
  }
  try {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dir)])
    return its.dev === ours.dev && its.ino === ours.ino
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    // Root in a container may not inspect other users' processes, but name, state and owner are readable.
    const owner = await stat(`/proc/${pid}`).catch(() => undefined)
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return owner?.uid === account.uid && /^\d+ \(postgres\) [^ZX]/.test(state)
  }
}

/** False if there is no such process; signal 0 only checks that. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { admitOwner } from './access.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterDir, ensureCluster, handOver } from './cluster.ts'
import { as } from './run.ts'
import { settingArguments } from './settings.ts'

const LARGEST_LOG_BYTES = 10 * 1024 * 1024

export interface Postmaster {
  child: ChildProcess
  /** What PostgreSQL wrote to its log since this start. */
  complaint(): Promise<string>
}

export interface PostmasterOptions {
  dataDir: string
  account: Account
  binaries: Binaries
  settings: Readonly<Record<string, string>>
}

/**
 * Starts PostgreSQL on the cluster, which is made first where there is none. It runs in a session of its own, so that
 * Ctrl-C in our terminal does not end it before we have finished with it, and it outlives us if we are killed.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { dataDir, account, binaries, settings } = options
  const dir = clusterDir(dataDir)
  await ensureCluster(dataDir, account, binaries)
  await admitOwner(dir, account)
  const { path, folder } = await handOver(dir, account)
  const logPath = join(dataDir, 'pg.log')
  const log = await openLog(logPath)
  try {
    const { size } = await log.stat()
    const child = spawn(binaries.postgres, serverArguments(path, settings), {
      ...as(account),
      detached: true,
      stdio: ['ignore', log.fd, log.fd, folder.fd],
    })
    child.on('error', () => undefined)
    child.unref()
    return { child, complaint: async () => (await readFile(logPath)).subarray(size).toString('utf8').trim() }
  } finally {
    await Promise.all([log.close(), folder.close()])
  }
}

/** Whether the postmaster that runs was started with the program and settings that we would start it with. */
export async function runsAsWeWould(options: PostmasterOptions, serverVersion: string): Promise<boolean> {
  const { dataDir, account, binaries, settings } = options
  const dir = clusterDir(dataDir)
  const { path, folder } = await handOver(dir, account)
  await folder.close()
  const args = serverArguments(path, settings).map((argument) => `"${argument}"`)
  const ours = [await realpath(binaries.postgres), ...args].join(' ')
  const recorded = await readFile(join(dir, 'postmaster.opts'), 'utf8')
  return recorded.trim() === ours && serverVersion.split(' ')[0] === binaries.version
}

function serverArguments(path: string, settings: Readonly<Record<string, string>>): string[] {
  return ['-D', path, ...settingArguments(settings)]
}

/** PostgreSQL's log is a file of its own; one older one is kept. */
async function openLog(path: string) {
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > LARGEST_LOG_BYTES) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

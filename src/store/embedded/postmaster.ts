import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Account, as } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterDir, ensureCluster, handOver } from './cluster.ts'
import { settingArguments } from './settings.ts'

const LARGEST_LOG_BYTES = 10 * 1024 * 1024

export interface Postmaster {
  child: ChildProcess
  /** What PostgreSQL wrote to its log since this start. */
  errors(): Promise<string>
}

export interface PostmasterOptions {
  dataDir: string
  account: Account
  binaries: Binaries
  settings: Readonly<Record<string, string>>
}

/**
 * Starts PostgreSQL, and creates the cluster if there is none. It runs in its own session, so that Ctrl-C does not end it
 * before us, and it outlives us if we are killed.
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
    return { child, errors: async () => (await readFile(logPath)).subarray(size).toString('utf8').trim() }
  } finally {
    await Promise.all([log.close(), folder.close()])
  }
}

/** True if the running postmaster has the program and settings that we would use. */
export async function hasOurSettings(options: PostmasterOptions, serverVersion: string): Promise<boolean> {
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

/** PostgreSQL has its own log file; one older file is kept. */
async function openLog(path: string) {
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > LARGEST_LOG_BYTES) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

/**
 * Allows only root and our user to connect, by peer authentication, so that no password is needed. Written before every
 * start, because the server may run as another user than last time.
 */
async function admitOwner(dir: string, account: Account): Promise<void> {
  const names = new Set(['root', userInfo().username])
  const map = [...names].map((name) => `rodado "${name}" all\n`).join('')
  await replaceFile(join(dir, 'pg_ident.conf'), map, account)
  await replaceFile(join(dir, 'pg_hba.conf'), 'local all all peer map=rodado\n', account)
}

/** Written to a new file and renamed: root must not write through a link in a folder of another user. */
async function replaceFile(path: string, text: string, account: Account): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { flag: 'wx', mode: 0o600 })
  if (account.foreign) await chown(aside, account.uid, account.gid)
  await rename(aside, path)
}

import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, lchown, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { syncFolder } from '../sync-folder.ts'
import { as, type SystemUser } from './account.ts'
import type { Binaries } from './binaries.ts'

/** Longer than any initdb runs. */
const ABANDONED_MS = 10 * 60_000
const UNFINISHED = 'pg.new-'

export const clusterDir = (dataDir: string): string => join(dataDir, 'pg')

/** Creates the cluster if there is none. It is moved into place when complete, so that half of one is never found. */
export async function ensureCluster(dataDir: string, account: SystemUser, binaries: Binaries): Promise<void> {
  const dir = clusterDir(dataDir)
  if (existsSync(dir)) return refuseOtherVersion(dir, binaries)
  const fresh = await mkdtemp(join(dataDir, UNFINISHED)).catch((cause: Error) => {
    throw new Error(`DATA_DIR ${dataDir} is not writable (${cause.message}). Choose one that this user may write to.`, {
      cause,
    })
  })
  try {
    await removeAbandoned(dataDir, fresh)
    const maker = account.initdbAs ?? account
    if (maker.foreign) await chown(fresh, maker.uid, maker.gid)
    await initdb(fresh, maker, binaries)
    if (maker !== account) await giveTo(fresh, account)
    await rename(fresh, dir)
    await syncFolder(dataDir)
  } catch (error) {
    // Another process created it at the same time.
    if (!existsSync(dir)) throw error
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** PostgreSQL's user may not be able to enter the folder, so root opens it and passes it as descriptor 3. */
export const clusterPath = (dir: string, account: SystemUser): string =>
  account.foreign && process.platform === 'linux' ? '/proc/self/fd/3' : dir

/** Starts one of PostgreSQL's programs on a cluster. `output` is for its stdout and stderr. */
export function launch(
  { program, dir, account }: { program: string; dir: string; account: SystemUser },
  args: string[],
  output: [stdout: number | 'ignore', stderr: number | 'pipe'],
  options: SpawnOptions = {},
) {
  const folder = openSync(dir, 'r')
  try {
    const stdio = ['ignore' as const, ...output, folder]
    return spawn(program, ['-D', clusterPath(dir, account), ...args], { ...as(account), ...options, stdio })
  } finally {
    closeSync(folder)
  }
}

async function initdb(dir: string, account: SystemUser, { initdb: program }: Binaries): Promise<void> {
  // The builtin locale sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['--username=postgres', '--auth=peer', '--data-checksums', ...locale]
  const child = launch({ program, dir, account }, args, ['ignore', 'pipe'])
  const [[code], message] = await Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  if (code !== 0) throw new Error(explain(`PostgreSQL could not be set up in ${dir}`, message.trim()))
}

/** Each folder before its contents, so that the former owner can add nothing, such as a link to a file of root's. */
export async function giveTo(folder: string, account: SystemUser): Promise<void> {
  await lchown(folder, account.uid, account.gid)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await lstat(path)
    if (found.isDirectory()) await giveTo(path, account)
    else if (found.isFile() && found.nlink === 1) await lchown(path, account.uid, account.gid)
    else throw new Error(`${path} is a link, which PostgreSQL did not make: somebody else writes there. Start again.`)
  }
}

/** PostgreSQL's error, and what to do about the common ones. */
export function explain(what: string, message: string): string {
  if (/No space left on device|Disk quota exceeded/.test(message))
    return `${what}: the disk is full. Free some space and start again.`
  if (/could not (access|change) directory|Permission denied/.test(message))
    return `${what}: its user may not enter there (${message}). Choose a DATA_DIR that every user can enter, or start as a plain user.`
  return `${what}: ${message}`
}

async function refuseOtherVersion(dir: string, { version }: Binaries): Promise<void> {
  const major = version.split('.')[0]
  const found = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === major) return
  if (found === '') throw new Error(`${dir} is not a PostgreSQL cluster. Move it away, or choose another DATA_DIR.`)
  throw new Error(
    `${dir} was made by PostgreSQL ${found} and this version of Rodado brings PostgreSQL ${major}. Start the version of Rodado that made it, or move the data with pg_dump.`,
  )
}

async function removeAbandoned(dataDir: string, fresh: string): Promise<void> {
  const { mtimeMs: nowMs } = await stat(fresh)
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue
    const path = join(dataDir, name)
    const found = await stat(path).catch(() => undefined)
    if (found && nowMs - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

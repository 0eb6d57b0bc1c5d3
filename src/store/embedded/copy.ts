import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const MAX_ATTEMPTS = 10
/** Archives and build files. */
const UNUSED = /\.a$|^pkgconfig$|^pgxs$/

/**
 * A copy of PostgreSQL's files that every user can run and only we can change, if PostgreSQL's user cannot enter the
 * installed folder or the library links cannot be created there. Later starts reuse it.
 */
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

async function isGood(target: string, native: string): Promise<boolean> {
  return (await isOurs(target)) && (await isComplete(join(target, 'native'), native))
}

/** Programs in a folder that others own or may write to are never run. */
async function isOurs(target: string): Promise<boolean> {
  const found = await lstat(target).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** A cleaner of temporary folders may have deleted unused files. */
async function isComplete(copy: string, native: string): Promise<boolean> {
  const files = (await readdir(native, { recursive: true })).filter(
    (path) => !path.split('/').some((part) => UNUSED.test(part)),
  )
  const same = await Promise.all(
    files.map(async (path) => {
      const [here, there] = await Promise.all([stat(join(native, path)), stat(join(copy, path)).catch(() => undefined)])
      return there !== undefined && (here.isDirectory() || here.size === there.size)
    }),
  )
  return same.every(Boolean)
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
    const moved = await rename(fresh, target).then(() => true, unless('ENOTEMPTY', 'EEXIST', 'ENOTDIR'))
    if (moved || (await isGood(target, native))) return
    const old = `${fresh}.old${attempt}`
    await rename(target, old).catch(unless('ENOENT'))
    if (await isOurs(old)) await rm(old, { recursive: true, force: true })
  }
  throw new Error(`${target} cannot be created`)
}

/** Ignores these errors. */
function unless(...codes: string[]) {
  return (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}

/** Creates the library links of the package's install script, which npm may not have run. */
export async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // It may exist, or the folder may be read-only: running the programs shows whether it matters.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined)
  }
}

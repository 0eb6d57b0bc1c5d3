// Runs the tests on a PostgreSQL of their own: `npm test`, or `npm test -- src/auth tests/stories/invite.test.ts`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, stopLeftovers } from '../tests/support/cluster.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import { OUR_PROGRAMS, OUR_PROGRAMS_FOLDER } from '../tests/support/our-program.ts'
import { compile } from './test/compile.ts'
import { dealOut } from './test/groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PLACES = ['src', 'tests', 'sdk', 'bench', 'scripts', 'catalogue', 'eval']
const TEST = /\.test\.tsx?$/
/** Checks of what the whole run has seen; they mean nothing after a part of it. */
const LAST = /\.last\.ts$/
/** A process with several files; each of them has its own limit (test/suite.ts). */
const PROCESS_TIMEOUT_MS = 1_200_000
const ROOMY_BYTES = 512 * 1024 * 1024

/** All files below a path, or the path itself. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries.filter((entry) => !entry.split('/').includes('node_modules')).map((entry) => join(path, entry))
}

/** A folder for this run: temporary, or beside the installed packages where the temporary one is too small. */
async function makeRunFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(tmpdir())
  const parent = bavail * bsize > ROOMY_BYTES ? tmpdir() : join(ROOT, 'node_modules')
  const make = (where: string) => mkdtemp(join(where, 'rodado-test-'))
  const folder = await make(parent).catch(() => make(tmpdir()))
  // Tests that become another user must be able to pass through.
  await chmod(folder, 0o711)
  return folder
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

/** One `node --test` over those programs; the code it ended with. */
async function runTests(programs: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (programs.length === 0 || interrupted.signal.aborted) return 0
  const options = [
    ...['--enable-source-maps', '--test', '--test-reporter=spec', `--test-timeout=${PROCESS_TIMEOUT_MS}`],
    `--test-concurrency=${availableParallelism()}`,
  ]
  // A process group of its own, so that an interruption ends the tests' children too and leaves PostgreSQL to us.
  const child = spawn(process.execPath, [...options, ...programs], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  interrupted.signal.addEventListener('abort', end)
  const [code] = await once(child, 'exit')
  interrupted.signal.removeEventListener('abort', end)
  return code ?? 1
}

async function main(asked: string[]): Promise<number> {
  const paths = asked.length > 0 ? asked.map((path) => resolve(path)) : PLACES.map((place) => join(ROOT, place))
  const files = (await Promise.all(paths.map(filesBelow))).flat()
  const tests = files.filter((file) => TEST.test(file)).sort()
  if (tests.length === 0) throw new Error(`No tests in ${asked.join(' ') || PLACES.join(', ')}.`)
  const last = asked.length === 0 ? files.filter((file) => LAST.test(file)) : []

  const folder = await makeRunFolder()
  try {
    const groups = dealOut(tests)
    const compiled = await compile(join(folder, 'compiled'), {
      ...{ root: ROOT, programs: OUR_PROGRAMS },
      groups: last.length > 0 ? [...groups, last] : groups,
    })
    const { server, stop } = await startTestServer(join(folder, 'data'))
    try {
      const own = { RODADO_TEST_RUN: folder, [OUR_PROGRAMS_FOLDER]: compiled.programs }
      const env = { [TEST_SERVER]: JSON.stringify(server), ...own }
      const code = await runTests(compiled.groups.slice(0, groups.length), env)
      const lastCode = await runTests(compiled.groups.slice(groups.length), env)
      return interrupted.signal.aborted ? 130 : code || lastCode
    } finally {
      await stop()
    }
  } finally {
    await stopLeftovers(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))

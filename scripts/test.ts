// Runs the tests with their own PostgreSQL: `npm test`, or `npm test -- src/auth tests/stories/invite.test.ts`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, stopLeftovers } from '../tests/support/cluster.ts'
import { PROGRAMS, PROGRAMS_FOLDER } from '../tests/support/compiled-program.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import { compile } from './test/compile.ts'
import { findTests } from './test/files.ts'
import { findUnfinished } from './test/suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const REPORTER = new URL('./test/reporter.js', import.meta.url).href
/** For a process, which runs many files; each file has its own limit (test/suite.ts). */
const PROCESS_TIMEOUT_MS = 3_600_000
/** More than one for each core, since tests often wait; but each needs memory, and loads the server. */
const PROCESSES = Math.min(2 * availableParallelism(), 12)
const MIB = 1024 ** 2
const NEEDED_BYTES = 512 * MIB
/** The heap of a process until its first full collection: all together at most half of the free memory. */
const OLD_SPACE_MIB = Math.min(1500, Math.floor(freemem() / MIB / 2 / PROCESSES))
const IS_NODE_20 = process.versions.node.startsWith('20.')
/** Less garbage collection; and later optimisation, because most code of a test runs a few times. */
const V8_OPTIONS = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  `--initial-old-space-size=${OLD_SPACE_MIB}`,
  ...(IS_NODE_20 ? ['--interrupt-budget=1000000'] : []), // later versions optimise later by themselves, and refuse this option
]
const MEMORY = '/dev/shm'
/** For the databases, and as much again for the tests. */
const NEEDED_MEMORY = 4 * 1024 ** 3

const interrupted = new AbortController()
// `on`, not `once`: npm forwards a signal that the terminal has sent already.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

/** Runs `node --test` with these programs; returns the exit code. */
async function runTests(programs: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (programs.length === 0 || interrupted.signal.aborted) return 0
  const limits = [`--test-timeout=${PROCESS_TIMEOUT_MS}`, `--test-concurrency=${PROCESSES}`]
  const options = [...V8_OPTIONS, '--test', `--test-reporter=${REPORTER}`, ...limits]
  // Its own process group, so that an interruption ends the tests' children and leaves PostgreSQL to us.
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

/** A temporary folder for this run, or one beside node_modules if there is too little space. */
async function makeRunFolder(root: string): Promise<string> {
  const { bavail, bsize } = await statfs(tmpdir())
  const parent = bavail * bsize > NEEDED_BYTES ? tmpdir() : join(root, 'node_modules')
  const make = (where: string) => mkdtemp(join(where, 'rodado-test-'))
  const folder = await make(parent).catch(() => make(tmpdir()))
  // Tests that run as another user must enter it.
  await chmod(folder, 0o711)
  return folder
}

/**
 * A folder for databases: in memory if there is enough, else the given one. Tests make hundreds of databases, which takes
 * more CPU on a disk. Programs stay on the disk: systems often allow none in memory.
 */
async function makeDataFolder(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  if (bavail * bsize < NEEDED_MEMORY || freemem() < 2 * NEEDED_MEMORY) return folder
  const inMemory = await mkdtemp(join(MEMORY, 'rodado-test-')).catch(() => folder)
  await chmod(inMemory, 0o711)
  return inMemory
}

/** Everything that the tests share is in these folders or is stopped here. */
async function runIn(folder: string, data: string, tests: string[], last: string[]): Promise<number> {
  const processes = Math.min(tests.length, PROCESSES)
  // PostgreSQL starts while the tests are compiled.
  const starting = startTestServer(join(data, 'data'))
  const started = starting.catch(() => undefined) // a failure is thrown below
  try {
    const compiled = await compile(join(folder, 'compiled'), { root: ROOT, programs: PROGRAMS, tests, last, processes })
    const { server } = await starting
    const env = {
      [TEST_SERVER]: JSON.stringify(server),
      RODADO_TEST_RUN: folder,
      RODADO_TEST_DATA: data,
      [PROGRAMS_FOLDER]: compiled.programs,
    }
    const code = await runTests(compiled.tests, env)
    // They check what a whole run did; after a failure, the failed tests are the last thing printed.
    const lastCode = code === 0 ? await runTests(compiled.last, env) : 0
    if (interrupted.signal.aborted) return 130
    const unfinished = await findUnfinished(tests, compiled.claims)
    for (const file of unfinished) process.stderr.write(`✖ ${relative(ROOT, file)}: its process ended before it\n`)
    return code || lastCode || (unfinished.length > 0 ? 1 : 0)
  } finally {
    await (await started)?.stop()
  }
}

async function main(given: string[]): Promise<number> {
  const { tests, last } = await findTests(given, ROOT)
  const folder = await makeRunFolder(ROOT)
  const data = await makeDataFolder(folder)
  try {
    return await runIn(folder, data, tests, last)
  } finally {
    for (const made of new Set([data, folder])) {
      await stopLeftovers(made)
      await rm(made, { recursive: true, force: true })
    }
  }
}

process.exitCode = await main(process.argv.slice(2))

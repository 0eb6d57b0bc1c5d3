import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import sql, { type Sql } from 'sql-template-tag'
import { lazy } from '../../src/memoize.ts'
import { openStore } from '../../src/store/db.ts'
import { type Embedded, startEmbedded } from '../../src/store/embedded/start.ts'
import type { Connection } from '../../src/store/failover.ts'
import { migrate } from '../../src/store/migrate.ts'
import { compiledProgram } from './compiled-program.ts'
import { until } from './until.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Purpose = 'serve' | 'command'
type RunAs = { uid: number; gid: number }

/** The output of a process after it opened the store or was refused. */
export interface Elsewhere {
  child: ChildProcess
  pid: number
  owner: boolean
  connection: Connection
  refused?: string
}

/** For a first start on a busy machine. */
const MAKING_MS = 120_000
const PREFIX = join(process.env.RODADO_TEST_DATA ?? tmpdir(), 'rodado-embedded-')

/** A DATA_DIR for one test as a stopped server leaves it, for tests that are not about the first start, which takes seconds. */
export async function makeUsedDataDir(t: TestContext, name?: string) {
  const made = await makeDataDir(t, name)
  await mkdir(dirname(made.dataDir), { recursive: true })
  await promisify(execFile)('cp', ['-a', await usedDataDir(), made.dataDir]) // it also copies the owner
  return made
}

/** One for the run, made by the first process that needs it. */
const usedDataDir = lazy(async () => {
  const folder = `${PREFIX}used`
  const [dataDir, made] = [join(folder, 'data'), join(folder, 'made')]
  const isFirst = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const { connection, stop } = await startEmbedded({ dataDir, log: silent, purpose: 'command' })
    await migrate(connection).finally(stop)
    await writeFile(made, '')
  }
  await until(() => exists(made), MAKING_MS)
  return dataDir
})

/** A DATA_DIR for one test, which ends everything that was started on it. */
export async function makeDataDir(t: TestContext, name = 'data') {
  // Mode 700: as root, every test has a DATA_DIR that PostgreSQL's user cannot enter.
  const parent = await mkdtemp(PREFIX)
  const dataDir = join(parent, name)
  const opened: Embedded[] = []
  const children: ChildProcess[] = []

  async function open(purpose: Purpose, settings: Record<string, string> = {}): Promise<Embedded> {
    const embedded = await startEmbedded({ dataDir, log: silent, purpose, settings })
    opened.push(embedded)
    return embedded
  }

  async function openElsewhere(purpose: Purpose, as?: RunAs): Promise<Elsewhere> {
    const child = spawn(process.execPath, [compiledProgram('embedded'), dataDir, purpose], {
      stdio: ['ignore', 'pipe', 'ignore'],
      ...as,
    })
    children.push(child)
    const [line] = await once(createInterface(child.stdout), 'line')
    return { child, ...JSON.parse(line) }
  }

  t.after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(opened.map((embedded) => embedded.stop()))
    // Stops the servers that killed processes left running.
    if (await exists(join(dataDir, 'pg', 'postmaster.pid'))) await (await open('command')).stop()
    await rm(parent, { recursive: true, force: true })
  })
  return { parent, dataDir, open, openElsewhere, isRunning: () => exists(join(dataDir, 'pg', 'postmaster.pid')) }
}

/** Runs statements on their own connection and returns the rows of the last one. */
export async function ask<Row>(connection: Connection, ...statements: Sql[]): Promise<Row[]> {
  const store = openStore({ connection, max: 1 })
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = await store.query<Row>(statement)
    return rows
  } finally {
    await store.close()
  }
}

/** A row to write before a kill, and a query for it. */
export const remember = [sql`create table facts (id int)`, sql`insert into facts values (1)`]
export const recall = sql`select id from facts`

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

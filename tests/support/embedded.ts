import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { openStore } from '../../src/store/db.ts'
import { type Embedded, startEmbedded } from '../../src/store/embedded/start.ts'
import type { Connection } from '../../src/store/failover.ts'
import { compiledProgram } from './compiled-program.ts'

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

/** A DATA_DIR for one test, which ends everything that was started on it. */
export async function makeDataDir(t: TestContext, name = 'data') {
  // Mode 700: as root, every test has a DATA_DIR that PostgreSQL's user cannot enter.
  const parent = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-embedded-'))
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

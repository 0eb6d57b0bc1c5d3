import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startEmbedded } from '../../src/store/embedded/start.ts'
import type { Connection } from '../../src/store/failover.ts'
import { migrate } from '../../src/store/migrate.ts'
import { asAdmin, inDatabase, type TestServer } from './database.ts'

/** Nothing outlives the run, so no write waits for the disk. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '128MB',
  autovacuum: 'off', // it would visit hundreds of small databases
}
/** Test files run in parallel, each with several servers and pools. */
const MANY = { max_connections: '400' }

/**
 * New callbacks count as verified, like those that exist at an upgrade, so that a test sees only its own events. The test
 * of verification removes this default.
 */
const VERIFIED = 'alter table webhooks alter column verified_at set default now()'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The PostgreSQL server of a test run, with a migrated template database. */
export async function startTestServer(dataDir: string): Promise<{ server: TestServer; stop(): Promise<void> }> {
  const { admin, user, stop } = await findServer(dataDir)
  const template = `template_${randomBytes(8).toString('hex')}`
  const server = { admin, user, template }
  try {
    await asAdmin(server, `create database ${template}${user.user ? ` owner ${user.user}` : ''}`)
    await migrate(inDatabase(user, template))
    await asAdmin({ admin: inDatabase(user, template) }, VERIFIED)
    // A first connection writes PostgreSQL's catalogue cache into the template; otherwise every clone would build its own.
    await asAdmin({ admin: inDatabase(user, template) }, 'select 1')
    // Cloning fails while anyone is connected to the template, so nobody can be.
    await asAdmin(server, `alter database ${template} allow_connections false`)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    server,
    async stop() {
      await asAdmin(server, `drop database if exists ${template} with (force)`).finally(stop)
    },
  }
}

/** The server of TEST_DATABASE_URL, whose user may create databases, or an embedded one. */
async function findServer(dataDir: string): Promise<{ admin: Connection; user: Connection; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { admin: { connectionString: url }, user: { connectionString: url }, stop: async () => undefined }
  const settings = { ...FAST, ...MANY }
  const embedded = await startEmbedded({ dataDir, log: silent, purpose: 'command', settings })
  const user = embedded.connection
  return { admin: { ...user, user: 'postgres', database: 'postgres' }, user, stop: () => embedded.stop() }
}

/** Stops the PostgreSQL servers of killed tests: one for each DATA_DIR below the folder. */
export async function stopLeftovers(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((path) => path.endsWith('/pg/postmaster.pid'))) {
    const dataDir = join(folder, dirname(dirname(file)))
    await (await startEmbedded({ dataDir, log: silent, purpose: 'command' })).stop()
  }
}

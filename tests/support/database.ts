import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { openStore, type Store } from '../../src/store/db.ts'
import type { Connection } from '../../src/store/failover.ts'

/** What scripts/test.ts hands to every test process: where databases are made, as whom, and from which template. */
export interface TestServer {
  admin: Connection
  user: Connection
  template: string
}

/** The variable with the connection, as JSON. */
export const TEST_SERVER = 'RODADO_TEST_SERVER'

export interface TestDatabase {
  name: string
  connection: Connection
  store: Store
  drop(): Promise<void>
}

const POOL_SIZE = 5

/** A migrated, empty database of the test's own, cloned from the run's template. */
export const createDatabase = (): Promise<TestDatabase> => {
  const server = testServer()
  // Copying files takes less than writing the copy to the log.
  return makeDatabase(server, `template ${server.template} strategy file_copy`)
}

/** An empty database. */
export const createEmptyDatabase = (): Promise<TestDatabase> => makeDatabase(testServer(), 'template template0')

async function makeDatabase(server: TestServer, how: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} ${how}${ownedBy(server)}`)
  const connection = inDatabase(server.user, name)
  const store = openStore({ connection, max: POOL_SIZE })
  return {
    name,
    connection,
    store,
    async drop() {
      await store.close()
      await administer(server, `drop database if exists ${name} with (force)`)
    },
  }
}

let adminPool: pg.Pool | undefined

/** Creates and drops databases on one connection per process: PostgreSQL starts a process for each. */
async function administer({ admin }: TestServer, text: string): Promise<void> {
  adminPool ??= new pg.Pool({ ...admin, max: 4, allowExitOnIdle: true, idleTimeoutMillis: 0 }).on(
    'error',
    () => undefined,
  )
  await adminPool.query(text)
}

/** Runs a query on its own connection: a restore refuses while anybody is connected. */
export async function askOnce({ connection }: TestDatabase, statement: Sql): Promise<unknown[]> {
  const store = openStore({ connection, max: 1 })
  return store.query(statement).finally(() => store.close())
}

/** The PostgreSQL server of this run; there is none without scripts/test.ts. */
export function testServer(): TestServer {
  const text = process.env[TEST_SERVER]
  if (!text) throw new Error('No test database: run tests with `npm test` or `npm test -- <files>`.')
  return JSON.parse(text) as TestServer
}

/** Another database on that server. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database }
  // Not with URL, which refuses what PostgreSQL allows: postgres://user@/name?host=/folder
  const connectionString = connection.connectionString.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)
  return { ...connection, connectionString }
}

/** A connection as a DATABASE_URL. */
export function urlOf({ connectionString, host = '', port, user, password, database }: Connection): string {
  if (connectionString) return connectionString
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`
}

/** Runs a statement that is not allowed in a transaction, on its own connection. */
export async function asAdmin({ admin }: Pick<TestServer, 'admin'>, text: string): Promise<void> {
  const client = new pg.Client(admin)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const ownedBy = ({ user }: TestServer) => (user.user === undefined ? '' : ` owner ${user.user}`)

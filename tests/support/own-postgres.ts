import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type Defer, makeTempDir } from '../../drills/cleanup.ts'
import { startTestServer } from './cluster.ts'
import { TEST_SERVER } from './database.ts'

/** Starts a PostgreSQL server for a program that uses test support without the test runner. */
export async function startOwnPostgres(defer: Defer, name: string): Promise<void> {
  const folder = makeTempDir(defer, name)
  await chmod(folder, 0o711) // PostgreSQL's user must enter it
  const { server } = await stopAtCleanup(defer, startTestServer(join(folder, 'data')), ({ stop }) => stop())
  process.env[TEST_SERVER] = JSON.stringify(server)
}

/** Stops something at cleanup, also if it is still starting then. */
export function stopAtCleanup<T>(defer: Defer, starting: Promise<T>, stop: (started: T) => unknown): Promise<T> {
  defer(() => starting.then(stop, () => undefined))
  return starting
}

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type Defer, makeTempDir } from '../../drills/cleanup.ts'
import { startTestServer } from './cluster.ts'
import { TEST_SERVER } from './database.ts'

/** Starts a PostgreSQL for a program that uses what tests use, and that runs by itself; it is gone at the end. */
export async function startOwnPostgres(defer: Defer, name: string): Promise<void> {
  const folder = makeTempDir(defer, name)
  await chmod(folder, 0o711) // the user that PostgreSQL runs as must pass through
  const { server } = await stopAtCleanup(defer, startTestServer(join(folder, 'data')), ({ stop }) => stop())
  process.env[TEST_SERVER] = JSON.stringify(server)
}

/** Something that takes a while to start: when the end comes meanwhile, it is waited for and then ended. */
export function stopAtCleanup<T>(defer: Defer, starting: Promise<T>, stop: (started: T) => unknown): Promise<T> {
  defer(() => starting.then(stop, () => undefined))
  return starting
}

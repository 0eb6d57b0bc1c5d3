import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/** A first start runs initdb, on a busy machine. */
const START_MS = 120_000
export const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/
export const UNREACHABLE = 'npm reaches no registry: its dependencies are not installed'

/** For what npm makes and installs. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-npm-'))
  await chmod(folder, 0o755) // npm makes no folder of its own for PostgreSQL's user
  return folder
}

/** Starts the server by a command in an empty folder, and waits until it is ready. */
export async function serveIn(
  t: TestContext,
  folder: string,
  [command = '', ...args]: string[],
  more: Record<string, string> = {},
) {
  const cwd = join(folder, 'empty')
  await mkdir(cwd)
  const port = await freePort()
  const env = { PATH: process.env.PATH ?? '', PORT: String(port) }
  const child = spawn(command, args, {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a signal to npx alone may not reach the server
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(child, 'close') // the server and its PostgreSQL have ended
  t.after(async () => {
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGTERM')
    await closed
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    assert.equal(child.exitCode, null, printed)
    return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok
  }, START_MS)
  return { cwd, env, url }
}

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeUsedDataDir } from './support/embedded.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('npm start', () => {
  // npm start runs what is built.
  before(() => promisify(execFile)(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: ROOT }))

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)
    it(`${signal} to npm alone ends the server and its PostgreSQL, and frees the port`, async (t) => {
      const { npm, port, postgres } = await npmStart(t)
      npm.kill(signal)
      await until(() => !isAlive(postgres))
      await until(() => isFree(port))
    })

  it('a closed terminal ends the server and its PostgreSQL, although nobody can read what they print', async (t) => {
    const { npm, port, postgres } = await npmStart(t)
    npm.stdout.destroy()
    npm.stderr.destroy()
    process.kill(-Number(npm.pid), 'SIGHUP')
    await until(() => !isAlive(postgres))
    await until(() => isFree(port))
  })
})

/** Starts it as the leader of a process group, as a shell does, and waits until it answers. */
async function npmStart(t: TestContext) {
  const { dataDir } = await makeUsedDataDir(t)
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  t.after(() => endGroup(Number(npm.pid)))
  await until(async () => {
    assert.equal(npm.exitCode, null, printed)
    return (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.ok
  })
  const postgres = Number.parseInt(await readFile(join(dataDir, 'pg', 'postmaster.pid'), 'utf8'), 10)
  assert.ok(isAlive(postgres))
  return { npm, port, postgres }
}

/** Ends what a failed test left running. */
function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return free
}

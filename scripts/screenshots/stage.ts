import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withStore } from '../../src/cli/with-store.ts'
import { readConfig } from '../../src/config.ts'
import type { Opened } from '../../src/store/open.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { until } from '../../tests/support/until.ts'

const START_MS = 120_000
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** The output of `rodado demo --json`. */
interface Demo {
  AppKey: string
  AppSecret: string
  SitioKey: string
  Agencias: string[]
  Console: { email: string; password: string }
  Portal: { email: string; password: string }
}

/** A server with the demo data in its own database, removed afterwards. */
export interface Stage {
  url: string
  demo: Demo
  withStore<T>(work: (opened: Opened) => Promise<T>): Promise<T>
  end(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-pictures-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    PUBLIC_URL: url,
    ALLOW_PRIVATE_CALLBACKS: '127.0.0.1',
  }
  const env = { PATH: process.env.PATH ?? '', ...own }
  const args = ['--import', 'tsx', MAIN]
  await promisify(execFile)(process.execPath, [...args, 'migrate'], { env })
  const { stdout } = await promisify(execFile)(process.execPath, [...args, 'demo', '--json'], { env })
  const server = spawn(process.execPath, [...args, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  async function end(): Promise<void> {
    const gone = server.exitCode === null ? once(server, 'exit') : undefined
    server.kill('SIGTERM')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  const isReady = async () => {
    if (server.exitCode !== null) throw new Error(`rodado ended with ${server.exitCode}`)
    return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok
  }
  await until(isReady, START_MS).catch(async (error) => {
    await end()
    throw error
  })
  return {
    url,
    demo: JSON.parse(stdout),
    withStore: (work) => withStore(readConfig(own), work),
    end,
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { App } from '../src/apps/app.ts'
import { createApp } from '../src/apps/store.ts'
import { openStore, type Store } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import { migrate } from '../src/store/migrate.ts'
import { createSeal, type Seal } from '../src/store/sealed.ts'
import { freePort } from '../tests/support/free-port.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))
const POLL_MS = 20
const PATIENCE_MS = 180_000 // for a start on a machine that does much else
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A process of the house that can be killed and started again, on the same port. */
export interface Room {
  name: string
  url: string
  /** Without a word of warning (SIGKILL), and then started again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A PostgreSQL of the drill's own, one process that answers and two that deliver, and an app. */
export interface House {
  store: Store
  server: Room
  workers: Room[]
  app: { key: string; secret: string }
  /** Another app, under the drill's hand. */
  newApp(): Promise<App>
  /** What its processes open secrets with. */
  seal: Seal
  remove(): Promise<void>
}

export async function openHouse(): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-drill-'))
  const embedded = await startEmbedded({ dataDir: folder, log: quiet, purpose: 'command' })
  const { connection } = embedded
  await migrate(connection)
  const masterKey = randomBytes(32)
  const store = openStore({ connection, max: 4 })
  const seal = createSeal(masterKey)
  const newApp = () => createApp(store, seal, { nombre: 'Drill', modo: 'produccion' })
  const made = await newApp()

  const { user, database, host, port } = connection
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`,
    MASTER_KEY: masterKey.toString('hex'),
    ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8',
    RATE_PER_SECOND: '1000000',
    RATE_BURST: '10000000',
    LOG_LEVEL: 'error',
  }
  const server = await openRoom('server', { ...env, ROLE: 'api' })
  const workers = [await openRoom('worker 1', { ...env, ROLE: 'worker' })]
  workers.push(await openRoom('worker 2', { ...env, ROLE: 'worker' }))
  return {
    store,
    server,
    workers,
    app: { key: made.app.appKey, secret: made.secret },
    newApp: async () => (await newApp()).app,
    seal,
    async remove() {
      for (const room of [server, ...workers]) await room.stop()
      await store.close()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openRoom(name: string, env: Record<string, string>): Promise<Room> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child = await start()

  async function start(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [RODADO, 'serve'], {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const deadline = performance.now() + PATIENCE_MS
    while (!(await isReady(url))) {
      if (started.exitCode !== null) throw new Error(`${name} ended with ${started.exitCode}.`)
      if (performance.now() > deadline) throw new Error(`${name} was not ready after ${PATIENCE_MS} ms.`)
      await pause(POLL_MS)
    }
    return started
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  return {
    name,
    url,
    async kill() {
      await end('SIGKILL')
      child = await start()
    },
    stop: () => end('SIGTERM'),
  }
}

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

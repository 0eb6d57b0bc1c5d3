import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { App } from '../src/apps/app.ts'
import { createApp } from '../src/apps/store.ts'
import { openStore, type Store } from '../src/store/db.ts'
import { migrate } from '../src/store/migrate.ts'
import { createSeal, type Seal } from '../src/store/sealed.ts'
import { freePort } from '../tests/support/free-port.ts'
import type { Defer } from './cleanup.ts'
import { type Database, openDatabase } from './database.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))
/** As `npm start` runs it. */
const FLAGS = ['--max-semi-space-size=32', '--no-parallel-scavenge', '--heap-growing-percent=100']
const MOVABLE_CLOCK = new URL('./shifted-clock.js', import.meta.url).href
const POLL_MS = 20
const STDERR_CHARACTERS = 2_000
const TIMEOUT_MS = 180_000 // for a start on a machine that does much else

/** A process of the house that can be killed and started again, on the same port. */
export interface Instance {
  name: string
  url: string
  pid(): number
  /** Moves its clock so far from the machine's, where it was opened with one that can be moved. */
  moveClock(ms: number): Promise<void>
  /** Without a word of warning (SIGKILL), and then started again. */
  kill(): Promise<void>
  /** What it said where it ended by itself, which nothing that is done to it may bring about. */
  crashes(): string | undefined
  stop(): Promise<void>
}

/** A PostgreSQL of the drill's own, one process that answers and some that deliver, and an app. */
export interface Cluster {
  store: Store
  server: Instance
  workers: Instance[]
  app: { key: string; secret: string }
  /** Another app, under the drill's hand. */
  newApp(): Promise<App>
  /** What its processes open secrets with. */
  seal: Seal
  masterKey: string
  /** Another process of the house. */
  open(name: string, env: Record<string, string>, program?: Program): Promise<Instance>
  /** Which of its processes ended by themselves, in words. */
  crashes(): string[]
}

export interface ClusterOptions {
  /** Another database than the embedded one. */
  database?: Database
  workers?: number
  env?: Record<string, string>
  /** Another way to run it: an earlier version's program, or what is loaded before ours. */
  program?: Program
}

/** How a process of the house is run. */
export interface Program {
  path?: string
  /** A clock that can be moved: see shifted-clock.js. */
  movableClock?: boolean
}

/** It is there until the end, and what was opened of it is ended with it. */
export async function startCluster(defer: Defer, options: ClusterOptions = {}): Promise<Cluster> {
  const { database, workers: count = 2, env: more = {} } = options
  const { connection, url } = database ?? (await openDatabase(defer))
  const masterKey = randomBytes(32)
  await migrate(connection)
  const store = openStore({ connection, max: 4 })
  defer(() => store.close())
  const seal = createSeal(masterKey)
  // In test mode what failed is tried again within seconds: a drill has no time for the schedule of production.
  const newApp = () => createApp(store, seal, { nombre: 'Drill', modo: 'prueba' })
  const made = await newApp()

  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: url,
    MASTER_KEY: masterKey.toString('hex'),
    ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8',
    RATE_PER_SECOND: '1000000',
    RATE_BURST: '10000000',
    INVITES_PER_DAY: '1000000',
    LOG_LEVEL: 'fatal',
    ...more,
  }
  const instances: Instance[] = []
  const open = async (name: string, own: Record<string, string>, program = options.program) => {
    const instance = await startInstance(defer, name, { ...env, ...own }, program)
    instances.push(instance)
    return instance
  }
  const server = await open('server', { ROLE: 'api' })
  const workers: Instance[] = []
  for (let each = 1; each <= count; each++) workers.push(await open(`worker ${each}`, { ROLE: 'worker' }))
  return {
    ...{ store, server, workers, app: { key: made.app.appKey, secret: made.secret }, seal, open },
    masterKey: masterKey.toString('hex'),
    newApp: async () => (await newApp()).app,
    crashes: () => crashesOf(instances),
  }
}

/** Ready to serve, and there until the end, whenever that comes. */
export async function startInstance(
  defer: Defer,
  name: string,
  env: Record<string, string>,
  program: Program = {},
): Promise<Instance> {
  const { path = RODADO, movableClock = false } = program
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  /** Those that we ended; any other that ends has failed, and says why. */
  const ended = new WeakSet<ChildProcess>()
  let crashes: string | undefined
  let isClosed = false
  let child: ChildProcess | undefined
  defer(stop)
  await start()
  return {
    name,
    url,
    pid: () => child?.pid ?? 0,
    async moveClock(ms) {
      if (!child) throw new Error(`${name} has no clock to move.`)
      const moving = once(child, 'message')
      child.send(ms)
      const [moved] = await moving
      if (moved !== ms) throw new Error(`The clock of ${name} was moved by ${moved} ms instead of ${ms}.`)
    },
    async kill() {
      if (crashes) throw new Error(`There is nothing to kill: ${crashes}`)
      await end('SIGKILL')
      await start()
    },
    crashes: () => crashes,
    stop,
  }

  async function start(): Promise<void> {
    if (isClosed) throw new Error(`${name} is not started again: it was stopped.`)
    const before = movableClock ? ['--import', MOVABLE_CLOCK] : []
    const started = spawn(process.execPath, [...FLAGS, ...before, path, 'serve'], {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe', ...(movableClock ? (['ipc'] as const) : [])],
    })
    child = started
    let stderr = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARACTERS)
    })
    started.once('exit', (code, signal) => {
      if (!ended.has(started)) crashes ??= `${name} ended by itself (${code ?? signal}): ${stderr}`
    })
    const deadline = performance.now() + TIMEOUT_MS
    while (!(await isReady(url))) {
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`${name} ended with ${started.exitCode ?? started.signalCode}: ${stderr}`)
      if (performance.now() > deadline) throw new Error(`${name} was not ready after ${TIMEOUT_MS} ms.`)
      await pause(POLL_MS)
    }
  }

  async function stop(): Promise<void> {
    isClosed = true
    await end('SIGTERM')
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    ended.add(child)
    child.kill(signal)
    await gone
  }
}

/** Which of them ended by themselves, in words. */
export const crashesOf = (instances: readonly Pick<Instance, 'crashes'>[]): string[] =>
  instances.flatMap((instance) => instance.crashes() ?? [])

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

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
const MOVABLE_CLOCK = new URL('./shifted-clock.js', import.meta.url).href
const POLL_MS = 20
const STDERR_CHARACTERS = 2_000
const TIMEOUT_MS = 180_000 // a start on a busy machine takes long

/** A Rodado process that can be killed and restarted on the same port. */
export interface Instance {
  name: string
  url: string
  pid(): number
  /** Sets the clock's offset from the machine's. Needs `movableClock`. */
  moveClock(ms: number): Promise<void>
  /** Sends SIGKILL and starts the process again. */
  kill(): Promise<void>
  /** Sends SIGTERM, waits for the end, and starts the process again. */
  restart(): Promise<void>
  /** The exit code and stderr if the process exited without being stopped. No fault may cause that. */
  crash(): string | undefined
  stop(): Promise<void>
}

/** PostgreSQL, one server, some workers and an app. */
export interface Cluster {
  store: Store
  server: Instance
  workers: Instance[]
  app: { key: string; secret: string }
  /** Creates another app. */
  newApp(): Promise<App>
  /** The key of the instances, to read and write secrets. */
  seal: Seal
  masterKey: string
  /** Starts another instance. */
  open(name: string, env: Record<string, string>, program?: Program): Promise<Instance>
  /** One message for each instance that exited by itself. */
  crashes(): string[]
}

interface ClusterOptions {
  /** Defaults to an embedded PostgreSQL. */
  database?: Database
  /** Of the server; `all` also delivers. By default `api`. */
  role?: 'api' | 'all'
  workers?: number
  env?: Record<string, string>
  /** How to run the instances, for example an earlier version. */
  program?: Program
}

/** How to run an instance. */
interface Program {
  path?: string
  /** Loads shifted-clock.js, so that the clock can be moved. */
  movableClock?: boolean
}

/** Starts a cluster that is stopped by the cleanup. */
export async function startCluster(defer: Defer, options: ClusterOptions = {}): Promise<Cluster> {
  const { database, role = 'api', workers: count = 2, env: more = {} } = options
  const { connection, url } = database ?? (await openDatabase(defer))
  const masterKey = randomBytes(32)
  await migrate(connection)
  const store = openStore({ connection, max: 4 })
  defer(() => store.close())
  const seal = createSeal(masterKey)
  // Test mode retries within seconds: a drill cannot wait for the production schedule.
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
    DRAIN_SECONDS: '0',
    ...more,
  }
  const instances: Instance[] = []
  const open = async (name: string, own: Record<string, string>, program = options.program) => {
    const instance = await startInstance(defer, name, { ...env, ...own }, program)
    instances.push(instance)
    return instance
  }
  const server = await open('server', { ROLE: role })
  const workers: Instance[] = []
  for (let each = 1; each <= count; each++) workers.push(await open(`worker ${each}`, { ROLE: 'worker' }))
  return {
    store,
    server,
    workers,
    app: { key: made.app.appKey, secret: made.secret },
    seal,
    open,
    masterKey: masterKey.toString('hex'),
    newApp: async () => (await newApp()).app,
    crashes: () => crashesOf(instances),
  }
}

/** Starts an instance, waits until it is ready, and stops it at cleanup. */
export async function startInstance(
  defer: Defer,
  name: string,
  env: Record<string, string>,
  program: Program = {},
): Promise<Instance> {
  const { path = RODADO, movableClock = false } = program
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  /** The processes that we ended. Any other exit is a crash. */
  const ended = new WeakSet<ChildProcess>()
  let crash: string | undefined
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
      if (crash) throw new Error(`There is nothing to kill: ${crash}`)
      await end('SIGKILL')
      await start()
    },
    async restart() {
      await end('SIGTERM')
      await start()
    },
    crash: () => crash,
    stop,
  }

  async function start(): Promise<void> {
    if (isClosed) throw new Error(`${name} was stopped and is not started again.`)
    const before = movableClock ? ['--import', MOVABLE_CLOCK] : []
    const started = spawn(process.execPath, [...before, path, 'serve'], {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe', ...(movableClock ? (['ipc'] as const) : [])],
    })
    child = started
    let stderr = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARACTERS)
    })
    started.once('exit', (code, signal) => {
      if (!ended.has(started)) crash ??= `${name} ended by itself (${code ?? signal}): ${stderr}`
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

/** The crash messages of all instances. */
export const crashesOf = (instances: readonly Pick<Instance, 'crash'>[]): string[] =>
  instances.flatMap((instance) => instance.crash() ?? [])

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

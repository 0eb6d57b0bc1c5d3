import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** The first that keeps prepared statements in transaction mode. */
const SUPPORTED_FROM = 21
const PLACES = [process.env.PGBOUNCER, '/opt/pgbouncer/bin/pgbouncer', 'pgbouncer', '/usr/sbin/pgbouncer']
const NOBODY = 65_534

export interface PgBouncerProgram {
  path: string
  version: string
}

/** A real PgBouncer: named by PGBOUNCER, in /opt/pgbouncer, or in the PATH. */
export function findPgBouncer(wanted: 'supported' | 'too old'): PgBouncerProgram | undefined {
  for (const path of PLACES) {
    const printed = path && spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
    const [, version, minor] = /^PgBouncer (1\.(\d+)\S*)/.exec(printed || '') ?? []
    if (path && version && Number(minor) >= SUPPORTED_FROM === (wanted === 'supported')) return { path, version }
  }
  return undefined
}

/** Why a test is skipped, or false. */
export const missingPgBouncer = (wanted: 'supported' | 'too old'): string | false =>
  !findPgBouncer(wanted) &&
  `no PgBouncer ${wanted === 'supported' ? '1.21 or later' : 'before 1.21'} at hand: set PGBOUNCER to one`

export interface PgBouncer {
  url: string
  /** Ends it and every connection at once, and starts it again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface PgBouncerOptions {
  program: PgBouncerProgram
  /** Where PostgreSQL is; a folder is that of its socket. */
  host: string
  port: number
  user: string
  password?: string
  database: string
  /** The system user that may enter that folder; by default `nobody`, because it refuses to run as root. */
  uid?: number
  settings?: Record<string, string | number>
}

/** Starts a PgBouncer in transaction mode in front of a PostgreSQL. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { program, host, port, user, password = '', database, uid = NOBODY, settings = {} } = options
  const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-pgbouncer-'))
  await chmod(folder, 0o755)
  const listenPort = await freePort()
  const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: 5,
    max_client_conn: 500,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  await writeFile(config, ['[databases]', `* = host=${host} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'))
  await writeFile(users, `"${user}" "${password}"\n`)
  const isRoot = process.getuid?.() === 0
  let child: ChildProcess

  async function start(): Promise<void> {
    child = spawn(program.path, ['-q', config], { stdio: 'ignore', ...(isRoot && { uid, gid: uid }) })
    const failed = once(child, 'error').then(([error]) => Promise.reject(error))
    const ready = until(async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
      return accepts(listenPort)
    })
    await Promise.race([ready, failed])
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  await start()
  const secret = password ? `:${encodeURIComponent(password)}` : ''
  return {
    url: `postgres://${user}${secret}@127.0.0.1:${listenPort}/${database}`,
    async restart() {
      await end()
      await start()
    },
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })

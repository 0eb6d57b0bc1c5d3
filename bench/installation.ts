import { execFile } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Defer, makeTempDir } from '../drills/cleanup.ts'
import { sign, signatureNames, textToSign } from '../src/auth/signature.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import type { Connection } from '../src/store/failover.ts'
import { ensureMasterKey } from '../src/store/sealed.ts'
import { urlOf } from '../tests/support/database.ts'
import { type Core, pinPostgres, postgresMeter } from './machine.ts'
import { plainEnvironment, type ServerProcess, startCommand, startServer } from './server-process.ts'

const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A Rodado of the bench: a checkout, its own PostgreSQL, and one app. */
export interface Installation {
  name: string
  /** The folder of the program that runs here. */
  checkout: string
  folder: string
  connection: Connection
  masterKey: Buffer
  environment: Record<string, string>
  app: { key: string; secret: string }
  /** CPU time of PostgreSQL. */
  postgresMicros(): number
  pinPostgres(core: Core): void
  /** Starts the server as `npm start` does. */
  start(environment?: Record<string, string>, core?: Core): Promise<ServerProcess>
  /** Runs statements on one connection, and gives the rows of the last. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** What a command of `rodado` prints with --json. */
  command<T>(...args: string[]): Promise<T>
}

/** Makes one as an operator would. PostgreSQL belongs to the bench, so that it outlives the servers. */
export async function install(name: string, checkout: string, defer: Defer): Promise<Installation> {
  const folder = makeTempDir(defer, 'bench')
  const dataDir = join(folder, 'data')
  const starting = startEmbedded({ dataDir, log: noLog, purpose: 'command' })
  defer(async () => (await starting).stop())
  const { connection, pid } = await starting
  const masterKey = ensureMasterKey(dataDir)
  const environment = {
    DATABASE_URL: urlOf(connection),
    MASTER_KEY: masterKey.toString('hex'),
    PUBLIC_URL: 'http://rodado.example',
    TRUST_PROXY: '127.0.0.1', // pages are limited by address
    RATE_PER_SECOND: '1000000', // the bench sends more than any partner may
    RATE_BURST: '10000000',
    ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8',
    DRAIN_SECONDS: '0', // there is no balancer
  }
  const { flags, program } = startCommand(checkout)
  const command = async <T>(...args: string[]): Promise<T> => {
    const all = [join(checkout, 'bin/rodado.js'), ...args, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, all, {
      env: { ...plainEnvironment(), ...environment },
    })
    return JSON.parse(stdout) as T
  }
  await command('migrate')
  const made = await command<{ AppKey: string; AppSecret: string }>('app', 'create', '--nombre', 'Bench')
  return {
    name,
    checkout,
    folder,
    connection,
    masterKey,
    environment,
    command,
    app: { key: made.AppKey, secret: made.AppSecret },
    postgresMicros: postgresMeter(pid),
    pinPostgres: (core) => pinPostgres(pid, core),
    start: (more = {}, core = 'server') =>
      startServer({
        args: program,
        flags,
        env: { ...environment, ...more },
        logFile: join(folder, 'rodado.log'),
        core,
      }),
    async sql<Row>(text: string, values: unknown[] = []) {
      const client = new pg.Client(connection)
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(text, values)).rows as Row[]
      } finally {
        await client.end()
      }
    },
  }
}

/** Signed headers for a request. */
export type Credential = (path: string, at: number) => Record<string, string>

/** Each signature has another date within the 300 s that a server accepts, so that no two are alike. */
export const SIGNATURES = 300
const OLDEST_SECONDS = 120

export function signature({ app }: Installation): Credential {
  const names = signatureNames('SVC')
  const key = createSecretKey(app.secret, 'utf8')
  const now = Date.now()
  return (target, at) => {
    const headers = { date: new Date(now + ((at % SIGNATURES) - OLDEST_SECONDS) * 1000).toUTCString() }
    const proof = sign(key, textToSign({ method: 'GET', target, headers }, names)).toString('base64')
    return { ...headers, authorization: `${names.scheme} ${app.key}:${proof}` }
  }
}

/** One token for all requests, as a partner uses it for an hour. */
export async function bearer({ app }: Installation, port: number): Promise<Credential> {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${app.key}:${app.secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`POST /oauth/token answered ${response.status}: ${await response.text()}`)
  const { access_token } = (await response.json()) as { access_token: string }
  return () => ({ authorization: `Bearer ${access_token}` })
}

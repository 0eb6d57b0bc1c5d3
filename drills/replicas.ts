import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { as, run, type SystemUser, systemUserFor } from '../src/store/embedded/account.ts'
import { type Binaries, findBinaries } from '../src/store/embedded/binaries.ts'
import { freePort } from '../tests/support/free-port.ts'
import { type Defer, makeTempDir } from './cleanup.ts'
import type { Database } from './database.ts'

const POLL_MS = 20
const TIMEOUT_MS = 30_000
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  hot_standby: 'on',
  max_connections: '100',
  shared_buffers: '64MB',
}

/** Two PostgreSQL servers with synchronous replication: every acknowledged commit is on the standby's disk. */
export interface Replicas extends Database {
  /** The standby stops receiving, so commits wait. What the primary sends from now on never arrives. */
  holdStandby(): Promise<void>
  /** Kills the primary with all its processes, as a power failure does. */
  killPrimary(): Promise<void>
  /** Makes the standby accept writes. */
  promote(): Promise<void>
}

/**
 * Uses only initdb and postgres: the standby is a copy of the stopped primary's folder, and streams from the primary
 * afterwards.
 */
export async function openReplicas(defer: Defer): Promise<Replicas> {
  const folder = makeTempDir(defer, 'replicas')
  const running: ChildProcess[] = []
  let isClosed = false
  let held: number | undefined
  /** Ends the held receiver before it reads on, so that the data sent meanwhile is lost. */
  function endHeldReceiver(): void {
    if (held === undefined) return
    process.kill(held, 'SIGTERM')
    process.kill(held, 'SIGCONT')
    held = undefined
  }
  const opening = open()
  defer(async () => {
    for (const server of running) await end(server, 'SIGKILL')
    await opening.catch(() => undefined) // nothing is written after this
  })
  defer(() => {
    isClosed = true
    endHeldReceiver() // a stopped process does not notice that its server is gone
  })
  return opening

  async function open(): Promise<Replicas> {
    const { account, binaries, first, second } = await initPrimary(folder)
    const ports = [await freePort(), await freePort()] as const
    const start = async (dir: string, port: number, more: Record<string, string>) => {
      if (isClosed) throw new Error('The drill has ended.')
      const server = startServer({ account, binaries, dir, settings: { ...SETTINGS, port: String(port), ...more } })
      running.push(server)
      await untilAnswers(port, server)
      return server
    }

    const alone = await start(first, ports[0], {})
    await query(ports[0], 'postgres', 'create database rodado')
    await end(alone, 'SIGINT')
    await copyStopped(first, second, account)
    const primary = await start(first, ports[0], { synchronous_standby_names: '*', synchronous_commit: 'on' })
    const upstream = `host=127.0.0.1 port=${ports[0]} user=rodado application_name=second`
    await start(second, ports[1], { primary_conninfo: upstream })
    await until(async () => (await query(ports[0], 'postgres', STREAMING)).length > 0)

    const url = `postgres://rodado@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/rodado?target_session_attrs=read-write`
    return {
      connection: { connectionString: url },
      url,
      async holdStandby() {
        const [receiver] = await query(ports[1], 'postgres', 'select pid from pg_stat_wal_receiver')
        if (!receiver) throw new Error('The standby is not receiving.')
        if (isClosed) throw new Error('The drill has ended.')
        held = Number(receiver.pid)
        process.kill(held, 'SIGSTOP')
      },
      async killPrimary() {
        if (hasEnded(primary)) throw new Error('The primary had ended by itself.')
        await end(primary, 'SIGKILL')
        endHeldReceiver()
      },
      async promote() {
        const [answer] = await query(ports[1], 'postgres', 'select pg_promote(true, 30) as promoted')
        if (!answer?.promoted) throw new Error('The standby was not promoted.')
      },
    }
  }
}

/** Initialises the primary's folder and names the standby's. */
export async function initPrimary(folder: string) {
  await chmod(folder, 0o711) // PostgreSQL's user must enter it
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const account = await systemUserFor(first)
  const binaries = await findBinaries(account)
  await mkdir(first, { mode: 0o700 })
  if (account.foreign) await chown(first, account.uid, account.gid)
  const make = ['-D', first, '--username=rodado', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(account, binaries.initdb, make)
  return { account, binaries, first, second }
}

/** Copies the folder of a stopped server to make a standby. */
export async function copyStopped(from: string, to: string, account: SystemUser): Promise<void> {
  await run(ROOT, '/bin/cp', ['-a', from, to]) // with its owner and modes
  const signal = join(to, 'standby.signal')
  await writeFile(signal, '')
  if (account.foreign) await chown(signal, account.uid, account.gid)
}

const STREAMING = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`
const ROOT: SystemUser = { name: 'self', uid: 0, gid: 0, foreign: false }

interface ServerOptions {
  account: SystemUser
  binaries: Binaries
  dir: string
  settings: Record<string, string>
}

export function startServer({ account, binaries, dir, settings }: ServerOptions): ChildProcess {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Its own process group, so that all its processes can be killed.
  return spawn(binaries.postgres, ['-D', dir, ...args], { ...as(account), detached: true, stdio: 'ignore' })
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

export async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.pid === undefined || hasEnded(server)) return
  const gone = once(server, 'exit')
  process.kill(signal === 'SIGKILL' ? -server.pid : server.pid, signal)
  await gone
}

export async function untilAnswers(port: number, server: ChildProcess): Promise<void> {
  await until(async () => {
    if (hasEnded(server)) throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode}.`)
    return query(port, 'postgres', 'select 1').then(
      () => true,
      () => false,
    )
  })
}

export async function query(port: number, database: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'rodado', database, ssl: false })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not true after ${TIMEOUT_MS} ms: ${condition}`)
    await pause(POLL_MS)
  }
}

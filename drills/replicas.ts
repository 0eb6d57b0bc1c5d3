import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Account, accountFor, as, run } from '../src/store/embedded/account.ts'
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

/** Two PostgreSQL servers on this machine: what the first has acknowledged, the second has on its disk. */
export interface Replicas extends Database {
  /** From now on the second takes nothing in: whoever waits for it waits. What is on its way to it then never arrives. */
  holdStandby(): Promise<void>
  /** The first is gone, with all its processes, as when a machine loses its power. */
  killPrimary(): Promise<void>
  /** The second takes writes from now on. */
  promote(): Promise<void>
}

/**
 * Made with nothing but initdb and postgres: the standby is a copy of the primary's stopped folder, which streams from it
 * afterwards, synchronously.
 */
export async function openReplicas(defer: Defer): Promise<Replicas> {
  const folder = makeTempDir(defer, 'replicas')
  const running: ChildProcess[] = []
  let isClosed = false
  let held: number | undefined
  /** It ends before it reads on: what the first had sent meanwhile is lost, as on a line that was cut. */
  function letGo(): void {
    if (held === undefined) return
    process.kill(held, 'SIGTERM')
    process.kill(held, 'SIGCONT')
    held = undefined
  }
  const opening = open()
  defer(async () => {
    for (const server of running) await end(server, 'SIGKILL')
    await opening.catch(() => undefined) // nothing is written any more
  })
  defer(() => {
    isClosed = true
    letGo() // a process that is stopped does not see that its server is gone
  })
  return opening

  async function open(): Promise<Replicas> {
    const { account, binaries, first, second } = await makeBoth(folder)
    const ports = [await freePort(), await freePort()] as const
    const start = async (dir: string, port: number, more: Record<string, string>) => {
      if (isClosed) throw new Error('PostgreSQL is not started any more.')
      const server = startServer({ account, binaries, dir, settings: { ...SETTINGS, port: String(port), ...more } })
      running.push(server)
      await untilAnswers(port, server)
      return server
    }

    const alone = await start(first, ports[0], {})
    await ask(ports[0], 'postgres', 'create database rodado')
    await end(alone, 'SIGINT')
    await copyStopped(first, second, account)
    const primary = await start(first, ports[0], { synchronous_standby_names: '*', synchronous_commit: 'on' })
    const upstream = `host=127.0.0.1 port=${ports[0]} user=rodado application_name=second`
    await start(second, ports[1], { primary_conninfo: upstream })
    await until(async () => (await ask(ports[0], 'postgres', STREAMING)).length > 0)

    const url = `postgres://rodado@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/rodado?target_session_attrs=read-write`
    return {
      connection: { connectionString: url },
      url,
      async holdStandby() {
        const [receiver] = await ask(ports[1], 'postgres', 'select pid from pg_stat_wal_receiver')
        if (!receiver) throw new Error('Nothing comes to the standby.')
        if (isClosed) throw new Error('The standby is not held any more.')
        held = Number(receiver.pid)
        process.kill(held, 'SIGSTOP')
      },
      async killPrimary() {
        if (hasEnded(primary)) throw new Error('The primary had ended by itself.')
        await end(primary, 'SIGKILL')
        letGo()
      },
      async promote() {
        const [answer] = await ask(ports[1], 'postgres', 'select pg_promote(true, 30) as promoted')
        if (!answer?.promoted) throw new Error('The standby was not promoted.')
      },
    }
  }
}

/** The folder of the first, filled, and the place of the second. */
async function makeBoth(folder: string) {
  await chmod(folder, 0o711) // PostgreSQL's user must pass through
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const account = await accountFor(first)
  const binaries = await findBinaries(account)
  await mkdir(first, { mode: 0o700 })
  if (account.foreign) await chown(first, account.uid, account.gid)
  const make = ['-D', first, '--username=rodado', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(account, binaries.initdb, make)
  return { account, binaries, first, second }
}

/** The folder of a server that does not run, as that of one that will follow it. */
async function copyStopped(from: string, to: string, account: Account): Promise<void> {
  await cp(from, to, { recursive: true })
  await writeFile(join(to, 'standby.signal'), '')
  await run(ROOT, '/bin/chmod', ['-R', 'go=', to])
  if (account.foreign) await run(ROOT, '/bin/chown', ['-R', `${account.uid}:${account.gid}`, to])
}

const STREAMING = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`
const ROOT: Account = { name: 'self', uid: 0, gid: 0, foreign: false }

interface Started {
  account: Account
  binaries: Binaries
  dir: string
  settings: Record<string, string>
}

function startServer({ account, binaries, dir, settings }: Started): ChildProcess {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A group of its own, so that it can be killed as a whole.
  return spawn(binaries.postgres, ['-D', dir, ...args], { ...as(account), detached: true, stdio: 'ignore' })
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.pid === undefined || hasEnded(server)) return
  const gone = once(server, 'exit')
  process.kill(signal === 'SIGKILL' ? -server.pid : server.pid, signal)
  await gone
}

async function untilAnswers(port: number, server: ChildProcess): Promise<void> {
  await until(async () => {
    if (hasEnded(server)) throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode}.`)
    return ask(port, 'postgres', 'select 1').then(
      () => true,
      () => false,
    )
  })
}

async function ask(port: number, database: string, text: string): Promise<Record<string, unknown>[]> {
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
    if (performance.now() > deadline) throw new Error(`still not so after ${TIMEOUT_MS} ms: ${condition}`)
    await pause(POLL_MS)
  }
}

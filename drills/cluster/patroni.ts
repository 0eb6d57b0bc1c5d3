import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { as, type SystemUser, systemUserFor } from '../../src/store/embedded/account.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { startHaproxy } from '../balancers.ts'
import { type Defer, makeTempDir } from '../cleanup.ts'
import { findProgram, findPrograms, type Service, startService } from '../service.ts'
import { type Link, openLink } from './link.ts'

const NODES = ['node1', 'node2', 'node3']
const POLL_MS = 100
const BOOTSTRAP_MS = 120_000
const USER = 'rodado'
const PG_HOMES = '/usr/lib/postgresql'

/** The programs of a cluster, or the names of those that cannot be run here. */
interface Programs {
  etcd: string
  haproxy: string
  patroni: string
  /** The folder of initdb, pg_rewind and pg_basebackup. */
  postgres: string
  account: SystemUser
}

/** PostgreSQL refuses to run as root, so Patroni runs as another user, who must be able to execute it. */
export async function findClusterPrograms(): Promise<Programs | { missing: string[] }> {
  const account = await systemUserFor(join(PG_HOMES, 'none'))
  const [etcd, haproxy] = [findProgram('etcd'), findProgram('haproxy')]
  const patroni = findPrograms('patroni', ['/opt/patroni/bin']).find((path) => runs(account, path))
  const homes = [process.env.PG_BIN ?? '', ...versionsOf(PG_HOMES).map((version) => join(PG_HOMES, version, 'bin'))]
  const postgres = homes.find((home) => home !== '' && runs(account, join(home, 'pg_rewind')))
  if (etcd && haproxy && patroni && postgres) return { etcd, haproxy, patroni, postgres, account }
  const all = { etcd, haproxy, [`patroni (as ${account.name})`]: patroni, 'PostgreSQL with pg_rewind': postgres }
  return { missing: Object.entries(all).flatMap(([name, path]) => (path ? [] : [name])) }
}

function runs(account: SystemUser, program: string): boolean {
  try {
    execFileSync(program, ['--version'], { ...as(account), stdio: 'ignore', cwd: '/' })
    return true
  } catch {
    return false
  }
}

function versionsOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort((a, b) => Number(b) - Number(a))
  } catch {
    return []
  }
}

/** A member as Patroni reports it. */
export interface Member {
  name: string
  role: string
  state: string
  timeline?: number
}

/** PostgreSQL under Patroni, on one of the three machines. */
export interface Node {
  name: string
  /** PostgreSQL itself, past the network. */
  port: number
  /** Ends Patroni and PostgreSQL at once, as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
  freeze(): void
  /** PostgreSQL goes on; Patroni, which would stop it, goes on later. */
  resumePostgres(): void
  resumePatroni(): void
  cutOff(): void
  restore(): void
  /** The last lines of Patroni's log. */
  said(): string
  /** Whether the client of a connection to PostgreSQL, by its port, is still there. */
  isOpen(port: number): boolean
}

export interface PatroniCluster {
  nodes: Node[]
  /** Through HAProxy, and with every server named. */
  urls: { haproxy: string; hosts: string }
  /** What Patroni reports, by a node that answers. */
  members(): Promise<Member[]>
}

/** Starts etcd, three nodes and HAProxy. Commits are acknowledged when a standby has them (synchronous_mode_strict). */
export async function openPatroni(defer: Defer, programs: Programs): Promise<PatroniCluster> {
  const folder = makeTempDir(defer, 'patroni')
  await chmod(folder, 0o711) // PostgreSQL's user must enter it
  const etcd = await startEtcd(defer, programs.etcd, join(folder, 'etcd'))
  const started: { node: Node; links: { postgres: Link; rest: Link } }[] = []
  for (const name of NODES) started.push(await openNode(defer, { name, folder, etcd, programs }))
  const restPorts = started.map(({ links }) => links.rest.port)
  const members = () => membersBy(restPorts)
  const [first, ...others] = started.map(({ node }) => node)
  await first?.start()
  await within(BOOTSTRAP_MS, 'the first node leads', async () => (await members()).some(isLeader))
  for (const node of others) await node.start()
  await within(BOOTSTRAP_MS, 'three nodes run', async () => isHealthy(await members()))
  await createDatabase(first?.port ?? 0)

  const port = await freePort()
  const servers = started.map(
    ({ node, links }) => `  server ${node.name} 127.0.0.1:${links.postgres.port} check port ${links.rest.port}`,
  )
  await startHaproxy(defer, programs.haproxy, port, haproxyConfig(port, servers))
  const hosts = started.map(({ links }) => `127.0.0.1:${links.postgres.port}`).join(',')
  return {
    nodes: started.map(({ node }) => node),
    urls: { haproxy: `postgres://${USER}@127.0.0.1:${port}/rodado`, hosts: `postgres://${USER}@${hosts}/rodado` },
    members,
  }
}

const isLeader = ({ role, state }: Member): boolean => role === 'leader' && state === 'running'

/** One leader, two replicas that receive from it, and one of them synchronous. */
export const isHealthy = (members: readonly Member[]): boolean =>
  members.length === NODES.length &&
  members.filter(isLeader).length === 1 &&
  members.filter(({ state }) => state === 'streaming').length === NODES.length - 1 &&
  members.some(({ role }) => role === 'sync_standby') &&
  new Set(members.map(({ timeline }) => timeline)).size === 1

/** The leader, once it is not that node. */
export const leaderOf = (members: readonly Member[]): Member | undefined => members.find(isLeader)

/** Repeats until it is true. */
export async function within(ms: number, what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not after ${ms / 1_000} s: ${what}`)
    await pause(POLL_MS)
  }
}

async function startEtcd(defer: Defer, program: string, dir: string): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()]
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const args = [
    '--name',
    'only',
    '--data-dir',
    dir,
    '--initial-cluster',
    `only=${peers}`,
    '--listen-client-urls',
    clients,
    '--advertise-client-urls',
    clients,
    '--listen-peer-urls',
    peers,
    '--initial-advertise-peer-urls',
    peers,
  ]
  await startService(defer, program, args, { port: client })
  // Patroni ends with an error while this is `not_decided`.
  await within(BOOTSTRAP_MS, 'etcd has a version', async () => {
    const version = (await (await fetch(`${clients}/version`)).json()) as { etcdcluster: string }
    return /^\d/.test(version.etcdcluster)
  })
  return client
}

interface NodeOptions {
  name: string
  folder: string
  etcd: number
  programs: Programs
}

/** Everybody reaches the node, and it reaches etcd, through links that can be cut. */
async function openNode(defer: Defer, { name, folder, etcd, programs }: NodeOptions) {
  const { account, patroni } = programs
  const [port, restPort] = [await freePort(), await freePort()]
  const links = {
    postgres: await openLink(defer, port),
    rest: await openLink(defer, restPort),
    etcd: await openLink(defer, etcd),
  }
  const home = join(folder, name)
  const dataDir = join(home, 'data')
  await mkdir(home, { mode: 0o700 })
  const file = join(home, 'patroni.yml')
  const ports = { port, restPort, postgres: links.postgres.port, rest: links.rest.port, etcd: links.etcd.port }
  await writeFile(file, JSON.stringify(patroniConfig(name, dataDir, programs.postgres, ports))) // JSON is YAML
  if (account.foreign) for (const path of [home, file]) await chown(path, account.uid, account.gid)

  let service: Service | undefined
  const signalPostgres = (signal: NodeJS.Signals) => {
    for (const pid of postgresOf(dataDir)) trySignal(pid, signal)
  }
  const kill = async () => {
    const all = postgresOf(dataDir) // before Patroni can restart it
    service?.signal('SIGSTOP')
    for (const pid of all) trySignal(pid, 'SIGKILL')
    await service?.stop()
  }
  defer(kill)
  const node: Node = {
    name,
    port,
    kill,
    async start() {
      const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
      service = await startService(defer, patroni, [file], { ...as(account), port: restPort, cwd: home, env })
    },
    freeze() {
      service?.signal('SIGSTOP')
      signalPostgres('SIGSTOP')
    },
    resumePostgres: () => signalPostgres('SIGCONT'),
    resumePatroni: () => service?.signal('SIGCONT'),
    cutOff() {
      for (const link of Object.values(links)) link.cut()
    },
    restore() {
      for (const link of Object.values(links)) link.restore()
    },
    said: () => service?.said() ?? '',
    isOpen: links.postgres.isOpen,
  }
  return { node, links }
}

/** The postmaster and its children; they are not in Patroni's process group. */
function postgresOf(dataDir: string): number[] {
  try {
    const postmaster = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)]
  } catch {
    return [] // it does not run
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has just ended
  }
}

type Ports = Record<'port' | 'restPort' | 'postgres' | 'rest' | 'etcd', number>

function patroniConfig(name: string, dataDir: string, binDir: string, ports: Ports): object {
  const local = (port: number) => `127.0.0.1:${port}`
  return {
    scope: 'rodado',
    name,
    restapi: { listen: local(ports.restPort), connect_address: local(ports.rest) },
    etcd3: { hosts: [local(ports.etcd)], use_proxies: true },
    bootstrap: {
      dcs: {
        // The shortest that Patroni permits.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, remove_data_directory_on_diverged_timelines: true },
      },
      // After a fail-over the old leader may wait for the new one's next WAL segment, so these are short.
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { 'wal-segsize': '1' }, 'data-checksums'],
    },
    postgresql: {
      listen: local(ports.port),
      connect_address: local(ports.postgres),
      data_dir: dataDir,
      bin_dir: binDir,
      pgpass: join(dataDir, '..', 'pgpass'),
      authentication: { superuser: { username: USER }, replication: { username: 'replicator' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: {
        unix_socket_directories: '',
        shared_buffers: '64MB',
        max_connections: 200,
        wal_keep_size: '128MB',
        // A leader that is cut off waits this long for its standbys when Patroni stops it. While it waits, Patroni stops it a
        // second time and then starts it twice.
        wal_sender_timeout: '3s',
      },
    },
  }
}

const haproxyConfig = (port: number, servers: string[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen leader
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`

async function createDatabase(port: number): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres', ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create database rodado')
  await client.end()
}

const ANSWER_MS = 1_000

/** A node that is dead, frozen or cut off does not answer, and one that was may not know better yet: all are read. */
async function membersBy(ports: readonly number[]): Promise<Member[]> {
  const answers = await Promise.all(
    ports.map(async (port): Promise<Member[]> => {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal }).catch(() => undefined)
      return ((await answer?.json().catch(() => undefined)) as { members?: Member[] } | undefined)?.members ?? []
    }),
  )
  const highest = (members: Member[]) => Math.max(0, ...members.filter(isLeader).map(({ timeline }) => timeline ?? 0))
  return answers.reduce((best, each) => (highest(each) > highest(best) ? each : best), [])
}

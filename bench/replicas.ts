// npm run bench:replicas [-- [--quick] [--rows N] [--seconds N] [--share CORES]]
// Pages of inquiries and single inquiries with no, one and two replicas: what each server spends on a read, and what was
// busy. With --share each PostgreSQL gets only that part of a core, as if it had a small machine of its own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cleanup, type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { aligned } from '../drills/table.ts'
import { startReplicated } from '../tests/support/replicated.ts'
import { startClient } from './client.ts'
import { getRequests } from './http.ts'
import { type Installation, install } from './installation.ts'
import { describeMachine, machineCores, machineMicros, postgresMeter } from './machine.ts'
import type { Bench } from './scenario.ts'
import { onePaths, pagePaths } from './scenarios/consultas.ts'
import { ROOT, type ServerProcess, withProcesses } from './server-process.ts'

const NODES = 2
const CONNECTIONS = 16
/** Few, because each connection plans every statement some times before it keeps a plan. */
const PG_POOL = '4'
const WARM_UP_MS = 5_000
const FULL = { rows: 200_000, seconds: 10 }
const QUICK = { rows: 5_000, seconds: 1 }
const EVERY_PROCESS = /./
/** A machine with less to spare than this is full. */
const FULL_PERCENT = 95

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    seconds: { type: 'string' },
    share: { type: 'string' },
  },
})
const usual = values.quick ? QUICK : FULL
const [rows, seconds] = [Number(values.rows ?? usual.rows), Number(values.seconds ?? usual.seconds)]

async function run({ defer }: Cleanup): Promise<number> {
  const progress = (line: string) => void process.stdout.write(`${line}\n`)
  execFileSync(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: ROOT, stdio: 'inherit' })
  const starting = startReplicated([{}, {}])
  defer(async () => (await starting).stop())
  const { primaryUrl, primaryPid, replicas, query } = await starting
  const servers = [primaryPid, ...replicas.map(({ pid }) => pid)]
  const database = { connection: { connectionString: primaryUrl }, pid: primaryPid }
  const ours = await install('ours', ROOT, defer, database)
  const bench: Bench = { ours, rows, rounds: 1, quick: values.quick, progress, defer }
  const reads = { 'page of 25 inquiries': await pagePaths(bench, ours), 'one inquiry': await onePaths(bench, ours) }
  const [{ lsn } = {}] = await query('select pg_current_wal_insert_lsn()::text as lsn')
  for (const replica of replicas) await replayed(replica.query, String(lsn))
  if (values.share) for (const pid of servers) limit(pid, Number(values.share), defer)

  progress(
    `${describeMachine().replace(/, (servers on|cores not).*/, '')}; ${rows.toLocaleString('en')} inquiries; ${seconds} s each\n`,
  )
  const table = [['read', 'replicas', 'a second', 'node µs', 'primary µs', 'replica µs', 'machine %', 'full']]
  for (const [read, paths] of Object.entries(reads))
    for (let count = 0; count <= replicas.length; count++) {
      const urls = replicas.slice(0, count).map(({ url }) => url)
      table.push([read, String(count), ...(await measure(ours, urls, paths, servers))])
      progress(aligned(table.slice(-1)))
    }
  progress(`\n${aligned(table)}`)
  return 0
}

/** Two API nodes, each with a client of its own. */
const measure = (ours: Installation, urls: string[], paths: string[], servers: (number | undefined)[]) =>
  withProcesses(async (started) => {
    const environment = { ROLE: 'api', PG_POOL, DATABASE_REPLICA_URLS: urls.join(',') }
    const nodes: ServerProcess[] = []
    for (let at = 0; at < NODES; at++) nodes.push(started(await ours.start(environment, 'any')))
    const clients = await Promise.all(nodes.map(async () => started(await startClient('any'))))
    const load = async (durationMs: number) => {
      const orders = nodes.map(async (server, at) => {
        const requests = await getRequests({ paths: async () => paths }, { name: 'ours', server, installation: ours })
        return clients[at]?.load({ port: server.port, connections: CONNECTIONS, durationMs, requests })
      })
      return (await Promise.all(orders)).flatMap((each) => each ?? [])
    }
    await load(WARM_UP_MS)
    const meters = servers.map((pid) => postgresMeter(pid, EVERY_PROCESS))
    const usage = async () => ({
      nodes: sum(await Promise.all(nodes.map(({ cpuMicros }) => cpuMicros()))),
      postgres: meters.map((meter) => meter()),
      machine: machineMicros(),
    })
    const before = await usage()
    const loads = await load(seconds * 1000)
    const after = await usage()
    const answered = sum(loads.map((each) => each.answered))
    const elapsed = Math.max(...loads.map(({ elapsedMicros }) => elapsedMicros))
    const [primary = 0, ...copies] = after.postgres.map((micros, at) => micros - (before.postgres[at] ?? 0))
    const busy = (100 * (after.machine - before.machine)) / elapsed / machineCores
    const share = Number(values.share ?? Number.POSITIVE_INFINITY)
    const saturated = [
      ...(busy > FULL_PERCENT ? ['machine'] : []),
      ...(primary / elapsed / share > FULL_PERCENT / 100 ? ['primary'] : []),
      ...(copies.some((micros) => micros / elapsed / share > FULL_PERCENT / 100) ? ['replicas'] : []),
    ]
    const each = (micros: number) => (micros / answered).toFixed(0)
    return [
      Math.round(answered / (elapsed / 1e6)).toLocaleString('en'),
      ...[each(after.nodes - before.nodes), each(primary), each(sum(copies)), busy.toFixed(0)],
      saturated.join(', ') || '–',
    ]
  })

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

async function replayed(query: (text: string) => Promise<Record<string, unknown>[]>, lsn: string): Promise<void> {
  const done = async () => (await query(`select pg_last_wal_replay_lsn() >= '${lsn}' as done`))[0]?.done
  while (!(await done())) await pause(100)
}

const CPU_GROUPS = '/sys/fs/cgroup/cpu'
const PERIOD_MICROS = 20_000

/** Gives a PostgreSQL a part of a core, by a control group (version 1) of its own; its later processes stay there. */
function limit(postmaster: number | undefined, cores: number, defer: Defer): void {
  const group = join(CPU_GROUPS, `rodado-bench-${postmaster}`)
  if (!existsSync(join(CPU_GROUPS, 'cpu.cfs_quota_us'))) throw new Error('--share needs control groups of version 1.')
  mkdirSync(group)
  defer(() => {
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
      writeFileSync(join(CPU_GROUPS, 'cgroup.procs'), pid)
    rmdirSync(group)
  })
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_MICROS))
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_MICROS * cores)))
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of [String(postmaster), ...children.split('\n').map((line) => line.trim())].filter(Boolean))
    writeFileSync(join(group, 'cgroup.procs'), pid)
}

await runWithCleanup(run)

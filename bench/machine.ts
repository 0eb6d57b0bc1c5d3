import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { lazy } from '../src/memoize.ts'

const [SERVER_CORE, CLIENT_CORE] = ['0', '1']
const CORES = cpus().length

/** The core of the servers and their PostgreSQL, the core of the client, or any. */
export type Core = 'server' | 'client' | 'any'

const maskOf = (core: Core) => ({ server: SERVER_CORE, client: CLIENT_CORE, any: `0-${CORES - 1}` })[core]

/** Whether servers and client can have a core each (`taskset`, and two cores). */
const canPin = lazy(() => CORES > 1 && succeeds('taskset', ['-c', `${SERVER_CORE},${CLIENT_CORE}`, 'true']))

/** The command line that keeps a program on its core. */
export const pinned = (core: Core, program: string, args: string[]): [string, string[]] =>
  core !== 'any' && canPin() ? ['taskset', ['-c', maskOf(core), program, ...args]] : [program, args]

/** Moves a PostgreSQL and its connections to a core; connections opened later stay there too. */
export function pinPostgres(postmaster: number | undefined, core: Core): void {
  if (!canPin()) return
  const backends = childrenOf(postmaster).filter((pid) => BACKEND.test(commandOf(pid)))
  for (const pid of [String(postmaster), ...backends]) succeeds('taskset', ['-c', '-p', maskOf(core), pid])
}

/** How PostgreSQL names its processes that work for a connection. */
const BACKEND = /\[local\]/
const WORKS_FOR_BACKENDS = /\[local\]|io worker/

/**
 * Measures the CPU time of the processes of a PostgreSQL that answer queries, without the ones that work in the
 * background. A backend that has ended keeps what it had used when it was last seen. NaN without /proc.
 */
export function postgresMeter(postmaster: number | undefined): () => number {
  const used = new Map<string, number>()
  return () => {
    try {
      for (const pid of childrenOf(postmaster))
        if (WORKS_FOR_BACKENDS.test(commandOf(pid))) used.set(`${pid} ${statOf(pid)[BEGAN]}`, cpuMicrosOf(pid))
      return [...used.values()].reduce((sum, micros) => sum + micros, 0)
    } catch {
      return Number.NaN
    }
  }
}

const [PARENT, BEGAN] = [1, 19] // fields of /proc/…/stat after the name

const childrenOf = (parent: number | undefined): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && statOf(pid)[PARENT] === String(parent))

/** The name stands in brackets and may hold spaces; the other fields do not. */
function statOf(pid: string): string[] {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const commandOf = (pid: string): string => read(`/proc/${pid}/cmdline`)
const cpuMicrosOf = (pid: string): number => Number(read(`/proc/${pid}/schedstat`).split(' ')[0]) / 1000

/** Empty for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The CPU time that all cores together have used. */
export const machineMicros = (): number =>
  cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) * 1000, 0)

export const machineCores = CORES

/** The machine in one line. */
export const describeMachine = (): string =>
  [
    `Node ${process.version}`,
    cpus()[0]?.model.trim() ?? 'unknown processor',
    `${CORES} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}`,
    canPin() ? 'servers on one core, client on another' : 'cores not separated',
  ].join(', ')

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

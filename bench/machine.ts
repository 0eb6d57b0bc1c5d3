import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, getPriority, release, totalmem, type } from 'node:os'

const [SERVER_CORE, CLIENT_CORE] = [0, 1]

export const machineCores = cpus().length

/** Where something works: on the servers' core, on the client's, or on any. */
export type Place = 'server' | 'client' | 'anywhere'

/** Its cores as `taskset` wants them; undefined where nothing can be kept anywhere. */
export function coresOf(place: Place): string | undefined {
  if (!canPin()) return undefined
  if (place === 'anywhere') return `0-${machineCores - 1}`
  return String(place === 'server' ? SERVER_CORE : CLIENT_CORE)
}

/** How to start a program so that it stays in its place; where that is not to be had, as it is. */
export function pinned(to: Place, program: string, args: string[]): [string, string[]] {
  const cores = to === 'anywhere' ? undefined : coresOf(to)
  return cores === undefined ? [program, args] : ['taskset', ['-c', cores, program, ...args]]
}

/** Has a process go on in that place, and whatever it starts from then on; one that has ended meanwhile is left alone. */
export function place(pid: string, to: Place): void {
  const cores = coresOf(to)
  if (cores && !succeeds('taskset', ['-c', '-p', cores, pid]) && existsSync(`/proc/${pid}`))
    throw new Error(`Process ${pid} could not be placed on core ${cores}.`)
}

let pins: boolean | undefined

/** Whether servers and client can have a core each. */
export function canPin(): boolean {
  pins ??= machineCores > 1 && succeeds('taskset', ['-c', `${SERVER_CORE},${CLIENT_CORE}`, 'true'])
  return pins
}

/** The time all cores together were busy since the machine started: what is not ours in it is noise. */
export function busyMicros(): number {
  let ms = 0
  for (const { times } of cpus()) ms += times.user + times.nice + times.sys + times.irq
  return ms * 1000
}

/** Where figures were taken; without it they mean nothing. */
export interface Machine {
  processor: string
  cores: number
  memoryGiB: number
  system: string
  node: string
  pinned: boolean
  /** Niceness: below 0, the bench went before other work of the machine. */
  priority: number
}

export const describeMachine = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: machineCores,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.version,
  pinned: canPin(),
  priority: getPriority(),
})

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

import { readdirSync, readFileSync } from 'node:fs'

const MICROS_PER_TICK = 10_000 // /proc/…/stat counts CPU time in hundredths of a second
const PARENT = 1 // of /proc/…/stat, after the name
const OWN = [11, 12] // in the program and in the system
const OF_ENDED_CHILDREN = [13, 14]
const BEGAN = 19 // tells two processes apart that have had the same number

/** The CPU time of a process and of its children, those that ended included; NaN where the system does not tell. */
export function familyMicros(pid: number | undefined): number {
  try {
    const ofEnded = ticks(statOf(String(pid)) ?? [], OF_ENDED_CHILDREN)
    return membersOf(pid).reduce((sum, { micros }) => sum + micros, ofEnded)
  } catch {
    return Number.NaN
  }
}

/** What PostgreSQL calls those of its processes that work for whoever asks. */
const SERVING = /\[local\]|io worker/
/** And those of them that have a connection each. */
const BACKEND = /\[local\]/

/**
 * Tells the CPU time of the processes of PostgreSQL that answer somebody; NaN where the system does not tell. One that ends
 * with its connection keeps what it had spent when it was last looked at.
 */
export function servingMeter(postmaster: number | undefined): () => number {
  const seen = new Map<string, number>()
  return () => {
    try {
      for (const { pid, began, micros } of membersOf(postmaster))
        if (SERVING.test(nameOf(pid))) seen.set(`${pid} ${began}`, micros)
      return [...seen.values()].reduce((sum, micros) => sum + micros, 0)
    } catch {
      return Number.NaN
    }
  }
}

/** The process of PostgreSQL that takes connections, and those that answer one each. */
export const answeringOf = (postmaster: number | undefined): string[] =>
  membersOf(postmaster).flatMap(({ pid }) => (pid === String(postmaster) || BACKEND.test(nameOf(pid)) ? [pid] : []))

/** A process and its children. */
function membersOf(head: number | undefined): { pid: string; began: string | undefined; micros: number }[] {
  return readdirSync('/proc').flatMap((pid) => {
    const fields = /^\d+$/.test(pid) ? statOf(pid) : undefined
    if (!fields || !(pid === String(head) || fields[PARENT] === String(head))) return []
    return [{ pid, began: fields[BEGAN], micros: exactMicros(pid) ?? ticks(fields, OWN) }]
  })
}

const ticks = (fields: string[], places: number[]) =>
  places.reduce((sum, at) => sum + Number(fields[at] ?? 0) * MICROS_PER_TICK, 0)

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}

/** The name may hold spaces and stands in brackets; what follows does not. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // it ended meanwhile
  }
}

/** The scheduler's own count, in nanoseconds, where the kernel tells it; PostgreSQL's processes have one thread each. */
function exactMicros(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return undefined
  }
}

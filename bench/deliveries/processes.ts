import { readdirSync, readFileSync } from 'node:fs'

const MICROS_PER_TICK = 10_000 // /proc/…/stat counts CPU time in hundredths of a second
const PARENT = 1 // of /proc/…/stat, after the name
const OWN = [11, 12] // in the program and in the system
const OF_ENDED_CHILDREN = [13, 14]

/** The CPU time of a process and of its children, those that ended included; NaN where the system does not tell. */
export function familyMicros(pid: number | undefined): number {
  try {
    let micros = 0
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue
      const fields = statOf(entry)
      const isHead = entry === String(pid)
      if (!fields || !(isHead || fields[PARENT] === String(pid))) continue
      const ticks = (places: number[]) => places.reduce((sum, at) => sum + Number(fields[at]) * MICROS_PER_TICK, 0)
      micros += (exactMicros(entry) ?? ticks(OWN)) + (isHead ? ticks(OF_ENDED_CHILDREN) : 0)
    }
    return micros
  } catch {
    return Number.NaN
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

import { readdirSync, readFileSync } from 'node:fs'

const MICROS_PER_TICK = 10_000 // Linux counts CPU time in hundredths of a second
const [PARENT, USER, SYSTEM] = [1, 11, 12] // of /proc/…/stat, after the name

/** The CPU time of a process and of its living children; NaN where the system does not tell. */
export function childrenMicros(pid: number | undefined): number {
  try {
    let ticks = 0
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue
      const fields = statOf(entry)
      if (fields && (entry === String(pid) || fields[PARENT] === String(pid)))
        ticks += Number(fields[USER]) + Number(fields[SYSTEM])
    }
    return ticks * MICROS_PER_TICK
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

import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const SAMPLE_MS = 500
const SETTLE_MS = 10_000
const KIB_PER_MIB = 1024

/** The resident memory of a process. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kib = /VmRSS:\s+(\d+) kB/.exec(status)?.[1]
  if (kib === undefined) throw new Error(`Process ${pid} reports no memory: it has ended.`)
  return Number(kib) / KIB_PER_MIB
}

/** The lowest value within a while: a leak stays, memory in use for a moment does not. */
export async function settledMib(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let waited = 0; waited < SETTLE_MS; waited += SAMPLE_MS) {
    await pause(SAMPLE_MS)
    least = Math.min(least, await residentMib(pid))
  }
  return least
}

/** Samples the memory until `end`, which returns the samples. */
export function watchMemory(pid: number): { end(): number[] } {
  const seen: number[] = []
  const look = () => residentMib(pid).catch(() => Number.NaN) // a crashed server is a violation, not an error of the drill
  const looking = setInterval(() => void look().then((mib) => seen.push(mib)), SAMPLE_MS)
  return {
    end() {
      clearInterval(looking)
      return seen
    },
  }
}

/** The mean of one quarter of the samples. */
export function quarter(samples: readonly number[], which: number): number {
  const part = samples.slice(((which - 1) * samples.length) / 4, (which * samples.length) / 4)
  return part.reduce((sum, sample) => sum + sample, 0) / Math.max(1, part.length)
}

import { type Detail, tooManyRequests } from './problems.ts'

interface Limits {
  /** Works that run at once. */
  most: number
  /** Works of one key that run at once. */
  mostOfKey: number
  /** Why they are refused. */
  refusal: Detail
}

const RETRY_SECONDS = 5
/** Works of one key that wait: more are refused. */
const MAX_WAITING = 20

/** Runs expensive work a few at a time, each key in its turn. */
export function limitConcurrency({ most, mostOfKey, refusal }: Limits) {
  const all = queue(most)
  const byKey = new Map<string | number, ReturnType<typeof queue>>()

  return async <Result>(key: string | number, work: () => Promise<Result>): Promise<Result> => {
    const own = byKey.get(key) ?? queue(mostOfKey)
    if (own.waiting() >= MAX_WAITING) throw tooManyRequests(RETRY_SECONDS, refusal, 'solicitudes-en-curso')
    byKey.set(key, own)
    try {
      return await own.run(() => all.run(work))
    } finally {
      if (own.isEmpty()) byKey.delete(key)
    }
  }
}

function queue(most: number) {
  const starts: (() => void)[] = []
  let running = 0
  return {
    waiting: () => starts.length,
    isEmpty: () => running === 0,
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (running < most) running++
      else await new Promise<void>((start) => starts.push(start))
      try {
        return await work()
      } finally {
        const next = starts.shift()
        if (next) next()
        else running--
      }
    },
  }
}

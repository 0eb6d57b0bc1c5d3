/** What operations cost while there is more and more of something; in milliseconds each, one after the other. */
export interface Series {
  name: string
  /** What there is more and more of. */
  title: string
  sizes: number[]
  operations: Operation[]
}

export interface Operation {
  title: string
  /** One for each size. */
  ms: number[]
}

/** A chain of steps, each of which makes it more and measures again. */
export interface Grown {
  name: string
  title: string
  sizes: number[]
  /** Begins with none; whoever ends it takes everything away. */
  begin(): Promise<Ground>
}

export interface Ground {
  growTo(size: number): Promise<void>
  /** What is measured at every size: a name, and what one of them took, so many times. */
  operations(size: number): Promise<{ title: string; run(): Promise<number> }[]>
  end(): Promise<void>
}

const ROUNDS = 15
const WARM_UP = 8
/** Before the first size, until the compiler has seen enough: it is not to be the slowest for that. */
const FIRST_WARM_UP_MS = 4_000

/** Goes from size to size. What else the machine does only adds, so that the tenth part from below counts. */
export async function measureSeries(grown: Grown, progress: (line: string) => void): Promise<Series> {
  const { name, title, sizes } = grown
  const ground = await grown.begin()
  const operations = new Map<string, number[]>()
  try {
    for (const size of sizes) {
      const began = performance.now()
      await ground.growTo(size)
      progress(`${name}  ${size.toLocaleString('en')} after ${Math.round((performance.now() - began) / 1000)} s`)
      for (const { title: what, run } of await ground.operations(size)) {
        const warmAt = performance.now() + (size === sizes[0] ? FIRST_WARM_UP_MS : 0)
        for (let turn = 0; turn < WARM_UP || performance.now() < warmAt; turn++) await run()
        const taken: number[] = []
        for (let round = 0; round < ROUNDS; round++) taken.push(await run())
        operations.set(what, [...(operations.get(what) ?? []), least(taken)])
        progress(`${name}  ${size.toLocaleString('en')}  ${what}  ${least(taken).toFixed(2)} ms`)
      }
    }
  } finally {
    await ground.end()
  }
  return { name, title, sizes, operations: [...operations].map(([what, ms]) => ({ title: what, ms })) }
}

/** The tenth part from below: what else the machine does only ever adds, and the very least is luck. */
export const least = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0

/** How many times as long it takes at the last size as at the first. */
export const growthOf = ({ ms }: Operation): number => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)

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
  /** What the yardstick took meanwhile, at each size; without it all sizes were measured in turn. */
  beside?: number[]
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
  /** What something takes that does not grow: from size to size it changes with the machine alone. */
  yardstick(): Promise<number>
  end(): Promise<void>
}

const ROUNDS = 15
const WARM_UP = 8
/** Before the first size, until the compiler has seen enough: it is not to be the slowest for that. */
const FIRST_WARM_UP_MS = 4_000

/** Goes from size to size, with the yardstick beside each operation. */
export async function measureSeries(grown: Grown, progress: (line: string) => void): Promise<Series> {
  const { name, title, sizes } = grown
  const ground = await grown.begin()
  const operations = new Map<string, Required<Operation>>()
  try {
    for (const size of sizes) {
      const began = performance.now()
      await ground.growTo(size)
      progress(`${name}  ${size.toLocaleString('en')} after ${Math.round((performance.now() - began) / 1000)} s`)
      for (const { title: what, run } of await ground.operations(size)) {
        const warmAt = performance.now() + (size === sizes[0] ? FIRST_WARM_UP_MS : 0)
        for (let turn = 0; turn < WARM_UP || performance.now() < warmAt; turn++) await run()
        const [taken, beside]: [number[], number[]] = [[], []]
        for (let round = 0; round < ROUNDS; round++) {
          taken.push(await run())
          beside.push(await ground.yardstick())
        }
        const operation = operations.get(what) ?? { title: what, ms: [], beside: [] }
        operation.ms.push(least(taken))
        operation.beside.push(least(beside))
        operations.set(what, operation)
        progress(`${name}  ${size.toLocaleString('en')}  ${what}  ${least(taken).toFixed(2)} ms`)
      }
    }
  } finally {
    await ground.end()
  }
  return { name, title, sizes, operations: [...operations.values()] }
}

/** The tenth part from below: what else the machine does only ever adds, and the very least is luck. */
export const least = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0

/** How many times as long it takes at the last size as at the first, on a machine that is as quick for both. */
export const growthOf = ({ ms, beside }: Operation): number => lastToFirst(ms) / (beside ? lastToFirst(beside) : 1)

const lastToFirst = (values: number[]): number => (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN)

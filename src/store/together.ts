import { isUnavailable } from './db.ts'

export interface TogetherOptions {
  /** How many go in one batch. */
  most: number
  /** How many batches are under way at a time; whoever comes meanwhile goes together with the next. */
  atOnce: number
}

/**
 * Lets what is asked at the same time go in one statement and one commit: alone where nobody else asks, in batches where
 * many do. `run` gives an answer for each item, in their order. Where a batch fails for another reason than that the
 * database is away, each is run by itself, so that nobody fails for a neighbour.
 */
export function together<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  { most, atOnce }: TogetherOptions,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    item: Item
    resolve(answer: Answer): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let running = 0

  async function answer(batch: Waiting[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const each of batch) await answer([each])
    }
  }

  function next(): void {
    if (running >= atOnce || waiting.length === 0) return
    running++
    void answer(waiting.splice(0, most)).finally(() => {
      running--
      next()
    })
  }

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      next()
    })
}

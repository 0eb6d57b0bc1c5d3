import { isUnavailable } from './db.ts'

export interface BatchOptions {
  /** How many go in one batch. */
  most: number
  /** A batch that takes longer, because it waits for something, is not waited for. */
  patienceMs: number
}

/**
 * Lets what is asked at the same time go in one statement and one commit: alone where nobody else asks; where many do,
 * whoever comes while a batch is under way goes together with the next. `run` gives an answer for each item, in their
 * order. Where a batch fails for another reason than that the database is away, each is run by itself, so that nobody
 * fails for a neighbour.
 */
export function batch<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  { most, patienceMs }: BatchOptions,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    item: Item
    resolve(answer: Answer): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let underWay = false

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
    if (underWay || waiting.length === 0) return
    underWay = true
    let over = false
    const goOn = () => {
      if (over) return
      over = true
      underWay = false
      next()
    }
    const patience = setTimeout(goOn, patienceMs)
    void answer(waiting.splice(0, most)).finally(() => {
      clearTimeout(patience)
      goOn()
    })
  }

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      next()
    })
}

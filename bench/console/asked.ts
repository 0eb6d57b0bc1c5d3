import type { Sql } from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'

interface Question {
  statement: Sql
  plan: 'keep-plan' | undefined
}

/** Hears what is asked of a store, and can ask it again. */
export interface Hearing {
  /** What was asked while the work was done. */
  during(work: () => Promise<unknown>): Promise<Question[]>
  /** The same questions once more, one after the other, and nothing else. */
  ask(questions: readonly Question[]): Promise<void>
}

/** A page asks this very object, so it is the object that is told to listen. What a transaction asks is heard as well. */
export function listenTo(store: Store): Hearing {
  const { query, transaction } = store
  let heard: Question[] | undefined
  const listening =
    (asking: Store['query']): Store['query'] =>
    (statement, plan) => {
      heard?.push({ statement, plan })
      return asking(statement, plan)
    }
  store.query = listening(query)
  store.transaction = (work) => transaction((tx) => work({ ...tx, query: listening(tx.query) }))
  return {
    async during(work) {
      heard = []
      await work()
      const questions = heard
      heard = undefined
      return questions
    },
    async ask(questions) {
      for (const { statement, plan } of questions) await query(statement, plan)
    },
  }
}

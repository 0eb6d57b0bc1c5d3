import type { Store } from '../../src/store/db.ts'
import { startServer } from '../../tests/support/server.ts'
import type { Installation } from '../installation.ts'
import type { Log } from './load.ts'
import type { Page } from './pages.ts'

/** A statement as pg takes it; those that our store keeps a plan of are prepared under a name. */
export interface Statement {
  text: string
  values: unknown[]
  name?: string
}

/**
 * Everything that each of these pages asks of the database, whoever looks being signed in included. Asked of a server in
 * this process; its limits go by a clock that runs a thousand times as fast.
 */
export async function statementsOf(
  { connection, masterKey }: Installation,
  { cookies }: Log,
  pages: readonly Pick<Page, 'who' | 'path'>[],
): Promise<Statement[][]> {
  const server = await startServer({ connection, masterKey, nowMs: () => performance.now() * 1000 })
  const hear = listenTo(server.store)
  const names = new Map<string, string>()
  const nameOf = (text: string) => names.set(text, names.get(text) ?? `kept_${names.size + 1}`).get(text)
  try {
    const all: Statement[][] = []
    for (const { who, path } of pages) {
      const ask = async () => {
        const { statusCode } = await server.app.inject({ url: path, headers: { cookie: cookies[who] } })
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
      }
      await ask() // what is asked only the first time is not counted
      const heard = await hear(ask)
      all.push(
        heard.map(({ text, values, plan }) => ({
          text,
          values,
          ...(plan && { name: nameOf(text) as string }),
        })),
      )
    }
    return all
  } finally {
    await server.stop()
  }
}

interface Question {
  text: string
  values: unknown[]
  plan?: 'keep-plan' | undefined
}

/** What is asked of a store while some work is done. A page asks this very object, so it is the object that is told to listen. */
function listenTo(store: Store): (work: () => Promise<unknown>) => Promise<Question[]> {
  const { query, transaction } = store
  let heard: Question[] | undefined
  const listening =
    (asking: Store['query']): Store['query'] =>
    (statement, plan) => {
      heard?.push({ text: statement.text, values: statement.values, plan })
      return asking(statement, plan)
    }
  store.query = listening(query)
  store.transaction = async (work) => {
    heard?.push({ text: 'begin', values: [] })
    const result = await transaction((tx) => work({ ...tx, query: listening(tx.query) }))
    heard?.push({ text: 'commit', values: [] })
    return result
  }
  return async (work) => {
    heard = []
    await work()
    const questions = heard
    heard = undefined
    return questions
  }
}

import type pg from 'pg'
import { Deadlines } from '../deadlines.ts'

/** Asks on the clients of a pool; what is not answered in time loses its connection, and ends as one that was lost. */
export interface Questions {
  /** On whichever client is free. */
  any(question: pg.QueryConfig): Promise<pg.QueryResult>
  on(client: pg.PoolClient, question: pg.QueryConfig): Promise<pg.QueryResult>
}

type Tell = (error: Error | undefined, result?: pg.QueryResult) => void

/**
 * One timer watches over all questions, and node-postgres is given a function to tell. Where it makes a promise itself, or
 * keeps a timer for each question (`query_timeout`), what a question brought outlives the nursery: 3.5 MB of each 20 MB of
 * pages of inquiries, where it is a third of that now. Whoever opens the pool listens to the errors of its clients.
 */
export function openQuestions(pool: pg.Pool, withinMs: number): Questions {
  const late = `timeout expired: PostgreSQL has not answered a statement within ${withinMs / 1000} s`
  const underWay = new Deadlines<pg.PoolClient>(withinMs, (client) => destroy(client, new Error(late)))

  /** Tells once: of a question that could not even be sent, node-postgres tells again when the connection ends. */
  function ask(client: pg.PoolClient, question: pg.QueryConfig, tell: Tell): void {
    const begun = underWay.begin(client)
    let told = false
    const tellOnce: Tell = (error, result) => {
      if (told) return
      told = true
      underWay.end(begun)
      tell(error, result)
    }
    try {
      client.query(question, tellOnce)
    } catch (error) {
      tellOnce(error as Error)
    }
  }

  return {
    any: (question) =>
      promised((tell) => {
        pool.connect((unconnected, client, release) => {
          if (!client) return tell(unconnected)
          ask(client, question, (error, result) => {
            release(error) // before anybody works on the result: whoever waits for the client has the database work meanwhile
            tell(error, result)
          })
        })
      }),
    on: (client, question) => promised((tell) => ask(client, question, tell)),
  }
}

/** An error says who asked, instead of which socket was being read. */
async function promised(ask: (tell: Tell) => void): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, result) => (result && !error ? resolve(result) : reject(error)))
    })
  } catch (error) {
    Error.captureStackTrace(error as Error)
    throw error
  }
}

/** Without a goodbye, which would wait for the other side too. What waits on it hears why. */
export function destroy(client: pg.ClientBase, why?: Error): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(why?: Error): void } } }
  connection.stream.destroy(why)
}

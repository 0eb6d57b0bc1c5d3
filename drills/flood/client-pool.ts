import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order } from './client.ts'
import { type Outcome, sumOf } from './outcome.ts'

const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url))

/** Processes that ask together; what each is to do is a share of an order. */
export interface ClientPool {
  ask(order: Order): Promise<Outcome>
  stop(): Promise<void>
}

export function startClients(processes: number): ClientPool {
  const children = Array.from({ length: processes }, () =>
    fork(CLIENT, { execArgv: ['--import', 'tsx'], serialization: 'advanced' }),
  )
  return {
    async ask({ connections, perSecond, inquiries, ...order }) {
      const share = {
        ...order,
        connections: Math.ceil(connections / processes),
        ...(perSecond !== undefined && { perSecond: perSecond / processes }),
      }
      await Promise.all(
        children.map((child, at) =>
          answerTo(child, { ...share, inquiries: { ...inquiries, deps: `${inquiries.deps}${at}-` } }),
        ),
      )
      const outcomes = await Promise.all(children.map((child) => answerTo(child, 'go')))
      return sumOf(outcomes as Outcome[])
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const gone = once(child, 'exit')
          child.kill()
          await gone
        }),
      )
    },
  }
}

/** What a client says next: that it is ready, or what came of it. */
async function answerTo(child: ChildProcess, order: Order | 'go'): Promise<Outcome | 'ready'> {
  const ended = new AbortController()
  const died = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A client ended with ${code}.`)
  })
  died.catch(() => undefined)
  const answer = once(child, 'message', { signal: ended.signal })
  answer.catch(() => undefined)
  child.send(order)
  try {
    const [said] = (await Promise.race([answer, died])) as [Outcome | 'ready' | { failed: string }]
    if (typeof said === 'object' && 'failed' in said) throw new Error(said.failed)
    return said
  } finally {
    ended.abort()
  }
}

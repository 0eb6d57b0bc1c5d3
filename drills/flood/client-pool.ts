import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Task } from './client.ts'
import { type Outcome, sumOf } from './outcome.ts'

const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url))

/** Client processes that share a task. */
interface ClientPool {
  run(task: Task): Promise<Outcome>
  stop(): Promise<void>
}

export function startClients(processes: number): ClientPool {
  const children = Array.from({ length: processes }, () =>
    fork(CLIENT, { execArgv: ['--import', 'tsx'], serialization: 'advanced' }),
  )
  return {
    async run({ connections, perSecond, consultas, ...task }) {
      const share = {
        ...task,
        connections: Math.ceil(connections / processes),
        ...(perSecond !== undefined && { perSecond: perSecond / processes }),
      }
      await Promise.all(
        children.map((child, at) =>
          exchange(child, { ...share, consultas: { ...consultas, prefix: `${consultas.prefix}${at}-` } }),
        ),
      )
      const outcomes = await Promise.all(children.map((child) => exchange(child, 'go')))
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

/** Sends a message to a client and returns its reply: that it is ready, or its outcome. */
async function exchange(child: ChildProcess, task: Task | 'go'): Promise<Outcome | 'ready'> {
  const ended = new AbortController()
  const died = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A client ended with ${code}.`)
  })
  died.catch(() => undefined)
  const answer = once(child, 'message', { signal: ended.signal })
  answer.catch(() => undefined)
  child.send(task)
  try {
    const [reply] = (await Promise.race([answer, died])) as [Outcome | 'ready' | { failed: string }]
    if (typeof reply === 'object' && 'failed' in reply) throw new Error(reply.failed)
    return reply
  } finally {
    ended.abort()
  }
}

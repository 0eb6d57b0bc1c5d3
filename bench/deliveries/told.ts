import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { ending, NODE_FLAGS, plainEnvironment } from '../server-process.ts'

/** A small program of the bench's own that does as it is told, one order after the other. */
export interface Told {
  ask<T>(order: unknown): Promise<T>
  /** What it says next by itself. */
  next<T>(): Promise<T>
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

/** Starts it and waits until it says that it is ready. */
export async function startTold(file: URL, args: string[], options: ForkOptions = {}): Promise<Told> {
  const child: ChildProcess = fork(file, args, { env: plainEnvironment(), execArgv: NODE_FLAGS, ...options })
  ending(child) // where the bench is interrupted
  await once(child, 'message')
  const ask = async <T>(order: unknown): Promise<T> => {
    const answer = once(child, 'message')
    child.send(order as object)
    return (await answer)[0] as T
  }
  return {
    ask,
    next: async <T>() => (await once(child, 'message'))[0] as T,
    cpuMicros: () => ask<number>('cpu'),
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

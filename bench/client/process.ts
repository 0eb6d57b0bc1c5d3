import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Place, pinned } from '../machine.ts'
import { ending } from '../server-process.ts'
import type { Order, Outcome } from './main.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

export type Load = Exclude<Outcome, { failed: string }>

/** The process that asks, on a core of its own. */
export interface Client {
  load(order: Order): Promise<Load>
  stop(): Promise<void>
}

export function startClient(place: Place = 'client'): Client {
  const [program, args] = pinned(place, process.execPath, ['--import', 'tsx', MAIN])
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    async load(order) {
      const answer = once(child, 'message')
      child.send(order)
      const [outcome] = (await answer) as [Outcome]
      if ('failed' in outcome) throw new Error(outcome.failed)
      return outcome
    },
    stop: ending(child),
  }
}

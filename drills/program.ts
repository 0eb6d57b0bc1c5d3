import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Defer } from './cleanup.ts'

/** How a program ended, and what it said. */
export interface Ended {
  /** Its code, or the signal that ended it. */
  with: number | string
  printed: string
  /** What it said on stderr, where that was not shown. */
  stderr: string
}

export interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'shell'> {
  /** What it says on stderr is shown as it comes. */
  shown?: boolean
}

/** Runs any program to its end, whatever that is; where the drill ends first, so does it, with its children. */
export async function runCommand(
  defer: Defer,
  command: string,
  args: readonly string[],
  { shown = false, ...where }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    ...where,
    stdio: ['ignore', 'pipe', shown ? 'inherit' : 'pipe'],
    detached: true, // a group of its own, so that it can be ended as a whole
  })
  const gone = once(child, 'close') // its children have what it prints open too
  defer(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL') // the compiler does not heed SIGTERM
    await gone
  })
  const said = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''))
  const [[code, signal], printed = '', stderr = ''] = await Promise.all([gone, ...said])
  return { with: code ?? signal, printed, stderr }
}

/** Runs a program of Node's and gives what it printed. */
export async function runNode(defer: Defer, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const ended = await runCommand(defer, process.execPath, args, { env, shown: true })
  if (ended.with !== 0) throw new Error(`${args.join(' ')} ended with ${ended.with}.`)
  return ended.printed
}

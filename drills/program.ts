import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { AtEnd } from './ending.ts'

/** Runs a program of Node's to its end and gives what it printed; where the drill ends first, so does it, with its children. */
export async function runProgram(atEnd: AtEnd, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  // A group of its own, so that it can be ended as a whole.
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const gone = once(child, 'close') // its children have what it prints open too
  atEnd(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL') // the compiler does not heed SIGTERM
    await gone
  })
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), gone])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code ?? signal}.`)
  return printed
}

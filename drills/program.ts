import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { AtEnd } from './ending.ts'

/** Runs a program of Node's to its end and gives what it printed; where the drill ends first, it is ended too. */
export async function runProgram(atEnd: AtEnd, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  atEnd(async () => {
    child.kill()
    await gone
  })
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), gone])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code ?? signal}.`)
  return printed
}

import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Defer } from './cleanup.ts'

/** How a program ended, and its output. */
interface Ended {
  /** The exit code or signal. */
  with: number | string
  printed: string
  /** Empty if stderr was shown. */
  stderr: string
}

interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'shell'> {
  /** Shows stderr as it comes. */
  shown?: boolean
}

/** Runs a program. The cleanup kills it with its children. */
export async function runCommand(
  defer: Defer,
  command: string,
  args: readonly string[],
  { shown = false, ...where }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    ...where,
    stdio: ['ignore', 'pipe', shown ? 'inherit' : 'pipe'],
    detached: true, // its own process group, so that its children can be killed too
  })
  const gone = once(child, 'close') // its children hold its output open too
  defer(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL') // the compiler ignores SIGTERM
    await gone
  })
  const output = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''))
  const [[code, signal], printed = '', stderr = ''] = await Promise.all([gone, ...output])
  return { with: code ?? signal, printed, stderr }
}

/** Runs a Node program and returns its output. */
export async function runNode(defer: Defer, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const ended = await runCommand(defer, process.execPath, args, { env, shown: true })
  if (ended.with !== 0) throw new Error(`${args.join(' ')} ended with ${ended.with}.`)
  return ended.printed
}

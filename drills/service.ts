import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Defer } from './cleanup.ts'

const POLL_MS = 20
const TIMEOUT_MS = 30_000
const OUTPUT_CHARACTERS = 4_000
/** Where distributions install servers; PATH of a user who is not root has them not. */
const SYSTEM_DIRS = ['/usr/sbin', '/usr/local/sbin']

/** The path of a program: from the variable of its name (HAPROXY for haproxy), or by PATH. */
export const findProgram = (name: string): string | undefined => findPrograms(name)[0]

/** All paths that may be meant, the best first. */
export function findPrograms(name: string, more: readonly string[] = []): string[] {
  const given = process.env[name.toUpperCase()]
  const dirs = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_DIRS, ...more].filter(Boolean)
  return [...(given ? [given] : []), ...dirs.map((dir) => join(dir, name))].filter(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A program that runs until the cleanup. */
export interface Service {
  pid: number
  /** Its last output. */
  said(): string
  /** Signals it and all its children. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
}

/** Starts a program in its own process group, and waits until it listens on its port. */
export async function startService(
  defer: Defer,
  command: string,
  args: readonly string[],
  { port, ...options }: { port: number } & Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
): Promise<Service> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS)
    })
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, name)
  }
  const stop = async () => {
    if (child.pid === undefined || hasEnded(child)) return
    const gone = once(child, 'exit')
    signal('SIGKILL')
    await gone
  }
  defer(stop)
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await isListening(port))) {
    if (hasEnded(child)) throw new Error(`${command} ended with ${child.exitCode ?? child.signalCode}: ${output}`)
    if (performance.now() > deadline) throw new Error(`${command} does not listen on ${port}: ${output}`)
    await pause(POLL_MS)
  }
  return { pid: child.pid ?? 0, said: () => output, signal, stop }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

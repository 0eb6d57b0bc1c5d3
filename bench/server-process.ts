import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../tests/support/free-port.ts'
import { type Core, pinned } from './machine.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROBE = new URL('./probe.js', import.meta.url).href
const READY_TIMEOUT_MS = 120_000
const POLL_MS = 2

export const buildIfStale = (checkout: string): unknown =>
  execFileSync(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: checkout, stdio: 'inherit' })

/** Prints lines with the seconds since the start. */
export const progress = (line: string): unknown =>
  process.stdout.write(`[${Math.round(performance.now() / 1000)} s]  ${line}\n`)

/** The file of a baseline. */
export const baseline = (name: string) => fileURLToPath(new URL(`./baselines/${name}`, import.meta.url))

/** How `npm start` runs the server of a checkout: the flags of Node, and the program with its arguments. */
export function startCommand(checkout: string): { flags: string[]; program: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  const words: string[] = scripts.start.split(' ').slice(scripts.start.split(' ').indexOf('node') + 1)
  const program = words.indexOf('bin/rodado.js')
  return { flags: words.slice(0, program), program: [join(checkout, 'bin/rodado.js'), ...words.slice(program + 1)] }
}

const NODE_FLAGS = startCommand(ROOT).flags

/** A measured server in its own process. */
export interface ServerProcess {
  port: number
  /** The CPU time of the whole process. */
  cpuMicros(): Promise<number>
  memory(): Promise<{ rss: number; heapUsed: number }>
  stop(): Promise<void>
}

interface ServerOptions {
  args: string[]
  env?: Record<string, string>
  flags?: string[]
  logFile: string
  core?: Core
}

/** Starts a server that takes its port as PORT or as the last argument `{port}`, and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { args, env = {}, flags = NODE_FLAGS, logFile, core = 'server' } = options
  const port = await freePort()
  const log = openSync(logFile, 'a') // a file, as an operator's journal would be
  const all = [...flags, '--import', PROBE, ...args.map((arg) => arg.replace('{port}', String(port)))]
  const [program, rest] = pinned(core, process.execPath, all)
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...env, PORT: String(port) },
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const stop = () => end(child)
  await untilReady(port, child).catch(async (error) => {
    await stop()
    throw new Error(`${error.message} Its log ends with: ${readFileSync(logFile, 'utf8').slice(-500)}`)
  })
  const ask = async <T>(question: string): Promise<T> => {
    const reply = once(child, 'message')
    child.send(question)
    return (await reply)[0].answer
  }
  return { port, cpuMicros: () => ask('cpu'), memory: () => ask('memory'), stop }
}

/** A process of the bench that does what its parent asks, one order after the other. */
export interface Helper {
  ask<T>(order: unknown): Promise<T>
  /** The next message that it sends by itself. */
  next<T>(): Promise<T>
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

/** Starts it and waits for its first message. */
export async function startHelper(name: string, args: string[], core: Core = 'any', logFile?: string): Promise<Helper> {
  const log = logFile ? openSync(logFile, 'a') : 'inherit'
  const [execPath, before] = pinned(core, process.execPath, [])
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), args, {
    execPath,
    execArgv: [...before, ...NODE_FLAGS],
    env: plainEnvironment(),
    stdio: ['ignore', log, 'inherit', 'ipc'],
  })
  if (typeof log === 'number') closeSync(log)
  await once(child, 'message')
  const next = async <T>() => (await once(child, 'message'))[0] as T
  const ask = async <T>(order: unknown): Promise<T> => {
    const answer = next<T>()
    child.send(order as object)
    return answer
  }
  return {
    ask,
    next,
    cpuMicros: () => ask<number>('cpu'),
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

/** Stops what the work has started, the last first, however it ends. */
export async function withProcesses<T>(work: (started: Started) => Promise<T>): Promise<T> {
  const running: { stop(): Promise<void> }[] = []
  const started: Started = (process) => {
    running.push(process)
    return process
  }
  try {
    return await work(started)
  } finally {
    for (const process of running.reverse()) await process.stop()
  }
}

/** Notes a process that is to be stopped in the end. */
export type Started = <T extends { stop(): Promise<void> }>(process: T) => T

/** A production environment: NODE_OPTIONS and the like of the shell do not reach a server. */
export const plainEnvironment = () => ({ PATH: process.env.PATH ?? '', NODE_ENV: 'production' })

/** Waits until a server answers /health/ready with 200. */
export async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await isReady())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended before it was ready.')
    if (performance.now() > deadline) throw new Error(`The server was not ready after ${READY_TIMEOUT_MS} ms.`)
    await pause(POLL_MS)
  }
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

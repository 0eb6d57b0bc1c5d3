import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { remember } from './interrupted.ts'
import { type Place, pinned } from './machine.ts'
import { untilReady } from './ready.ts'

const PROBE = new URL('./probe.js', import.meta.url).href
const baseline = (name: string) => fileURLToPath(new URL(`./baselines/${name}`, import.meta.url))
export const BARE = baseline('bare.js')
export const BARE_INSERT = baseline('insert.js')
export const BARE_PAGE = baseline('page.js')
export const BARE_STATEMENTS = baseline('statements.js')
export const BARE_ASKS = baseline('asks.js')
export const USUAL = baseline('usual/server.js')
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What `npm start` runs, after its `exec node`; every side gets the same flags. */
const START: string[] = packageJson.scripts.start.split(' ').slice(2)
const PROGRAM_AT = START.indexOf('bin/rodado.js')
export const NODE_FLAGS = START.slice(0, PROGRAM_AT)
const RODADO = START.slice(PROGRAM_AT)

/** In bytes. */
export interface Memory {
  rss: number
  heapUsed: number
}

/** How long the one thread that runs JavaScript ran, and could have while others had the cores; 0 where no system tells. */
export interface ThreadMicros {
  ran: number
  waited: number
}

/** A server under measurement, in a process of its own. */
export interface ServerProcess {
  port: number
  /** The CPU time of the whole process, its garbage collector and thread pool included. */
  cpuMicros(): Promise<number>
  thread(): Promise<ThreadMicros>
  /** What it holds of the machine's memory, and how much of that is JavaScript's. */
  memory(): Promise<Memory>
  startProfile(): Promise<void>
  stopProfile(): Promise<Profiler.Profile>
  stop(): Promise<void>
}

/** Rodado as an operator starts it, on the servers' core or anywhere; its log goes to a file, as it would to a journal. */
export async function startRodado(
  environment: Record<string, string>,
  logFile: string,
  place: Place = 'server',
): Promise<ServerProcess> {
  const port = await freePort()
  return startServer(RODADO, port, { ...environment, PORT: String(port) }, logFile, place)
}

/** Another server to compare with, which does as that file says: a bare one, or the usual way. */
export async function startBaseline(program: string, file: string, logFile: string): Promise<ServerProcess> {
  const port = await freePort()
  return startServer([program, file, String(port)], port, {}, logFile)
}

async function startServer(
  args: string[],
  port: number,
  environment: Record<string, string>,
  logFile: string,
  place: Place = 'server',
): Promise<ServerProcess> {
  const log = openSync(logFile, 'a')
  const all = [...NODE_FLAGS, '--import', PROBE, ...args]
  const [program, rest] = pinned(place, process.execPath, all)
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const stop = ending(child)
  await untilReady(port, child).catch(async (error) => {
    await stop()
    throw error
  })

  return {
    port,
    cpuMicros: () => ask(child, 'cpu'),
    thread: () => ask(child, 'thread'),
    startProfile: () => ask(child, 'startProfile'),
    stopProfile: () => ask(child, 'stopProfile'),
    memory: () => ask(child, 'memory'),
    stop,
  }
}

/** Asks probe.js, which is loaded into the process. */
async function ask<T>(child: ChildProcess, order: string): Promise<T> {
  const answer = once(child, 'message')
  child.send(order)
  const [{ told }] = (await answer) as [{ told: T }]
  return told
}

/** What a production server has; NODE_OPTIONS and the like of whoever runs the bench stay outside. */
export const plainEnvironment = () => ({ PATH: process.env.PATH ?? '', NODE_ENV: 'production' })

/** How to end a process that we started; an interruption ends it too. */
export function ending(child: ChildProcess): () => Promise<void> {
  const forget = remember(() => end(child))
  child.once('exit', forget)
  return () => end(child)
}

/** Ends a process that we started, and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

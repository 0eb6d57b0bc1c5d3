import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { pinned } from './machine.ts'
import { untilReady } from './ready.ts'

const PROBE = new URL('./probe.js', import.meta.url).href
const BARE = fileURLToPath(new URL('./baselines/bare.js', import.meta.url))
export const BARE_INSERT = fileURLToPath(new URL('./baselines/insert.js', import.meta.url))
export const BARE_PAGE = fileURLToPath(new URL('./baselines/page.js', import.meta.url))
const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))

/** A server under measurement, in a process of its own. */
export interface ServerProcess {
  port: number
  /** The CPU time of the whole process, its garbage collector and thread pool included. */
  cpuMicros(): Promise<number>
  startProfile(): Promise<void>
  stopProfile(): Promise<Profiler.Profile>
  stop(): Promise<void>
}

/** Rodado as an operator starts it, on the servers' core or anywhere; its log goes to a file, as it would to a journal. */
export async function startRodado(
  environment: Record<string, string>,
  logFile: string,
  place: 'server' | 'anywhere' = 'server',
): Promise<ServerProcess> {
  const port = await freePort()
  return startServer([RODADO, 'serve'], port, { ...environment, PORT: String(port) }, logFile, place)
}

/** A bare server, which answers as that file says; the one that asks PostgreSQL, where `program` names it. */
export async function startBare(file: string, logFile: string, program = BARE): Promise<ServerProcess> {
  const port = await freePort()
  return startServer([program, file, String(port)], port, {}, logFile)
}

async function startServer(
  args: string[],
  port: number,
  environment: Record<string, string>,
  logFile: string,
  place: 'server' | 'anywhere' = 'server',
): Promise<ServerProcess> {
  const log = openSync(logFile, 'a')
  const all = ['--import', PROBE, ...args]
  const [program, rest] = place === 'server' ? pinned('server', process.execPath, all) : [process.execPath, all]
  const child = spawn(program, rest, {
    env: { ...plainEnvironment(), ...environment },
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  await untilReady(port, child)

  return {
    port,
    cpuMicros: () => ask(child, 'cpu'),
    startProfile: () => ask(child, 'startProfile'),
    stopProfile: () => ask(child, 'stopProfile'),
    stop: () => end(child),
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

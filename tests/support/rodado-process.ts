import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Connection } from '../../src/store/failover.ts'
import { compiledProgram } from './compiled-program.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** For a start on a busy machine. */
const START_MS = 120_000

/** Rodado in its own process, which can be killed. */
export interface RodadoProcess {
  url: string
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
}

/** The logs of processes by database. */
const logs = new Map<string, string[]>()
export const processLogs = (connection: Connection): string => (logs.get(urlOf(connection)) ?? []).join('')

/** Starts a process on an existing database and waits until it is ready. */
export async function startRodado(
  connection: Connection,
  masterKey: Buffer,
  env: Record<string, string>,
): Promise<RodadoProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [compiledProgram('rodado'), 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: urlOf(connection),
      MASTER_KEY: masterKey.toString('hex'),
      PORT: String(port),
      DRAIN_SECONDS: '0',
      DATA_DIR: process.env.RODADO_TEST_RUN ?? tmpdir(), // for the link to the first account
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = logs.get(urlOf(connection)) ?? []
  logs.set(urlOf(connection), lines)
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text))
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`rodado ended with ${child.exitCode}: ${lines.slice(-3).join('')}`)
    return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok
  }, START_MS)
  return {
    url,
    async kill() {
      await end(child, 'SIGKILL')
    },
    stop: () => end(child, 'SIGTERM'),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return child.exitCode
}

/** Valid for PostgreSQL, not for URL: the host is a folder. */
function urlOf({ connectionString, host, port, user, database }: Connection): string {
  return connectionString ?? `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}

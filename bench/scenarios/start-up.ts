import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { timePostgres } from '../baselines/postgres.ts'
import { untilReady } from '../ready.ts'
import type { Bench, Durations, Scenario } from '../scenario.ts'
import { end, freePort, plainEnvironment } from '../server-process.ts'

const ROUNDS = 5
const RODADO = fileURLToPath(new URL('../../bin/rodado.js', import.meta.url))
const EMPTY_FASTIFY = fileURLToPath(new URL('../baselines/empty-fastify.js', import.meta.url))

/** From the command to the first ready answer, on a DATA_DIR that is there; beside what it must start in any case. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'Start-up, from the command to /health/ready',

  async measure({ installation: { dataDir, environment }, progress }: Bench): Promise<Durations> {
    const postgres: number[] = []
    const fastify: number[] = []
    const rodado: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      postgres.push(await timePostgres(dataDir))
      fastify.push(await timeServer((port) => [EMPTY_FASTIFY, String(port)], {}))
      rodado.push(await timeServer(() => [RODADO, 'serve'], environment))
      const shown = [postgres, fastify, rodado].map((ms) => `${Math.round(ms.at(-1) ?? 0)} ms`)
      progress(
        `start-up  round ${round}/${ROUNDS}  PostgreSQL ${shown[0]}, empty Fastify ${shown[1]}, Rodado ${shown[2]}`,
      )
    }
    return {
      kind: 'durations',
      name: 'start-up',
      title: 'Start-up, from the command to the first ready answer',
      parts: [
        { title: 'bare PostgreSQL', ms: postgres },
        { title: 'empty Fastify', ms: fastify },
        { title: 'both, one after the other', ms: postgres.map((ms, round) => ms + (fastify[round] ?? 0)) },
        { title: 'Rodado', ms: rodado },
      ],
    }
  },
}

async function timeServer(args: (port: number) => string[], environment: Record<string, string>): Promise<number> {
  const port = await freePort()
  const env = { ...plainEnvironment(), ...environment, PORT: String(port) }
  const began = performance.now()
  const child = spawn(process.execPath, args(port), { env, stdio: 'ignore' })
  try {
    await untilReady(port, child)
    return performance.now() - began
  } finally {
    await end(child)
  }
}

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { timePostgres } from '../baselines/postgres.ts'
import { untilReady } from '../ready.ts'
import type { Bench, Durations, Scenario } from '../scenario.ts'
import { BARE, ending, freePort, plainEnvironment, USUAL } from '../server-process.ts'
import { usualConfig } from '../usual.ts'

const ROUNDS = 3
const RODADO = fileURLToPath(new URL('../../bin/rodado.js', import.meta.url))
const EMPTY_FASTIFY = fileURLToPath(new URL('../baselines/empty-fastify.js', import.meta.url))

/** From the command to the first ready answer, on a DATA_DIR that is there; beside what it must start in any case. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'Start-up, from the command to the first ready answer',
  seconds: 30,

  async measure({ installation, progress }: Bench): Promise<Durations> {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-bench-'))
    const file = await usualConfig(installation)
    const dataDir = join(folder, 'data')
    const parts = {
      'bare PostgreSQL': () => timePostgres(dataDir),
      'bare node:http': () => timeServer((port) => [BARE, NO_ANSWERS, String(port)], {}),
      'empty Fastify': () => timeServer((port) => [EMPTY_FASTIFY, String(port)], {}),
      'the usual way, its database running': () => timeServer((port) => [USUAL, file, String(port)], {}),
      'Rodado, its database running': () => timeServer(() => [RODADO, 'serve'], installation.environment),
      'Rodado with its own PostgreSQL': () => timeServer(() => [RODADO, 'serve'], { DATA_DIR: dataDir }),
    }
    const taken = new Map<string, number[]>(Object.keys(parts).map((title) => [title, []]))
    try {
      await timeServer(() => [RODADO, 'serve'], { DATA_DIR: dataDir }) // makes the cluster
      for (let round = 1; round <= ROUNDS; round++) {
        for (const [title, time] of Object.entries(parts)) taken.get(title)?.push(await time())
        const shown = [...taken].map(([title, ms]) => `${title} ${Math.round(ms.at(-1) ?? 0)} ms`)
        progress(`start-up  round ${round}/${ROUNDS}  ${shown.join(', ')}`)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const shown = [...taken].map(([title, ms]) => ({ title, ms }))
    return { kind: 'durations', name: 'start-up', title: startUp.title, parts: shown }
  },
}

const NO_ANSWERS = fileURLToPath(new URL('../baselines/no-answers.json', import.meta.url))

async function timeServer(args: (port: number) => string[], environment: Record<string, string>): Promise<number> {
  const port = await freePort()
  const env = { ...plainEnvironment(), ...environment, PORT: String(port) }
  const began = performance.now()
  const child = spawn(process.execPath, args(port), { env, stdio: 'ignore' })
  const end = ending(child)
  try {
    await untilReady(port, child)
    return performance.now() - began
  } finally {
    await end()
  }
}

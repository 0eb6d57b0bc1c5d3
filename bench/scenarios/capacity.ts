import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTempDir } from '../../drills/cleanup.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { type Client, startClient } from '../client.ts'
import { loadMarket } from '../fixture.ts'
import { getRequests, type Served, startServers } from '../http.ts'
import type { Installation } from '../installation.ts'
import { type Bench, type Contender, installationsOf, type Scenario } from '../scenario.ts'
import { baseline, end, plainEnvironment, untilReady, withProcesses } from '../server-process.ts'
import { usualConfig } from '../usual.ts'
import { pagePaths } from './consultas.ts'

const MIB = 2 ** 20
const CATALOGUES = ['/v3/colores', '/v3/marcas', '/v3/ciudades?region=2']

/** All servers are loaded at the same time, and looked at every second. */
export const memory: Scenario = {
  name: 'memory',
  title: 'Memory after a minute of lists and pages of inquiries',
  run: (bench) =>
    withProcesses(async (started) => {
      for (const installation of installationsOf(bench)) await loadMarket(bench, installation)
      const servers = await startServers(bench, started)
      const contenders = servers.map(async (served) => loadAndWatch(bench, served, started(await startClient())))
      const { name, title } = memory
      return { name, title, ratioOf: 'after MiB', contenders: await Promise.all(contenders) }
    }),
}

async function loadAndWatch(bench: Bench, served: Served, client: Client): Promise<Contender> {
  const { server } = served
  const paths = async (installation: Installation) => [...CATALOGUES, ...(await pagePaths(bench, installation))]
  const requests = await getRequests({ paths }, served)
  const before = (await server.memory()).rss
  let most = 0
  let isOver = false
  const durationMs = bench.quick ? 3_000 : 60_000
  const load = client.load({ port: server.port, connections: 16, durationMs, requests }).finally(() => (isOver = true))
  while (!isOver) {
    most = Math.max(most, (await server.memory()).rss)
    await pause(1_000)
  }
  const { answered } = await load
  const { rss, heapUsed } = await server.memory()
  bench.progress(`memory  ${served.name}  ${answered.toLocaleString('en')} answers, ${Math.round(rss / MIB)} MiB`)
  const columns = {
    'before MiB': [before / MIB],
    'after MiB': [rss / MIB],
    'most MiB': [Math.max(most, rss) / MIB],
    'heap MiB': [heapUsed / MIB],
    answers: [answered],
  }
  return { name: served.name, columns }
}

/** From the command to the first ready answer; the data folder and the tables exist. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'Start-up, from the command to the first ready answer',
  async run(bench) {
    const { ours, rounds, progress, defer } = bench
    const commands: { name: string; args: string[]; env: Record<string, string> }[] = []
    for (const { name, checkout } of installationsOf(bench)) {
      const env = { DATA_DIR: join(makeTempDir(defer, 'start-up'), 'data') }
      commands.push({ name, args: [join(checkout, 'bin/rodado.js'), 'serve'], env })
    }
    if (!bench.other) {
      const rodado = [join(ours.checkout, 'bin/rodado.js'), 'serve']
      const usual = [baseline('usual/server.js'), await usualConfig(ours), '{port}']
      commands.push({ name: 'ours, PostgreSQL running', args: rodado, env: ours.environment })
      commands.push({ name: 'usual, PostgreSQL running', args: usual, env: {} })
    }
    const contenders: Contender[] = commands.map(({ name }) => ({ name, columns: { ms: [] } }))
    for (let round = 0; round <= rounds; round++)
      for (const [at, { name, args, env }] of commands.entries()) {
        const ms = await timeToReady(args, env, defer)
        if (round > 0) contenders[at]?.columns.ms?.push(ms) // the first round makes the data folders
        progress(`start-up  round ${round}/${rounds}  ${name}  ${Math.round(ms)} ms`)
      }
    return { name: this.name, title: this.title, ratioOf: 'ms', contenders }
  },
}

async function timeToReady(args: string[], env: Record<string, string>, defer: Bench['defer']): Promise<number> {
  const port = await freePort()
  const all = args.map((arg) => arg.replace('{port}', String(port)))
  const began = performance.now()
  const child = spawn(process.execPath, all, {
    env: { ...plainEnvironment(), ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  defer(() => end(child))
  try {
    await untilReady(port, child)
    return performance.now() - began
  } finally {
    await end(child)
  }
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTempDir } from '../../drills/cleanup.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { type Client, startClient } from '../client.ts'
import { loadMarket } from '../fixture.ts'
import { getRequests, type Served } from '../http.ts'
import type { Installation } from '../installation.ts'
import { columnsOf, RATE } from '../rounds.ts'
import { type Bench, type Contender, installationsOf, type Scenario } from '../scenario.ts'
import { baseline, end, plainEnvironment, type ServerProcess, untilReady, withProcesses } from '../server-process.ts'
import { startUsual, usualConfig } from '../usual.ts'
import { pagePaths } from './consultas.ts'

const MIB = 2 ** 20
const CATALOGUES = ['/v3/colores', '/v3/marcas', '/v3/ciudades?region=2']

/** All servers are loaded at the same time, and looked at every second. */
export const memory: Scenario = {
  name: 'memory',
  title: 'Memory after a minute of lists and pages of inquiries',
  run: (bench) =>
    withProcesses(async (started) => {
      const servers: Served[] = []
      for (const installation of installationsOf(bench)) {
        await loadMarket(bench, installation)
        servers.push({ name: installation.name, installation, server: started(await installation.start()) })
      }
      const { ours } = bench
      if (!bench.other) servers.push({ name: 'usual', installation: ours, server: started(await startUsual(ours)) })
      const clients: Client[] = []
      for (const _ of servers) clients.push(started(await startClient()))
      const contenders = servers.map((served, at) => loadAndWatch(bench, served, clients[at] as Client))
      const { name, title } = memory
      return { name, title, ratioOf: 'after MiB', contenders: await Promise.all(contenders) }
    }),
}

async function loadAndWatch(bench: Bench, served: Served, client: Client): Promise<Contender> {
  const { server } = served
  const paths = async (installation: Installation) => [...CATALOGUES, ...(await pagePaths(bench, installation))]
  const requests = await getRequests({ paths }, served)
  const before = (await server.memory()).rss
  let [most, isOver] = [0, false]
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

const NODES_MS = { warmUp: 8_000, round: 1_500 }
const CONNECTIONS = 32

export const nodesList = nodes('nodes-list', 'Colour list: one node and two', async () => ['/v3/colores'])
export const nodesConsultas = nodes('nodes', 'Page of inquiries: one node and two on one PostgreSQL', pagePaths)

/** One node and two in turns, on one PostgreSQL and one machine; every node has its own client. */
function nodes(
  name: string,
  title: string,
  paths: (bench: Bench, installation: Installation) => Promise<string[]>,
): Scenario {
  const run = (bench: Bench) =>
    withProcesses(async (started) => {
      const { ours, progress, quick } = bench
      const [servers, clients]: [ServerProcess[], Client[]] = [[], []]
      const contenders: Contender[] = ['one node', 'two nodes'].map((each) => ({ name: each, columns: {} }))
      await loadMarket(bench, ours)
      for (const _ of contenders) {
        servers.push(started(await ours.start({ ROLE: 'api' }, 'any')))
        clients.push(started(await startClient('any')))
      }
      const load = async (count: number, durationMs: number) => {
        const some = servers.slice(0, count)
        const requests = await getRequests(
          { paths: (installation) => paths(bench, installation) },
          { name, server: some[0] as ServerProcess, installation: ours },
        )
        const nodesMicros = async () => sum(await Promise.all(some.map(({ cpuMicros }) => cpuMicros())))
        const [cpu, postgres] = [await nodesMicros(), ours.postgresMicros()]
        const order = { connections: CONNECTIONS / count, durationMs, requests }
        const loads = await Promise.all(some.map(({ port }, at) => (clients[at] as Client).load({ ...order, port })))
        return columnsOf([
          {
            count: sum(loads.map(({ answered }) => answered)),
            elapsedMicros: Math.max(...loads.map(({ elapsedMicros }) => elapsedMicros)),
            serverMicros: (await nodesMicros()) - cpu,
            postgresMicros: ours.postgresMicros() - postgres,
            clientMicros: sum(loads.map(({ cpuMicros }) => cpuMicros)),
            machineMicros: 0,
          },
        ])
      }
      await load(2, quick ? 500 : NODES_MS.warmUp)
      for (let round = 1; round <= bench.rounds; round++)
        for (const [at, { name: which, columns }] of contenders.entries()) {
          const measured = await load(at + 1, NODES_MS.round)
          for (const [heading, value] of Object.entries(measured)) (columns[heading] ??= []).push(value)
          progress(`${name}  round ${round}/${bench.rounds}  ${which}  ${Math.round(measured[RATE] ?? 0)} per second`)
        }
      return { name, title, ratioOf: RATE, contenders }
    })
  return { name, title, run }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

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
      const [rodado, usual] = [join(ours.checkout, 'bin/rodado.js'), await usualConfig(ours)]
      commands.push({ name: 'ours, PostgreSQL running', args: [rodado, 'serve'], env: ours.environment })
      commands.push({
        name: 'usual, PostgreSQL running',
        args: [baseline('usual/server.js'), usual, '{port}'],
        env: {},
      })
      commands.push({ name: 'empty Fastify', args: [baseline('empty-fastify.js'), '{port}'], env: {} })
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

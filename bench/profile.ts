// node --import tsx bench/profile.ts [scenario] [rows]: where our server's time goes, in µs a request, from dist/ as built.
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { startClient } from './client/process.ts'
import { install } from './installation.ts'
import { isOverHttp } from './over-http.ts'
import { captureAnswers, prepareRequests } from './requests.ts'
import { SCENARIOS } from './scenarios.ts'
import { startRodado } from './server-process.ts'

const WARM_UP_MS = 4_000
const PROFILED_MS = 8_000
const CONNECTIONS = 32

const [name = 'colores', rows = '40'] = process.argv.slice(2)
const asked = SCENARIOS.filter(isOverHttp).find((scenario) => scenario.name === name)?.asked
if (!asked) throw new Error(`There is no scenario ${name} over HTTP.`)

const installation = await install()
const client = startClient()
const server = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
try {
  const { port } = server
  const answers = await captureAnswers(asked, installation, port)
  const requests = await prepareRequests(asked, answers, installation, port)
  await client.load({ port, connections: CONNECTIONS, durationMs: WARM_UP_MS, requests })
  await server.startProfile()
  const { answered } = await client.load({ port, connections: CONNECTIONS, durationMs: PROFILED_MS, requests })
  print(await server.stopProfile(), answered)
} finally {
  await server.stop()
  await client.stop()
  await installation.remove()
}

/** Self time by file and by function. */
function print({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, answered: number): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byFile = new Map<string, number>()
  const byFunction = new Map<string, number>()
  samples.forEach((id, index) => {
    const frame = frames.get(id)
    if (!frame || frame.functionName === '(idle)') return
    const file = frame.url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/dist\//, 'src/')
    const micros = timeDeltas[index] ?? 0
    add(byFile, file || frame.functionName, micros)
    add(byFunction, `${frame.functionName || '(anonymous)'}  ${file}:${frame.lineNumber + 1}`, micros)
  })
  for (const table of [byFile, byFunction]) {
    for (const [what, micros] of [...table].sort(([, a], [, b]) => b - a).slice(0, Number(rows)))
      process.stdout.write(`${(micros / answered).toFixed(2).padStart(7)}  ${what}\n`)
    process.stdout.write('\n')
  }
  process.stdout.write(`${answered} requests. The profiler makes each cost more: read the shares, not the sums.\n`)
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

// npm run bench:growth [-- --10m]: a page of inquiries while there are more and more of them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startClient } from './client/process.ts'
import { plotGrowth } from './growth/plot.ts'
import { aimedAt, type Growth, publishGrowth, type Size, terminalGrowth } from './growth/report.ts'
import { loadInquiries, roomFor } from './inquiries/load.ts'
import { targetsOf } from './inquiries/page.ts'
import { install } from './installation.ts'
import { describeMachine } from './machine.ts'
import { captureAnswers, prepareRequests } from './requests.ts'
import { median } from './scenario.ts'
import { startRodado } from './server-process.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

const SIZES = [10_000, 100_000, 1_000_000]
const LARGEST = 10_000_000 // by --10m: 20 minutes and 25 GiB
const WARM_MS = 2_000
const ROUNDS = 9
const ROUND_MS = 1_000
const CONNECTIONS = 1 // what one partner waits for; how many a second there can be is the scenario `consultas`

const sizes = process.argv.includes('--10m') ? [...SIZES, LARGEST] : SIZES
const missing = await roomFor(Math.max(...sizes), tmpdir())
if (missing) {
  say(missing)
  process.exit(1)
}
execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' })

const measured: Size[] = []
for (const count of sizes) {
  const size = await measure(count)
  measured.push(size)
  say(
    `${count.toLocaleString('en').padStart(10)}  largest ${size.largest.toFixed(2)} ms, others ${size.others.toFixed(2)} ms`,
  )
}

const growth: Growth = { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), sizes: measured }
say(`\n${terminalGrowth(growth)}`)
mkdirSync(here('./results'), { recursive: true })
writeFileSync(here('./results/growth.json'), `${JSON.stringify(growth, null, 2)}\n`)
writeFileSync(here('../docs/growth.svg'), plotGrowth(measured))
publishGrowth(growth, here('../docs/benchmarks.md'))
process.exitCode = aimedAt(growth) ? 0 : 1

/** Loads so many into an installation of their own, and asks for first pages, of the largest agency and of others. */
async function measure(count: number): Promise<Size> {
  const installation = await install()
  const running: { stop(): Promise<void> }[] = []
  try {
    const began = performance.now()
    const dealers = await loadInquiries(installation, count)
    const loadSeconds = (performance.now() - began) / 1000
    const ours = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
    running.push(ours)
    const client = startClient()
    running.push(client)

    const pages = targetsOf(dealers)
    const time = async (targets: string[], durationMs: number): Promise<number> => {
      const asked = { name: 'growth', title: 'growth', targets, target: 1 }
      const answers = await captureAnswers(asked, installation, ours.port)
      const requests = await prepareRequests(asked, answers, installation, ours.port)
      const order = { port: ours.port, connections: CONNECTIONS, durationMs, requests }
      const { answered, elapsedMicros } = await client.load(order)
      return (elapsedMicros * CONNECTIONS) / answered / 1000
    }
    const largest = pages.filter((_, at) => at % 2 === 0).slice(0, 1)
    const others = pages.filter((_, at) => at % 2 === 1)
    await time(pages, WARM_MS)
    const [ofLargest, ofOthers, ofLast]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      ofLargest.push(await time(largest, ROUND_MS))
      ofOthers.push(await time(others, ROUND_MS))
      ofLast.push(await time([`${largest[0]}?pagina=99`], ROUND_MS))
    }
    // The least of several rounds: what else the machine does only ever adds to it.
    return {
      count,
      agencies: dealers.length,
      loadSeconds,
      largest: Math.min(...ofLargest),
      others: Math.min(...ofOthers),
      last: Math.min(...ofLast),
      median: median(ofLargest),
    }
  } finally {
    for (const process of running.reverse()) await process.stop()
    await installation.remove()
  }
}

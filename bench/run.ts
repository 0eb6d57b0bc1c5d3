// npm run bench [-- [--quick] [--rows N] [--rounds N] [--compare CHECKOUT] [scenario …]]
// Everything in one run, with a million rows, is published: in results/latest.json and docs/benchmarks.md.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { install } from './installation.ts'
import { describeMachine } from './machine.ts'
import { publish, type Report, terminalReport } from './report.ts'
import type { Bench, Scenario } from './scenario.ts'
import { memory, startUp } from './scenarios/capacity.ts'
import { bestmatch, list, list304, listToken } from './scenarios/catalogue.ts'
import { consulta, consultas, intake } from './scenarios/consultas.ts'
import { deliveries, deliveriesBacklog, inAndOut } from './scenarios/deliveries.ts'
import { lote, loteChanged } from './scenarios/lote.ts'
import { consolePage, portalPage } from './scenarios/pages.ts'
import { buildIfStale, progress, ROOT } from './server-process.ts'

/** In the order of the tables. */
const SCENARIOS: Scenario[] = [
  list,
  list304,
  listToken,
  bestmatch,
  consultas,
  consulta,
  intake,
  lote,
  loteChanged,
  consolePage,
  portalPage,
  inAndOut,
  deliveriesBacklog,
  deliveries,
  memory,
  startUp,
]
const FULL = { rows: 1_000_000, rounds: 3 }
const QUICK = { rows: 5_000, rounds: 1 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    rounds: { type: 'string' },
    compare: { type: 'string' },
  },
})
const usual = values.quick ? QUICK : FULL
const size = { rows: Number(values.rows ?? usual.rows), rounds: Number(values.rounds ?? usual.rounds) }
const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `No scenario ${unknown.join(', ')}. There are: ${SCENARIOS.map(({ name }) => name).join(', ')}.\n`,
  )
  process.exit(2)
}

await runWithCleanup(run)

async function run({ defer, isCleaningUp }: Cleanup): Promise<number> {
  const checkouts = [ROOT, ...(values.compare ? [resolve(values.compare)] : [])]
  for (const checkout of checkouts) buildIfStale(checkout)
  const bench: Bench = { ours: await install('ours', ROOT, defer), ...size, quick: values.quick, progress, defer }
  // The other checkout has its own database: its migrations may differ.
  if (values.compare) bench.other = await install('other', resolve(values.compare), defer)
  const report: Report = { ...reportHead(), results: [], failures: [] }
  for (const scenario of SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))
    try {
      report.results.push(await scenario.run(bench))
    } catch (error) {
      if (isCleaningUp()) return 1 // interrupted
      report.failures.push(`${scenario.name}: ${(error as Error).message}`)
      progress(`${scenario.name}  FAILED  ${(error as Error).stack}`)
    }
  process.stdout.write(`\n${terminalReport(report)}\n`)
  const isWhole = positionals.length === 0 && !values.compare && size.rows === FULL.rows && size.rounds >= FULL.rounds
  const file = isWhole ? 'latest.json' : 'partial.json.tmp'
  writeFileSync(join(ROOT, 'bench/results', file), `${JSON.stringify(report, null, 2)}\n`)
  if (isWhole) publish(report, join(ROOT, 'docs/benchmarks.md'))
  return report.failures.length > 0 ? 1 : 0
}

function reportHead() {
  const date = new Date().toISOString().slice(0, 10)
  const compared = values.compare ? `${commitOf(ROOT)} (ours), ${commitOf(values.compare)} (other)` : commitOf(ROOT)
  return { date, commit: compared, machine: describeMachine(), rows: size.rows }
}

function commitOf(checkout: string): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: checkout, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

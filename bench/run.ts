// npm run bench [-- scenario …]
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install } from './installation.ts'
import { describeMachine } from './machine.ts'
import { publish, type Report, terminalReport } from './report.ts'
import type { Result, Scenario } from './scenario.ts'
import { ciudadesBestmatch, ciudadesOfProvince } from './scenarios/ciudades.ts'
import { colores, coloresBrotli, coloresByToken, coloresUnchanged } from './scenarios/colores.ts'
import { marcas } from './scenarios/marcas.ts'
import { startUp } from './scenarios/start-up.ts'

const SCENARIOS: Scenario[] = [
  colores,
  coloresBrotli,
  coloresUnchanged,
  coloresByToken,
  marcas,
  ciudadesOfProvince,
  ciudadesBestmatch,
  startUp,
]

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  say(`There is no scenario ${unknown.join(', ')}. There are: ${SCENARIOS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' }) // what is measured is what stands in src/
const machine = describeMachine()
if (!machine.pinned) say('taskset or a second core is missing: servers and client are not kept apart.')

const results: Result[] = []
const failures: string[] = []
const installation = await install()
try {
  for (const scenario of SCENARIOS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    try {
      results.push(await scenario.measure({ installation, progress: say }))
    } catch (error) {
      failures.push(`${scenario.name}: ${(error as Error).message}`)
      say(`${scenario.name}  FAILED  ${(error as Error).message}`)
    }
  }
} finally {
  await installation.remove()
}

const report: Report = { date: new Date().toISOString().slice(0, 10), commit: commit(), machine, results, failures }
say(`\n${terminalReport(report)}`)
// What is published comes from one run of everything; a part of it is kept aside, for comparing while working.
mkdirSync(here('./results'), { recursive: true })
const file = wanted.length === 0 ? 'latest.json' : 'partial.json.tmp'
writeFileSync(here(`./results/${file}`), `${JSON.stringify(report, null, 2)}\n`)
if (wanted.length === 0) publish(report, here('../docs/benchmarks.md'))
process.exitCode = failures.length > 0 ? 1 : 0

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: here('..'), encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

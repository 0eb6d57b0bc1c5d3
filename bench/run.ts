// npm run bench [-- scenario …]
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install } from './installation.ts'
import { describeMachine } from './machine.ts'
import { publish, type Report, terminalReport } from './report.ts'
import type { Result } from './scenario.ts'
import { chosen } from './scenarios.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

const wanted = process.argv.slice(2)
const scenarios = chosen(wanted)
if (typeof scenarios === 'string') {
  say(scenarios)
  process.exit(2)
}

execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' }) // what is measured is what stands in src/
const machine = describeMachine()
if (!machine.pinned) say('taskset or a second core is missing: servers and client are not kept apart.')

const results: Result[] = []
const failures: string[] = []
const installation = await install()
try {
  for (const scenario of scenarios) {
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

// npm run bench [-- --quick] [scenario …]; `--quick` has few rows, to see that it works, and publishes nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install } from './installation.ts'
import { endAllWhenInterrupted, unlessInterrupted } from './interrupted.ts'
import { describeMachine } from './machine.ts'
import { judgeWhole, publish, type Report, terminalReport } from './report.ts'
import type { Bench, Result } from './scenario.ts'
import { chosen } from './scenarios.ts'
import { shareRows } from './shared-rows.ts'
import { keepTime } from './time-left.ts'
import { verdicts, verdictWords } from './verdict.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Inquiries, and deliveries in the log. */
const ROWS = { all: 1_000_000, quick: 20_000 }
const quick = process.argv.includes('--quick')
const rows = quick ? ROWS.quick : ROWS.all
const wanted = process.argv.slice(2).filter((arg) => arg !== '--quick')
const scenarios = chosen(wanted)
if (typeof scenarios === 'string') {
  say(scenarios)
  process.exit(2)
}

endAllWhenInterrupted()
execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' }) // what is measured is what stands in src/
const machine = describeMachine()
if (!machine.pinned) say('taskset or a second core is missing: servers and client are not kept apart.')

const former = existsSync(here('./results/latest.json'))
  ? (JSON.parse(readFileSync(here('./results/latest.json'), 'utf8')) as Partial<Report>)
  : {}
const time = keepTime(scenarios, former.seconds ?? {}, () => performance.now() / 1000)
const progress = (line: string) => say(`${time.shown()}  ${line}`)
const results: Result[] = []
const failures: string[] = []
const installation = await install()
const shared = shareRows({ installation, count: rows, progress, both: wanted.length === 0 })
const bench: Bench = { installation, progress, ...shared }
try {
  for (const scenario of scenarios) {
    await unlessInterrupted()
    time.begin(scenario.name)
    try {
      results.push(await scenario.measure(bench))
    } catch (error) {
      failures.push(`${scenario.name}: ${(error as Error).message}`)
      progress(`${scenario.name}  FAILED  ${(error as Error).stack}`)
    }
  }
} finally {
  await installation.remove()
}

await unlessInterrupted()
const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  commit: commit(),
  machine,
  results,
  failures,
  seconds: time.taken(),
  wholeSeconds: Math.round(performance.now() / 1000), // since the process began
}
say(`\n${terminalReport(report)}`)
// What is published comes from one run of everything; a part of it is kept aside, for comparing while working.
mkdirSync(here('./results'), { recursive: true })
const whole = wanted.length === 0 && !quick
const file = whole ? 'latest.json' : 'partial.json.tmp'
writeFileSync(here(`./results/${file}`), `${JSON.stringify(report, null, 2)}\n`)
if (whole) publish(report, here('../docs/'))
const judged = whole ? judgeWhole(report) : verdicts(results)
say(verdictWords(judged, failures))
process.exitCode = failures.length > 0 || judged.some(({ met }) => !met) ? 1 : 0

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: here('..'), encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

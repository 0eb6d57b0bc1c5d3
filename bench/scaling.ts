// npm run bench:scaling: what each step of docs/scaling.md holds, by the figures of the last run of the bench.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdown } from './report/tables.ts'
import { type Report, writeBetween } from './report.ts'
import { busyCores, costsOf, holds, MIX, STEPS } from './scaling/model.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const report = JSON.parse(readFileSync(here('./results/latest.json'), 'utf8')) as Report
const costs = costsOf(report.results)
const names = Object.keys(MIX) as (keyof typeof MIX)[]

const inputs = markdown([
  ['a second, for each thousand agencies', 'how many', 'node, CPU µs', 'PostgreSQL, CPU µs'],
  ...names.map((name) => [name, String(MIX[name]), costs[name].node.toFixed(0), costs[name].postgres.toFixed(0)]),
])
const { nodes, postgres, primary } = busyCores(costs)
const cores = `Together ${nodes.toFixed(3)} cores of nodes and ${postgres.toFixed(3)} of PostgreSQL for each thousand agencies, ${primary.toFixed(4)} of which only a primary can do.`
const steps = markdown([
  ['step', 'agencies, thousands', 'full first'],
  ...STEPS.map((step) => {
    const { thousands, bound } = holds(step, costs)
    return [step.name, thousands.toFixed(0), bound]
  }),
])
const run = `\`npm run bench:scaling\`, from the run of ${report.date}, commit ${report.commit}.`
writeBetween(here('../docs/scaling.md'), 'npm run bench:scaling', [run, inputs, cores, steps].join('\n\n'))
process.stdout.write(`${inputs}\n\n${cores}\n\n${steps}\n`)

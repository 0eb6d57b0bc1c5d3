// npm run bench:scaling: what each step of docs/scaling.md holds, by the figures of the last run of the bench.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdown } from './report/tables.ts'
import { type Report, writeBetween } from './report.ts'
import { busyCores, costsOf, holds, MIX, sharesOfWrites } from './scaling/model.ts'
import { changedBy, STEPS } from './scaling/steps.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const report = JSON.parse(readFileSync(here('./results/latest.json'), 'utf8')) as Report
const costs = costsOf(report.results)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const names = Object.keys(MIX) as (keyof typeof MIX)[]

const inputs = markdown([
  ['a second, for each thousand agencies', 'how many', 'node, CPU µs', 'PostgreSQL, CPU µs'],
  ...names.map((name) => [name, String(MIX[name]), costs[name].node.toFixed(0), costs[name].postgres.toFixed(0)]),
])
const { nodes, postgres, primary } = busyCores(costs)
const writes = sharesOfWrites(costs).map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`)
const cores = `Together ${nodes.toFixed(4)} cores of nodes and ${postgres.toFixed(4)} of PostgreSQL for each thousand agencies. Only a primary can do ${primary.toFixed(4)} of these, ${((primary / postgres) * 100).toFixed(0)} % (${writes.join(', ')}); the rest is reads.`
const steps = markdown([
  [
    'changed, one thing a row',
    'step',
    'agencies, thousands',
    'times the row it changes',
    'full first',
    'cores of nodes for it',
  ],
  ...STEPS.map((step) => {
    const { thousands, bound, nodeCores } = holds(step, costs)
    const former = changedBy(step)
    const times = former ? (thousands / holds(former, costs).thousands).toFixed(2) : '–'
    const name = step.from === undefined ? step.name : `${step.name} (beside "${step.from}")`
    return [name, String(step.stage), whole(thousands), times, bound, nodeCores.toFixed(1)]
  }),
])
const run = `\`npm run bench:scaling\`, from the run of ${report.date}, commit ${report.commit}.`
writeBetween(here('../docs/scaling.md'), 'npm run bench:scaling', [run, inputs, cores, steps].join('\n\n'))
process.stdout.write(`${inputs}\n\n${cores}\n\n${steps}\n`)

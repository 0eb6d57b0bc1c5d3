// npm run trust [-- --scale 1] [-- --only kill,flood] [-- --write]
// Runs a short version of every trust test and prints one table.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { aligned } from './table.ts'
import { judge, type Part, type PartVerdict } from './trust/verdict.ts'

const LAST = '## Results of the last run'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const SKIPPED = 'SKIPPED'
const MAX_S = 300

interface Done extends Part, PartVerdict {
  seconds: number
}

const { values } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, only: { type: 'string' }, write: { type: 'boolean' } },
})
const scale = Number(values.scale)
if (!(scale > 0 && scale <= 100)) {
  process.stderr.write('--scale must be a number above 0 and at most 100; 1 takes about 20 minutes.\n')
  process.exit(2)
}
const scaled = (count: number, least = 1) => String(Math.max(least, Math.round(count * scale)))
const drilled = (name: string, ...args: string[]): Part => ({
  name,
  injects: true,
  args: [`drills/${name}.ts`, ...args],
  timeoutS: MAX_S * Math.max(1, scale),
  shows: ['requests', 'faults', 'committed', 'received'],
  clean: ['lost', 'serverErrors'],
})

/** A part that runs tests. The scale does not change it. */
const tested = (name: string, ...paths: string[]): Part => ({
  name,
  injects: false,
  timeoutS: MAX_S,
  shows: ['requests'],
  clean: [],
  args: ['drills/test-suite.ts', ...paths],
})

/** A part that searches for faults and counts those it finds. */
const searched = (name: string, timeoutS: number, ...args: string[]): Part => ({
  name,
  injects: false,
  args,
  timeoutS,
  shows: ['requests'],
  clean: ['faults', 'foreign', 'serverErrors'],
})

const ALL: Part[] = [
  tested('supply', 'tests/supply-chain.test.ts', 'tests/security-headers.test.ts', 'tests/packaging/npx.long.ts'),
  {
    name: 'audit',
    injects: false,
    args: ['scripts/audit.ts'],
    timeoutS: MAX_S,
    canSkip: true,
    shows: [],
    clean: ['faults'],
  },
  {
    name: 'image',
    injects: false,
    args: ['scripts/image.ts'],
    timeoutS: 2 * MAX_S,
    canSkip: true,
    shows: [],
    clean: [],
  },
  searched('isolation', MAX_S, 'tests/isolation/report.ts', '--rounds', scaled(30, 20)),
  // What the matrix of `isolation` does not cover, and whether the matrix has every position.
  tested(
    'roles',
    ...['pages', 'forms', 'strangers', 'routes', 'sitio', 'positions', 'page-positions'].map(
      (name) => `tests/isolation/${name}.test.ts`,
    ),
  ),
  tested('secrets', 'tests/secrets', 'tests/stories'),
  searched('fuzz', MAX_S * Math.max(1, scale), 'fuzz/run.ts', '--requests', scaled(5_000, 500)),
  // Every route once, at any scale.
  { ...searched('cost', 8 * MAX_S, 'fuzz/run.ts', '--cost'), clean: ['faults', 'serverErrors'] },
  // Copies data without an injected fault.
  { ...drilled('backup', '--seconds', scaled(4)), injects: false, shows: ['requests', 'committed', 'received'] },
  drilled('kill', '--rounds', scaled(15, 4)),
  drilled('partition', '--seconds', scaled(20, 12)),
  drilled('failover', '--seconds', scaled(5)),
  { ...drilled('rolling', '--rounds', scaled(1)), canSkip: true },
  { ...drilled('cluster', '--rounds', scaled(3, 3)), canSkip: true, timeoutS: 2 * MAX_S * Math.max(1, scale) },
  { ...drilled('pooler', '--rounds', scaled(3, 2)), canSkip: true },
  drilled('flood', '--seconds', scaled(20, 5)),
  drilled('slow', '--pairs', scaled(3, 3)),
  drilled('clock', '--seconds', scaled(4)),
  { ...drilled('disk'), canSkip: true },
  // Interrupted programs leave nothing behind.
  { ...tested('interrupted', 'drills/interrupted.long.ts', 'tests/isolation/interrupted.long.ts'), shows: [] },
  { ...drilled('upgrade', '--seconds', scaled(4)), canSkip: true },
]
const only = values.only?.split(',')
const unknown = (only ?? []).filter((name) => !ALL.some((part) => part.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `--only: there is no ${unknown.join(', ')}; there are ${ALL.map(({ name }) => name).join(', ')}.\n`,
  )
  process.exit(2)
}
const PARTS = ALL.filter(({ name }) => !only || only.includes(name))

const say = (line: string) => process.stdout.write(`${line}\n`)
let current: ChildProcess | undefined
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted = true
    current?.kill('SIGTERM') // it cleans up; then we end
  })

const started = performance.now()
function elapsed(): string {
  const s = Math.round((performance.now() - started) / 1000)
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}

const done: Done[] = []
for (const [at, part] of PARTS.entries()) {
  if (interrupted) break
  say(`\n── ${at + 1} of ${PARTS.length}: ${part.name}, after ${elapsed()} ${'─'.repeat(50 - part.name.length)}`)
  done.push(await perform(part))
}
if (interrupted) process.exit(130)

const HEAD = [
  '',
  'requests',
  'faults injected',
  'committed',
  'received',
  'lost',
  'of other tenants',
  '503 + Retry-After',
  'other 5xx',
  's',
  '',
]
/** For what a part does not measure: that is not zero. */
const NONE = '–'
const figures = ({ sum, injects }: Pick<Done, 'sum' | 'injects'>): (number | undefined)[] => [
  sum.requests,
  injects ? sum.faults : undefined,
  sum.committed,
  sum.received,
  sum.lost,
  sum.foreign,
  sum.announced,
  sum.serverErrors,
]
const lines = done.map((each) => [
  each.name,
  ...figures(each).map((figure) => figure ?? NONE),
  each.seconds.toFixed(0),
  each.verdict,
])
const totals = done
  .map(figures)
  .reduce<number[]>((sums, row) => sums.map((sum, at) => sum + (row[at] ?? 0)), Array(8).fill(0))
const seconds = done.reduce((sum, each) => sum + each.seconds, 0)
const holds = done.every(({ verdict }) => verdict !== 'FAILED')
const table = aligned([HEAD, ...lines, ['all', ...totals, seconds.toFixed(0), holds ? 'passed' : 'FAILED']])
say(`\n${table}\n`)
const [requests, faults, committed, received, lost, foreign, announced, serverErrors] = totals.map(String)
say(
  aligned([
    ['requests sent', requests ?? ''],
    ['faults injected', faults ?? ''],
    ['events committed', committed ?? ''],
    ['events received', received ?? ''],
    ['lost', lost ?? ''],
    ['records of other tenants seen', foreign ?? ''],
    ['503 with Retry-After', announced ?? ''],
    ['any other 5xx', serverErrors ?? ''],
  ]),
)
say('')
const skipped = done.filter(({ verdict }) => verdict === 'skipped').map(({ name }) => name)
const but = skipped.length > 0 ? ` Skipped, so not tested: ${skipped.join(', ')}.` : ''
const held = 'Nothing was lost, no record of another tenant was seen, and every 503 had Retry-After.'
say(`${holds ? held : 'FAILED: see above.'}${but}`)
if (values.write) await writeTable(table)
process.exitCode = holds ? 0 : 1

/** Runs a part and shows its output. Its last line holds its totals. */
async function perform(part: Part): Promise<Done> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', ...part.args, '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // Ctrl-C reaches only us; we pass it on once
  })
  current = child
  const late = setTimeout(() => {
    say(`FAILED: ${part.name} took longer than ${part.timeoutS} s`)
    timedOut = true
    child.kill('SIGTERM')
  }, part.timeoutS * 1_000)
  let last = ''
  let printedSkipped = false
  let timedOut = false
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) last = line
    else say(line)
    if (line.startsWith(SKIPPED)) printedSkipped = true
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  clearTimeout(late)
  const judged = judge(part, { code: child.exitCode, last, printedSkipped, timedOut })
  return { ...part, ...judged, seconds: (performance.now() - began) / 1000 }
}

/** Writes the table to the end of docs/trust.md. */
async function writeTable(text: string): Promise<void> {
  const path = new URL('../docs/trust.md', import.meta.url)
  const where = `${platform()}-${arch()}, ${availableParallelism()} cores, Node ${process.version}`
  const [before = ''] = (await readFile(path, 'utf8')).split(LAST)
  const day = new Date().toISOString().slice(0, 10)
  await writeFile(path, `${before}${LAST}\n\n${day}, ${where}.\n\n\`\`\`\n${text}\n\`\`\`\n`)
}

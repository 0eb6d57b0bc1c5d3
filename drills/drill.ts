import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Defer, runWithCleanup } from './cleanup.ts'
import { aligned } from './table.ts'

const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))

/** The totals of a drill. `npm run trust` adds them up. */
export interface Sum {
  /** Requests sent. */
  requests: number
  /** Injected faults: kills, cuts, clock jumps. */
  faults: number
  committed: number
  received: number
  lost: number
  /** 503 answers with Retry-After. */
  announced: number
  /** Any other 5xx. */
  serverErrors: number
}

interface Verdict {
  rows: readonly (readonly (string | number)[])[]
  /** The violations; empty if all rules hold. */
  failed: string[]
  held: string
  sum: Sum
}

interface DrillContext {
  say(line: string): void
  /** Registers work for the cleanup, which also runs when the drill is interrupted. */
  defer: Defer
  /** A whole number from the command line. */
  number(name: string): number
}

/**
 * Runs a drill: builds the server, performs the drill, cleans up, prints the table, and fails if a rule does not hold. With
 * --json the last line holds the totals.
 */
export async function drill(
  numbers: Record<string, { standard: number; from?: number }>,
  perform: (context: DrillContext) => Promise<Verdict | 'skipped'>,
): Promise<void> {
  const options: ParseArgsConfig['options'] = { json: { type: 'boolean' } }
  for (const [name, { standard }] of Object.entries(numbers))
    options[name] = { type: 'string', default: String(standard) }
  const { values } = parseArgs({ options })
  const say = (line: string) => process.stdout.write(`${line}\n`)
  for (const [name, { from = 1 }] of Object.entries(numbers)) {
    if (/^\d{1,9}$/.test(String(values[name])) && Number(values[name]) >= from) continue
    process.stderr.write(`--${name} must be a whole number from ${from}.\n`)
    process.exit(2)
  }

  await runWithCleanup(async ({ defer, isCleaningUp }) => {
    execFileSync(process.execPath, [BUILD, '--if-stale'], { stdio: ['ignore', 'ignore', 'inherit'] })
    const number = (name: string) => Number(values[name])
    const verdict = await perform({ say, defer, number })
    if (isCleaningUp() || verdict === 'skipped') return 0 // an interrupted drill proves nothing
    const { rows, failed, held, sum } = verdict
    say(`\n${aligned(rows)}\n`)
    say(failed.length === 0 ? held : failed.map((message) => `FAILED: ${message}`).join('\n'))
    if (values.json) say(JSON.stringify(sum))
    return failed.length === 0 ? 0 : 1
  })
}

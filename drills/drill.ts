import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Defer, runWithCleanup } from './cleanup.ts'
import { aligned } from './table.ts'

const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))

/** What a drill comes to, in figures that can be added to those of others. */
export interface Sum {
  /** Calls of ours that were answered, or should have been. */
  requests: number
  /** Kills, cuts, jumps: whatever was done to the house. */
  faults: number
  committed: number
  received: number
  lost: number
  /** Answers of 503 that said when to come again. */
  announced: number
  /** Any other answer from 500 on. */
  serverErrors: number
}

export interface Verdict {
  rows: readonly (readonly (string | number)[])[]
  /** What did not hold, in words; nothing where all did. */
  failed: string[]
  held: string
  sum: Sum
}

export interface Stage {
  say(line: string): void
  /** Done at the end, the last first, also when the drill is interrupted, whatever it was about to start. */
  defer: Defer
  /** A whole number of the command line. */
  number(name: string): number
}

/**
 * Runs a drill: builds what it will start, performs, cleans up whatever happens, prints the table, and fails where
 * something did not hold. With --json the last line is its sum.
 */
export async function drill(
  numbers: Record<string, { standard: number; from?: number }>,
  perform: (stage: Stage) => Promise<Verdict | 'skipped'>,
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
    if (isCleaningUp() || verdict === 'skipped') return 0 // what was interrupted shows nothing
    const { rows, failed, held, sum } = verdict
    say(`\n${aligned(rows)}\n`)
    say(failed.length === 0 ? held : failed.map((words) => `FAILED: ${words}`).join('\n'))
    if (values.json) say(JSON.stringify(sum))
    return failed.length === 0 ? 0 : 1
  })
}

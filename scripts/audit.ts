// npm run audit:check: asks the registry whether anything is known against the packages of the lockfile: those that run in
// production, and all. Where it offers no audit that is said, as SKIPPED: then nothing has been shown.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { runCommand } from '../drills/program.ts'
import { type Audit, readAudit } from './audit/reading.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Which packages are asked about, and how npm is told so. */
const ASKED = { 'in production': ['--omit=dev'], 'in all': [] }
/** A registry that is slow is asked once more, and not for minutes. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

await runWithCleanup(async (cleanup) => {
  const audits: [string, Audit][] = []
  for (const [which, more] of Object.entries(ASKED)) {
    audits.push([which, await ask(cleanup, more)])
    if (cleanup.isCleaningUp()) return 0 // what was interrupted shows nothing
  }
  return report(audits)
})

/** What npm says; that it found something is its exit code too, but its words say more. */
async function ask({ defer }: Cleanup, more: string[]): Promise<Audit> {
  const where = { cwd: ROOT, shell: process.platform === 'win32' }
  const asking = runCommand(defer, 'npm', ['audit', '--json', ...more, ...PATIENCE], where)
  return readAudit(await asking.then(({ printed }) => printed).catch((error: Error) => `npm: ${error.message}`))
}

/** Says what came of it; the code to end with. */
function report(audits: [string, Audit][]): number {
  const faults = audits.flatMap(([which, audit]) => {
    if (audit.kind === 'vulnerable') return audit.found.map((each) => `known ${which}: ${each}`)
    return audit.kind === 'unreadable' ? [`npm audit cannot be read (${which}): ${audit.why}`] : []
  })
  const notAsked = audits.flatMap(([, audit]) => (audit.kind === 'not asked' ? [audit.why] : []))
  if (faults.length > 0) {
    for (const each of faults) console.log(`FAILED: ${each}`)
  } else if (notAsked[0] !== undefined) {
    console.log(
      `SKIPPED: the registry offers no audit (${notAsked[0]}): what is known against the packages is not known here.`,
    )
  } else {
    const packages = audits.map(([, audit]) => (audit.kind === 'clean' ? audit.packages : 0))
    console.log(`Nothing is known against any of ${Math.max(...packages)} packages, in production or beside it.`)
  }
  // Its sum, for `npm run trust`; of what could not be asked there is none.
  if (values.json && (faults.length > 0 || notAsked.length === 0))
    console.log(JSON.stringify({ faults: faults.length }))
  return faults.length > 0 ? 1 : 0
}

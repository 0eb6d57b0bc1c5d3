// npm run audit:check: asks the registry for known vulnerabilities of the production packages and of all packages. A registry
// without audits is reported as SKIPPED.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { runCommand } from '../drills/program.ts'
import { type Audit, readAudit } from './audit/reading.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The sets of packages, and npm's options for them. */
const SETS = { 'in production': ['--omit=dev'], 'in all': [] }
/** A slow registry is retried once, for seconds. */
const NPM_TIMEOUTS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

await runWithCleanup(async (cleanup) => {
  const audits: [string, Audit][] = []
  for (const [which, more] of Object.entries(SETS)) {
    const audit = await ask(cleanup, more)
    if (cleanup.isCleaningUp()) return 0 // an interrupted audit proves nothing
    audits.push([which, audit])
    if (audit.kind === 'not offered' || audit.kind === 'unreadable') break // the next would be the same
  }
  return report(audits)
})

/** The output of `npm audit`, whatever its exit code. */
async function ask({ defer }: Cleanup, more: string[]): Promise<Audit> {
  const where = { cwd: ROOT, shell: process.platform === 'win32' }
  const asking = runCommand(defer, 'npm', ['audit', '--json', ...more, ...NPM_TIMEOUTS], where)
  return readAudit(await asking.then(({ printed }) => printed).catch((error: Error) => `npm: ${error.message}`))
}

/** Prints the result; returns the exit code. */
function report(audits: [string, Audit][]): number {
  const faults = audits.flatMap(([which, audit]) => {
    if (audit.kind === 'vulnerable') return audit.found.map((each) => `known ${which}: ${each}`)
    return audit.kind === 'unreadable' ? [`npm audit cannot be read (${which}): ${audit.why}`] : []
  })
  const notOffered = audits.flatMap(([, audit]) => (audit.kind === 'not offered' ? [audit.why] : []))
  if (faults.length > 0) {
    for (const each of faults) console.log(`FAILED: ${each}`)
  } else if (notOffered[0] !== undefined) {
    console.log(
      `SKIPPED: the registry offers no audit (${notOffered[0]}): what is known against the packages is not known here.`,
    )
  } else {
    const packages = audits.map(([, audit]) => (audit.kind === 'clean' ? audit.packages : 0))
    console.log(`Nothing is known against any of ${Math.max(...packages)} packages, in production or beside it.`)
  }
  // The totals for `npm run trust`; there are none if the registry offers no audit.
  if (values.json && (faults.length > 0 || notOffered.length === 0))
    console.log(JSON.stringify({ faults: faults.length }))
  return faults.length > 0 ? 1 : 0
}

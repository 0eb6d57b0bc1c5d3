// npm run audit:check: asks the registry whether anything is known against the packages of the lockfile: those that run in
// production, and all. Where it offers no audit that is said, as SKIPPED: then nothing has been shown.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Audit, readAudit } from './audit/reading.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Which packages are asked about, and how npm is told so. */
const ASKED = { 'in production': ['--omit=dev'], 'in all': [] }
/** A registry that is slow is asked once more, and not for minutes. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

/** What npm says; that it found something is its exit code too, but its words say more. */
async function ask(more: string[]): Promise<Audit> {
  const child = spawn('npm', ['audit', '--json', ...more, ...PATIENCE], {
    ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' },
  })
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(`npm: ${error.message}`)))
  return readAudit(await Promise.race([text(child.stdout), failed]))
}

const audits: [string, Audit][] = []
for (const [which, more] of Object.entries(ASKED)) audits.push([which, await ask(more)])

const faults = audits.flatMap(([which, audit]) => {
  if (audit.kind === 'vulnerable') return audit.found.map((each) => `known ${which}: ${each}`)
  return audit.kind === 'unreadable' ? [`npm audit cannot be read (${which}): ${audit.why}`] : []
})
const notAsked = audits.flatMap(([, audit]) => (audit.kind === 'not asked' ? [audit.why] : []))
if (faults.length > 0) {
  for (const each of faults) console.log(`FAILED: ${each}`)
  process.exitCode = 1
} else if (notAsked[0] !== undefined) {
  console.log(
    `SKIPPED: the registry offers no audit (${notAsked[0]}): what is known against the packages is not known here.`,
  )
} else {
  const packages = audits.map(([, audit]) => (audit.kind === 'clean' ? audit.packages : 0))
  console.log(`Nothing is known against any of ${Math.max(...packages)} packages, in production or beside it.`)
}
// Its sum, for `npm run trust`; of what could not be asked there is none.
if (values.json && (faults.length > 0 || notAsked.length === 0)) console.log(JSON.stringify({ faults: faults.length }))

// npm run image:check: builds the image where a container engine runs, and starts it as compose.yaml does: a plain user, a
// root that is read-only, no capabilities. Where none runs it says so: then nothing of the image has been shown but its text.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENGINES = ['docker', 'podman']
const PATIENCE_MS = 60_000
const POLL_MS = 500
const IMAGE = 'rodado-check'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

/** What an engine's command says; it throws where that fails. */
const run = (engine: string, ...args: string[]): string =>
  execFileSync(engine, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

function succeeds(engine: string, ...args: string[]): boolean {
  try {
    run(engine, ...args)
    return true
  } catch {
    return false
  }
}

/** What does not hold of the image, in words. */
async function check(engine: string): Promise<string[]> {
  run(engine, 'build', '--tag', IMAGE, '.')
  const name = `${IMAGE}-${randomBytes(4).toString('hex')}`
  const hardened = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp']
  run(engine, 'run', '--detach', '--name', name, ...hardened, '--volume', '/data', IMAGE)
  try {
    const inside = (...command: string[]) => succeeds(engine, 'exec', name, ...command)
    const ready = `fetch('http://127.0.0.1:3000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`
    const deadline = performance.now() + PATIENCE_MS
    while (!inside('node', '-e', ready)) {
      if (performance.now() > deadline) return ['it does not serve']
      await pause(POLL_MS)
    }
    return [
      ...(run(engine, 'exec', name, 'id', '-u') === '0' ? ['it runs as root'] : []),
      ...(inside('touch', '/app/written') || inside('touch', '/written') ? ['its root can be written to'] : []),
    ]
  } finally {
    run(engine, 'rm', '--force', '--volumes', name)
  }
}

const engine = ENGINES.find((each) => succeeds(each, 'info'))
if (!engine) {
  console.log(
    `SKIPPED: no container engine runs here (${ENGINES.join(', ')}): the image has been read, not built or started.`,
  )
} else {
  const failed = await check(engine)
  console.log(failed.map((words) => `FAILED: ${words}`).join('\n') || 'A plain user, a read-only root, and it serves.')
  if (values.json) console.log('{}') // its sum, for `npm run trust`: there is nothing in it to count
  process.exitCode = failed.length > 0 ? 1 : 0
}

// npm run image:check: builds the container image and starts it as compose.yaml does: unprivileged user, read-only root, no
// capabilities. Skipped without a container engine.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { runCommand } from '../drills/program.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENGINES = ['docker', 'podman']
const PATIENCE_MS = 60_000
const POLL_MS = 500
const IMAGE = 'rodado-check'
const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp']
/** For a command that must not be cut off. */
const NEVER: Defer = () => undefined

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

/** The output of an engine's command; throws if it fails. */
async function run(defer: Defer, engine: string, ...args: string[]): Promise<string> {
  const ended = await runCommand(defer, engine, args, { cwd: ROOT })
  if (ended.with !== 0) throw new Error(`${engine} ${args.join(' ')} ended with ${ended.with}: ${ended.stderr}`)
  return ended.printed.trim()
}

const succeeds = (defer: Defer, engine: string, ...args: string[]): Promise<boolean> =>
  run(defer, engine, ...args).then(
    () => true,
    () => false,
  )

/** Starts the image. The cleanup removes the container, also a half created one. */
async function start(defer: Defer, engine: string): Promise<string> {
  const name = `${IMAGE}-${randomBytes(4).toString('hex')}`
  const starting = run(NEVER, engine, 'run', '--detach', '--name', name, ...HARDENED, '--volume', '/data', IMAGE)
  defer(async () => {
    await starting.catch(() => undefined) // an interrupted or failed engine may still have created it
    await run(NEVER, engine, 'rm', '--force', '--volumes', name)
  })
  await starting
  return name
}

/** What is wrong with the image. */
async function check(defer: Defer, engine: string): Promise<string[]> {
  await run(defer, engine, 'build', '--tag', IMAGE, '.')
  const name = await start(defer, engine)
  const inside = (...command: string[]) => succeeds(defer, engine, 'exec', name, ...command)
  const ready = `fetch('http://127.0.0.1:3000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`
  const deadline = performance.now() + PATIENCE_MS
  while (!(await inside('node', '-e', ready))) {
    if (performance.now() > deadline) return ['it does not serve']
    await pause(POLL_MS)
  }
  const user = await run(defer, engine, 'exec', name, 'id', '-u')
  const isWritten = (await inside('touch', '/app/written')) || (await inside('touch', '/written'))
  return [...(user === '0' ? ['it runs as root'] : []), ...(isWritten ? ['its root can be written to'] : [])]
}

await runWithCleanup(async ({ defer, isCleaningUp }) => {
  let engine: string | undefined
  for (const each of ENGINES) if (!engine && (await succeeds(defer, each, 'info'))) engine = each
  if (isCleaningUp()) return 0 // an interrupted check proves nothing
  if (!engine) {
    console.log(
      `SKIPPED: no container engine runs here (${ENGINES.join(', ')}): the image has been read, not built or started.`,
    )
    return 0
  }
  const failed = await check(defer, engine)
  if (isCleaningUp()) return 0
  console.log(failed.map((words) => `FAILED: ${words}`).join('\n') || 'A plain user, a read-only root, and it serves.')
  if (values.json) console.log('{}') // the totals for `npm run trust`: there is nothing to count
  return failed.length > 0 ? 1 : 0
})

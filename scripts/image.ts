// npm run image:check [-- --base IMAGE]: builds the container image and starts it as compose.yaml does: unprivileged user,
// read-only root, no capabilities. Where no engine runs, buildah builds and starts it without a daemon, and its root is not
// read-only. --base replaces the base image, for machines that reach no registry. Skipped without docker, podman or buildah.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { runCommand } from '../drills/program.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAMS = ['docker', 'podman', 'buildah'] as const
const READY_TIMEOUT_MS = 60_000
const POLL_MS = 500
const IMAGE = 'rodado-check'
const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp']
/** Needs neither a daemon nor a network of its own, so the server takes another port. */
const CHROOT = ['--isolation', 'chroot', '--env', 'PORT=13000']
const UNREACHABLE = /pinging container registry|dial tcp|no such host|i\/o timeout|initializing source/
/** For a command that must not be cut off. */
const NEVER: Defer = () => undefined

type Program = (typeof PROGRAMS)[number]

const { values } = parseArgs({ options: { json: { type: 'boolean' }, base: { type: 'string' } } })

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

/** Starts the image; returns the beginning of commands that run inside. The cleanup removes the container, also a half created one. */
async function start(defer: Defer, engine: Program): Promise<string[]> {
  const name = `${IMAGE}-${randomBytes(4).toString('hex')}`
  const isBuildah = engine === 'buildah'
  const starting = isBuildah
    ? run(NEVER, engine, 'from', '--pull-never', '--name', name, IMAGE)
    : run(NEVER, engine, 'run', '--detach', '--name', name, ...HARDENED, '--volume', '/data', IMAGE)
  defer(async () => {
    await starting.catch(() => undefined) // an interrupted or failed engine may still have created it
    await (isBuildah ? run(NEVER, engine, 'rm', name) : run(NEVER, engine, 'rm', '--force', '--volumes', name))
  })
  await starting
  if (!isBuildah) return ['exec', name]
  const inside = ['run', ...CHROOT, name, '--']
  runCommand(defer, engine, [...inside, 'rodado', 'serve']).catch(() => undefined) // it does not answer then
  return inside
}

/** What is wrong with the image. */
async function check(defer: Defer, engine: Program): Promise<string[]> {
  const base = values.base ? ['--build-arg', `NODE_IMAGE=${values.base}`] : []
  const isolation = engine === 'buildah' ? ['--isolation', 'chroot'] : []
  await run(defer, engine, 'build', '--tag', IMAGE, ...isolation, ...base, '.')
  const beginning = await start(defer, engine)
  const inside = (...command: string[]) => succeeds(defer, engine, ...beginning, ...command)
  const ready =
    'fetch("http://127.0.0.1:" + process.env.PORT + "/health/ready").then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))'
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!(await inside('node', '-e', ready))) {
    if (performance.now() > deadline) return ['it does not serve']
    await pause(POLL_MS)
  }
  const user = await run(defer, engine, ...beginning, 'id', '-u')
  const isWritten = (await inside('touch', '/app/written')) || (await inside('touch', '/written'))
  return [...(user === '0' ? ['it runs as root'] : []), ...(isWritten ? ['its root can be written to'] : [])]
}

await runWithCleanup(async ({ defer, isCleaningUp }) => {
  let engine: Program | undefined
  for (const each of PROGRAMS) if (!engine && (await succeeds(defer, each, 'info'))) engine = each
  if (isCleaningUp()) return 0 // an interrupted check proves nothing
  if (!engine) {
    console.log(
      `SKIPPED: no container engine runs here (${PROGRAMS.join(', ')}): the image has been read, not built or started.`,
    )
    return 0
  }
  const failed = await check(defer, engine).catch((error: Error) => {
    if (values.base || !UNREACHABLE.test(error.message)) throw error
    console.log('SKIPPED: the base image cannot be pulled; --base names another one.')
    return undefined
  })
  if (!failed || isCleaningUp()) return 0
  const good =
    engine === 'buildah'
      ? 'A plain user, who cannot write to the root, and it serves.'
      : 'A plain user, a read-only root, and it serves.'
  console.log(failed.map((words) => `FAILED: ${words}`).join('\n') || good)
  if (values.json) console.log('{}') // the totals for `npm run trust`: there is nothing to count
  return failed.length > 0 ? 1 : 0
})

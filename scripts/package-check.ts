// npm run package:check [-- --arch amd64]: builds the Debian packages, runs lintian on them, and starts the server of the one
// for this machine as a user who cannot write to it. Names what is skipped because a program is missing.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Defer, makeTempDir, runWithCleanup } from '../drills/cleanup.ts'
import { runCommand } from '../drills/program.ts'
import { freePort } from '../tests/support/free-port.ts'
import { until } from '../tests/support/until.ts'
import { ARCHITECTURES, type Architecture, makeDeb } from './package/deb.ts'
import { makeTarball } from './package/tarball.ts'

/** A first start runs initdb, on a busy machine. */
const START_MS = 120_000
const MEBIBYTE = 1024 * 1024

const { values } = parseArgs({ options: { arch: { type: 'string', default: Object.keys(ARCHITECTURES).join() } } })

/** The output of a program; undefined, with a message, if it is not installed. */
async function run(defer: Defer, program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const ended = await runCommand(defer, program, args)
    if (ended.with !== 0) throw new Error(`${program} ended with ${ended.with}:\n${ended.printed}${ended.stderr}`)
    return ended.printed
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.log(`SKIPPED: ${program} is not installed.`)
    return undefined
  }
}

/** Starts the server of an extracted package in an empty folder, and returns when it is ready. */
async function start(defer: Defer, tree: string, folder: string): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (isRoot) await chown(data, idOf('-u'), idOf('-g'))
  const port = await freePort()
  const env = { PATH: '/usr/bin:/bin', PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' }
  const program = join(tree, 'usr/lib/rodado/bin/rodado.js')
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: data,
    env,
    ...user,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(child, 'exit')
  defer(async () => {
    child.kill('SIGTERM')
    await gone
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`rodado serve ended with ${child.exitCode}.`)
    return (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.ok
  }, START_MS)
}

/** PostgreSQL needs a user of /etc/passwd other than root. */
const idOf = (option: '-u' | '-g'): number => Number(execFileSync('id', [option, 'nobody']))

await runWithCleanup(async ({ defer }) => {
  const folder = makeTempDir(defer, 'package')
  await chmod(folder, 0o755)
  const tarball = await makeTarball(folder)
  for (const arch of values.arch.split(',') as Architecture[]) {
    const deb = await makeDeb(tarball, arch, folder)
    console.log(`${deb.split('/').at(-1)}: ${Math.ceil((await stat(deb)).size / MEBIBYTE)} MiB`)
    if ((await run(defer, 'lintian', '--fail-on', 'error', '--tag-display-limit', '0', deb)) !== undefined)
      console.log('  no errors of lintian')
    if (ARCHITECTURES[arch] !== process.arch) continue
    const tree = join(folder, 'installed')
    await run(defer, 'dpkg-deb', '--extract', deb, tree)
    await start(defer, tree, folder)
    console.log('  starts and answers, as a user who cannot write to its files')
  }
  return 0
})

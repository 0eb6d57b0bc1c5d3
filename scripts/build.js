// Compiles the client, and then src/, which uses it, to plain JavaScript in dist/, with the files that are read at run time.
// With --if-stale it does so only when something changed: npx runs `prepare` each time it is new to the project,
// also beside a running server, and also for a user who may not write here.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

function isFresh() {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  const sources = ['src', join('sdk', 'src')].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(root, folder, String(path))),
  )
  return [...sources, join(root, 'tsconfig.build.json')].every((path) => statSync(path).mtimeMs <= built)
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0)

// Made aside and put in place at the end: what runs from dist/ meanwhile keeps its files.
const made = join(root, `.dist-${process.pid}`)
const former = join(root, `.dist-former-${process.pid}`)
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
for (const project of [['sdk'], ['tsconfig.build.json', '--outDir', made]]) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', ...project], { cwd: root, stdio: 'inherit' })
  if (status === 0) continue
  rmSync(made, { recursive: true, force: true })
  process.exit(status ?? 1)
}
const isSource = /\.tsx?$/
cpSync(join(root, 'src'), made, { recursive: true, filter: (path) => !isSource.test(path) })
writeFileSync(join(made, '.built'), '')
if (existsSync(dist)) renameSync(dist, former)
renameSync(made, dist)
rmSync(former, { recursive: true, force: true })

// npm links the commands of dependencies, not a project's own.
const commands = join(root, 'node_modules', '.bin')
if (process.platform !== 'win32' && existsSync(commands)) {
  rmSync(join(commands, 'rodado'), { force: true })
  symlinkSync(join('..', '..', 'bin', 'rodado.js'), join(commands, 'rodado'))
}

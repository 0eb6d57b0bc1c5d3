// Compiles src/ to plain JavaScript in dist/ and puts the files that are read at run time beside it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const isSource = /\.tsx?$/
cpSync(join(root, 'src'), join(root, 'dist'), { recursive: true, filter: (path) => !isSource.test(path) })

// npm links the commands of dependencies, not a project's own: without this, `npx rodado` would ask the registry.
const commands = join(root, 'node_modules', '.bin')
if (process.platform !== 'win32' && existsSync(commands)) {
  rmSync(join(commands, 'rodado'), { force: true })
  symlinkSync(join('..', '..', 'bin', 'rodado.js'), join(commands, 'rodado'))
}

// Compiles the client and the command line for partners, then bundles src/ into dist/, with the files that are read at run
// time. With --if-stale it builds only after a change: npx runs `prepare` often, also beside a running server and for users
// without write access.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { COMMONJS, EXTERNAL } from './bundle.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

function isFresh() {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  const sources = ['src', join('clients', 'typescript', 'src'), join('cli', 'src'), join('cli', 'help')].flatMap(
    (folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(root, folder, String(path))),
  )
  const scripts = ['build.js', 'bundle.js'].map((name) => join(root, 'scripts', name))
  return [...sources, ...scripts].every((path) => statSync(path).mtimeMs <= built)
}

// npm links the commands of dependencies, also that of cli/, but not a project's own.
const commands = join(root, 'node_modules', '.bin')
if (process.platform !== 'win32' && existsSync(commands)) linkCommand(join(commands, 'rodado'))

function linkCommand(path) {
  const target = join('..', '..', 'bin', 'rodado.js')
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(path) === target) return
  rmSync(path, { force: true })
  symlinkSync(target, path)
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0)

// Built in a temporary folder and moved at the end, so that a running server keeps its files.
const made = join(root, `.dist-${process.pid}`)
const former = join(root, `.dist-former-${process.pid}`)
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
for (const workspace of [join('clients', 'typescript'), 'cli']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', workspace], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Bundled files find their neighbours by import.meta.url: dist/ has the same folders as src/, and those of cli/ in partner/. */
const addressOfSource = {
  name: 'address-of-source',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const place = relative(join(root, 'src'), path).replace(/^\.\.\/cli\//, 'partner/')
      const address = `new URL(${JSON.stringify(place)}, import.meta.url).href`
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', address)
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

const { metafile } = await build({
  // One file for the server and one for each command, with the packages they use: loading hundreds of files is slow.
  ...{ entryPoints: [join(root, 'src/cli/main.ts')], outdir: made, absWorkingDir: root, logLevel: 'warning' },
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
  ...{ external: EXTERNAL, banner: { js: COMMONJS }, plugins: [addressOfSource] },
  ...{ sourcemap: 'linked', sourcesContent: false, metafile: true },
})
const isSource = /\.tsx?$/
cpSync(join(root, 'src'), made, { recursive: true, filter: (path) => !isSource.test(path) })
for (const path of ['help', 'package.json'])
  cpSync(join(root, 'cli', path), join(made, 'partner', path), { recursive: true })
writeFileSync(join(made, 'THIRD-PARTY-LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)))
writeFileSync(join(made, '.built'), '')
if (existsSync(dist)) renameSync(dist, former)
renameSync(made, dist)
rmSync(former, { recursive: true, force: true })

/** The licence of every bundled package: most require that it is passed on with the code. */
function licencesOf(files) {
  const folders = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const texts = readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
        .map((entry) => readFileSync(join(root, folder, entry.name), 'utf8').trim())
      return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

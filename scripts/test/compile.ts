import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Loader, type Plugin } from 'esbuild'
import { COMMONJS, EXTERNAL } from '../bundle.js'

/** Tests that start programs import it. */
const PROGRAMS_SOURCE = 'tests/support/compiled-program.ts'
const TEST_FILE = /\.(test|last|long)\.tsx?$/

interface Compiled {
  /** The entry points for `node --test`, one process each. */
  tests: string[]
  last: string[]
  /** The folder where processes claim test files. */
  claims: string
  /** The folder of the programs that tests start. */
  programs: string
}

interface CompileOptions {
  root: string
  /** The test files, which that many processes share. */
  tests: string[]
  processes: number
  /** The files that run after them, in one process. */
  last: string[]
  programs: Record<string, string>
}

/** The programs start often, so their packages are bundled too: loading hundreds of files takes a second of CPU. */
const WITH_PACKAGES: BuildOptions = { external: EXTERNAL, banner: { js: COMMONJS } }

/**
 * Compiles tests and programs to plain JavaScript once for the run: every process would take seconds to do it itself.
 */
export async function compile(
  folder: string,
  { root, tests, last, processes, programs }: CompileOptions,
): Promise<Compiled> {
  const former = process.umask(0o022) // tests that run as another user read it too
  await mkdir(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const names = Array.from({ length: processes }, (_, index) => `tests-${index}`)
  for (const name of names) await writeProgram(name, tests, 'claims')
  const lastNames = last.length > 0 ? ['last'] : []
  for (const name of lastNames) await writeProgram(name, last, 'claims-last')

  async function writeProgram(name: string, files: string[], claims: string): Promise<void> {
    await mkdir(join(folder, claims), { recursive: true })
    await writeFile(join(folder, `${name}.ts`), programOf(files, root, join(folder, claims)))
  }
  const common: BuildOptions = {
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
    plugins: [asSource],
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  }
  const { metafile } = await build({
    ...common,
    entryPoints: [...names, ...lastNames].map((name) => ({ in: join(folder, `${name}.ts`), out: name })),
    outdir: folder,
    packages: 'external',
    metafile: true,
    sourcemap: 'linked',
    sourcesContent: false, // for reporter.js
  })
  if (metafile && PROGRAMS_SOURCE in metafile.inputs)
    await build({
      ...common,
      ...WITH_PACKAGES,
      entryPoints: Object.entries(programs).map(([name, file]) => ({ in: join(root, file), out: name })),
      outdir: join(folder, 'programs'),
    })
  process.umask(former)
  return {
    tests: names.map((name) => join(folder, `${name}.mjs`)),
    last: lastNames.map((name) => join(folder, `${name}.mjs`)),
    claims: join(folder, 'claims'),
    programs: join(folder, 'programs'),
  }
}

/**
 * The entry point of a process. It loads a test file synchronously within its suite, because node:test assigns tests and hooks
 * to the suite being defined: `require`, which the compiler inlines, and not `import`.
 */
function programOf(files: string[], root: string, claims: string): string {
  const text = JSON.stringify
  const loads = files.map((file) => `  ${text(relative(root, file))}: () => require(${text(file)}),`)
  return [
    `import { runFiles } from ${text(join(root, 'scripts/test/suite.ts'))}`,
    'void runFiles({',
    ...loads,
    `}, ${text(claims)})`,
  ].join('\n')
}

/** A file keeps the URL of its source, so that it finds its neighbours; a test file also registers itself. */
const asSource: Plugin = {
  name: 'as-source',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      const end = TEST_FILE.test(path) ? '\nexport const readToItsEnd = true\n' : ''
      return { contents: contents + end, loader: extname(path).slice(1) as Loader }
    })
  },
}

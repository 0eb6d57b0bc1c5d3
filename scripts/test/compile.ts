import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Loader, type Plugin } from 'esbuild'

const TEST_FILE = /\.(test|last|long)\.tsx?$/
const WAITS = 'A test file shares its process and cannot wait at its top level: await in before().'

export interface Compiled {
  /** The entry points for `node --test`, one process each. */
  groups: string[]
  /** The folder of the programs that tests start. */
  programs: string
  /** Our source files in it, relative to the root. */
  sources: Set<string>
}

/**
 * Compiles tests and programs to plain JavaScript once for the run: every process would take seconds to do it itself. Packages
 * stay where they are.
 */
export async function compile(
  folder: string,
  { root, groups, programs }: { root: string; groups: string[][]; programs: Record<string, string> },
): Promise<Compiled> {
  const former = process.umask(0o022) // tests that run as another user read it too
  await mkdir(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const names = groups.map((_, index) => `group-${String(index).padStart(3, '0')}`)
  for (const [index, name] of names.entries())
    await writeFile(join(folder, `${name}.ts`), programOf(groups[index] ?? [], root))
  const { metafile } = await build({
    entryPoints: [
      ...names.map((name) => ({ in: join(folder, `${name}.ts`), out: name })),
      ...Object.entries(programs).map(([name, file]) => ({ in: join(root, file), out: `programs/${name}` })),
    ],
    ...{ outdir: folder, outExtension: { '.js': '.mjs' }, absWorkingDir: root, logLevel: 'warning' },
    ...{ bundle: true, splitting: true, packages: 'external', format: 'esm', platform: 'node', target: 'node20' },
    // Stacks refer to the sources, and functions keep their names.
    ...{ sourcemap: 'linked', sourcesContent: false, keepNames: true },
    ...{ plugins: [asSource], metafile: true },
  })
  process.umask(former)
  return {
    groups: names.map((name) => join(folder, `${name}.mjs`)),
    programs: join(folder, 'programs'),
    sources: new Set(Object.keys(metafile.inputs)),
  }
}

/**
 * The entry point of a process with several test files. Each is loaded synchronously within its suite, because node:test
 * assigns tests and hooks to the suite being defined: `require`, which the compiler inlines, and not `import`.
 */
function programOf(files: string[], root: string): string {
  const text = JSON.stringify
  const suites = files.map(
    (file) => `suite(${text(relative(root, file))}, () => {
  if (!require(${text(file)}).readToItsEnd) throw new Error(${text(WAITS)})
})`,
  )
  return [`import { suite } from ${text(join(root, 'scripts/test/suite.ts'))}`, ...suites].join('\n')
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

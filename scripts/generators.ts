// Generates a client from the contract with each common generator and compiles it, and lints the contract:
// `npm run generators`, or `npm run generators -- java go` for some. Says which had to be skipped, and why.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentFor } from '../src/http/openapi/audience.ts'
import { downConvert } from '../src/http/openapi/down-convert.ts'
import { CACHE, missingOf, oapiCodegen, openapiGenerator, openapiPythonClient, run, VERSIONS } from './clients/tools.ts'
import { CONTRACTS, makeDocument } from './document.ts'

const CONTRACT = fileURLToPath(CONTRACTS.partners)
const SITE_CONTRACT = fileURLToPath(CONTRACTS.site)
interface Generator {
  name: string
  /** Programs without which it cannot run. */
  requires: string[]
  /** Generates and compiles in an empty folder. If not all of it could be checked, the result is a text that says so. */
  build(dir: string): Promise<unknown>
}

/** With a TypeScript that the generators can use: some take any newer one. */
const npx = (name: keyof typeof VERSIONS, bin: string, args: string[], cwd: string) => {
  const packages = [...new Set([name, 'typescript'] as const)].map((each) => `--package=${each}@${VERSIONS[each]}`)
  return run('npx', ['--yes', ...packages, bin, ...args], cwd)
}

/** Imports every module of a generated package, with the libraries it needs. */
async function importPython(dir: string, name: string, libraries: string[]): Promise<void> {
  await run('python3', ['-m', 'venv', 'venv'], dir)
  await run('venv/bin/pip', ['-q', 'install', ...libraries], dir)
  const program = `import pkgutil, importlib, ${name}
for module in pkgutil.walk_packages(${name}.__path__, '${name}.'): importlib.import_module(module.name)`
  await run('venv/bin/python', ['-W', 'error::SyntaxWarning', '-c', program], dir)
}

async function compileTypeScript(dir: string): Promise<void> {
  const options = { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noEmit: true }
  const compilerOptions = { ...options, lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  await npx('typescript', 'tsc', ['-p', '.'], dir)
}

/** Loads every generated class, without the libraries that only calls need. */
const LOAD_PHP = `<?php
error_reporting(E_ALL);
spl_autoload_register(function ($class) {
    $file = __DIR__ . '/lib/' . str_replace(['OpenAPI\\\\Client\\\\', '\\\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require_once $file;
});
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(__DIR__ . '/lib')) as $file)
    if (str_ends_with($file, '.php')) require_once $file;
`

const JAVA = ['java', 'mvn']

const GENERATORS: Generator[] = [
  {
    name: 'python',
    requires: [...JAVA, 'python3'],
    async build(dir) {
      await openapiGenerator('python', CONTRACT, dir)
      await importPython(dir, 'openapi_client', ['-r', 'requirements.txt'])
    },
  },
  {
    name: 'java',
    requires: JAVA,
    async build(dir) {
      await openapiGenerator('java', CONTRACT, dir)
      await run('mvn', ['-q', '-Dmaven.test.skip=true', 'compile'], dir)
    },
  },
  {
    name: 'php',
    requires: [...JAVA, 'php'],
    async build(dir) {
      await openapiGenerator('php', CONTRACT, dir)
      await writeFile(join(dir, 'load.php'), LOAD_PHP)
      await run('php', ['load.php'], dir)
      return 'every class loaded; Guzzle is not installed'
    },
  },
  {
    name: 'csharp',
    requires: JAVA,
    async build(dir) {
      await openapiGenerator('csharp', CONTRACT, dir)
      if ((await missingOf(['dotnet'])).length > 0) return 'generated and not compiled: there is no dotnet'
      await run('dotnet', ['build', 'src'], dir)
    },
  },
  {
    name: 'typescript-fetch',
    requires: [...JAVA, 'npx'],
    async build(dir) {
      await openapiGenerator('typescript-fetch', CONTRACT, dir)
      await compileTypeScript(dir)
    },
  },
  {
    name: 'oapi-codegen',
    requires: ['go'],
    async build(dir) {
      await run('go', ['mod', 'init', 'rodado'], dir)
      await oapiCodegen(CONTRACT, dir, 'rodado', 'rodado.go')
      await run('go', ['mod', 'tidy'], dir)
      await run('go', ['vet', './...'], dir)
    },
  },
  {
    name: 'openapi-python-client',
    requires: ['python3'],
    async build(dir) {
      await openapiPythonClient(CONTRACT, join(dir, 'rodado'))
      await importPython(dir, 'rodado', ['httpx', 'attrs', 'python-dateutil'])
    },
  },
  {
    name: 'openapi-typescript',
    requires: ['npx'],
    async build(dir) {
      await npx('openapi-typescript', 'openapi-typescript', [CONTRACT, '-o', 'schema.ts'], dir)
      await compileTypeScript(dir)
    },
  },
  {
    name: 'hey-api',
    requires: ['npx'],
    async build(dir) {
      const flags = ['-i', CONTRACT, '-o', 'rodado', '-c', '@hey-api/client-fetch']
      await npx('@hey-api/openapi-ts', 'openapi-ts', flags, dir)
      await compileTypeScript(dir)
    },
  },
  {
    name: 'spectral',
    requires: ['npx'],
    async build(dir) {
      await writeFile(join(dir, 'rules.yaml'), 'extends: [["spectral:oas", all]]\n')
      const flags = ['lint', '--ruleset', 'rules.yaml', '--fail-severity', 'hint']
      for (const file of await documents(dir)) await npx('@stoplight/spectral-cli', 'spectral', [...flags, file], dir)
    },
  },
  {
    name: 'redocly',
    requires: ['npx'],
    async build(dir) {
      await npx('@redocly/cli', 'redocly', ['lint', '--extends', 'recommended-strict', ...(await documents(dir))], dir)
    },
  },
]

/** Every document that the server offers. */
async function documents(dir: string): Promise<string[]> {
  const older = join(dir, 'openapi-3.0.json')
  await writeFile(older, JSON.stringify(downConvert(documentFor('partners', await makeDocument()))))
  return [CONTRACT, SITE_CONTRACT, older]
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !GENERATORS.some((each) => each.name === name))
if (unknown.length > 0)
  throw new Error(`No generator is called ${unknown}. There are: ${GENERATORS.map(({ name }) => name)}`)

await mkdir(CACHE, { recursive: true })
const root = await mkdtemp(join(tmpdir(), 'rodado-clients-'))
console.log(`Clients are written to ${root}`)
for (const { name, requires, build } of GENERATORS) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const missing = await missingOf(requires)
  if (missing.length > 0) {
    console.log(`${name}: SKIPPED, there is no ${missing.join(', ')}`)
    continue
  }
  const dir = join(root, name)
  await mkdir(dir)
  try {
    const reservation = await build(dir)
    console.log(`${name}: ok${typeof reservation === 'string' ? ` (${reservation})` : ''}`)
  } catch (error) {
    process.exitCode = 1
    console.error(`${name}: FAILED\n${(error as Error).message}`)
  }
}

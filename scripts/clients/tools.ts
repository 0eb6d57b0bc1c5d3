import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const VERSIONS = {
  'openapi-generator-cli': '7.25.0',
  'oapi-codegen': 'v2.8.2',
  'openapi-python-client': '0.29.1',
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.95.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@redocly/cli': '2.73.0',
  typescript: '5.9.3',
}

const MAX_OUTPUT = 64 * 1_048_576

/** Runs a program to its end and returns what it printed; the error of one that fails has the end of its output. */
export const run = (command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT }
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-4_000)}`))
      else resolve(stdout)
    })
  })

const hasCommand = (command: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${command}`], '.').then(
    () => true,
    () => false,
  )

/** Those of the programs that are not installed. */
export async function missingOf(commands: string[]): Promise<string[]> {
  const missing: string[] = []
  for (const command of commands) if (!(await hasCommand(command))) missing.push(command)
  return missing
}

/** Downloads are kept here between runs. */
export const CACHE = join(tmpdir(), 'rodado-generators')

/** openapi-generator is a Java program; Maven fetches it. */
export async function openapiGenerator(language: string, document: string, dir: string, more: string[] = []) {
  await mkdir(CACHE, { recursive: true })
  const version = VERSIONS['openapi-generator-cli']
  const artifact = `org.openapitools:openapi-generator-cli:${version}`
  const jar = join(CACHE, `openapi-generator-cli-${version}.jar`)
  await run('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${CACHE}`], CACHE)
  await run('java', ['-jar', jar, 'generate', '-i', document, '-g', language, '-o', dir, ...more], CACHE)
}

/** Writes the package to `dir`. */
export async function openapiPythonClient(document: string, dir: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const generator = join(CACHE, 'openapi-python-client')
  await run('python3', ['-m', 'venv', generator], CACHE)
  const wanted = `openapi-python-client==${VERSIONS['openapi-python-client']}`
  await run(join(generator, 'bin/pip'), ['-q', 'install', wanted], CACHE)
  const flags = ['--path', document, '--meta', 'none', '--output-path', dir, '--overwrite']
  await run(join(generator, 'bin/openapi-python-client'), ['generate', ...flags], CACHE)
}

/** Types and client in one file, in a Go module. */
export async function oapiCodegen(document: string, cwd: string, packageName: string, file: string): Promise<void> {
  const program = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS['oapi-codegen']}`
  const flags = ['-generate', 'types,client', '-package', packageName, '-o', file]
  await run('go', ['run', program, ...flags, document], cwd)
}

import { type ChildProcessWithoutNullStreams, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lazy } from '../../src/memoize.ts'
import { fileNameOf, TASKS, type Task } from '../../src/pages/docs/examples.ts'
import type { SampleLanguage } from '../../src/pages/docs/languages.ts'
import { send } from './caller.ts'

/** Gson as Maven keeps it, for the examples in Java. */
const GSON_DIR = join(homedir(), '.m2', 'repository', 'com', 'google', 'code', 'gson', 'gson')
const GSON = existsSync(GSON_DIR)
  ? readdirSync(GSON_DIR)
      .map((version) => join(GSON_DIR, version, `gson-${version}.jar`))
      .find(existsSync)
  : undefined
const DOTNET_PROJECT = (sdk: string) => `<Project Sdk="${sdk}"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>
</PropertyGroup></Project>`

/** The interpreter itself: `python3` is often a script that chooses one, and takes longer than most examples. */
const pythonPath = lazy(() =>
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(),
)

/** What runs the programs of a language, and what it needs. */
const RUNTIMES: Record<SampleLanguage, { tools: string[][]; command: (file: string, port?: string) => string[] }> = {
  curl: { tools: [['bash'], ['curl'], ['openssl'], ['jq']], command: (file) => ['bash', file] },
  javascript: { tools: [], command: (file) => [process.execPath, file] },
  python: { tools: [['python3']], command: (file) => [pythonPath(), file] },
  php: { tools: [['php']], command: (file, port) => (port ? ['php', '-S', `127.0.0.1:${port}`, file] : ['php', file]) },
  java: {
    tools: [['javac'], ['java']],
    command: (file) => ['java', '-Dfile.encoding=UTF-8', '-cp', `.:${GSON}`, file.replace(/\.java$/, '')],
  },
  csharp: { tools: [['dotnet']], command: (file) => ['dotnet', 'run', '--project', file.replace(/\.cs$/, ''), '--'] },
  go: { tools: [['go', 'version']], command: (file) => [`./${file.replace(/\.go$/, '')}`] },
}

/** Why the programs of a language cannot run here, or false. */
export function missingRuntime(language: SampleLanguage): string | false {
  const isMissing = ([tool = '', option = '--version']: string[]) => spawnSync(tool, [option]).error !== undefined
  const missing = RUNTIMES[language].tools.filter(isMissing).map(([tool]) => tool)
  if (language === 'java' && !GSON) missing.push('Gson')
  return missing.length > 0 && `${missing.join(', ')} not at hand: the examples in ${language} are read, not run`
}

/** A folder with the downloaded examples of a language. */
export interface Programs {
  folder: string
  /** Runs a program to its end; returns its output and whether it succeeded. */
  run(task: Task, args?: string[], env?: Record<string, string>): Promise<{ printed: string; ok: boolean }>
  /** Runs code that uses a function of an example; returns its output. */
  evaluate(task: Task, lines: string): Promise<string>
  /** Starts a program that keeps running; end it with kill(). */
  start(task: Task, env: Record<string, string>): ChildProcessWithoutNullStreams
  remove(): Promise<void>
}

export async function downloadPrograms(
  url: string,
  language: SampleLanguage,
  env: Record<string, string>,
): Promise<Programs> {
  const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), `${language}-`))
  for (const task of TASKS) {
    const file = fileNameOf(task, language)
    const { status, bytes } = await send(url, `/docs/ejemplos/${language}/${file}`)
    if (status !== 200) throw new Error(`${file}: ${status}`)
    if (language === 'csharp') await writeProject(folder, file, bytes)
    else await writeFile(join(folder, file), bytes)
  }
  if (language === 'csharp') await shareClient(folder)
  if (language === 'java') await compileJava(folder)
  if (language === 'go') await Promise.all(TASKS.map((task) => buildGo(folder, task)))

  const commandOf = (task: Task, port?: string) => RUNTIMES[language].command(fileNameOf(task, language), port)
  const environment = (more: Record<string, string>) => ({
    ...process.env,
    RODADO_URL: url,
    ...env,
    ...more,
  })
  const runToEnd = ([command = '', ...options]: string[], more: Record<string, string>) =>
    new Promise<{ printed: string; ok: boolean }>((resolve) => {
      execFile(command, options, { cwd: folder, env: environment(more) }, (error, stdout, stderr) =>
        resolve({ printed: `${stdout}\n${stderr}`, ok: error === null }),
      )
    })
  return {
    folder,
    run: (task, args = [], more = {}) => runToEnd([...commandOf(task), ...args], more),
    async evaluate(task, lines) {
      const file = `${language === 'java' ? 'Pregunta' : 'pregunta'}${fileNameOf(task, language).replace(/.*\./, '.')}`
      if (language === 'csharp') {
        await writeProject(folder, file, Buffer.from(lines))
        await cp(join(folder, fileNameOf(task, language).replace('.cs', '')), join(folder, 'pregunta'), {
          recursive: true,
        })
      } else await writeFile(join(folder, file), lines)
      if (language === 'java') await compileJava(folder, file)
      if (language === 'go') await goBuild(folder, 'pregunta', [file, fileNameOf(task, language)])
      return (await runToEnd(RUNTIMES[language].command(file), {})).printed.trim()
    },
    start(task, more) {
      const [command = '', ...options] = commandOf(task, more.PORT)
      return spawn(command, options, { cwd: folder, env: environment(more) })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const run = promisify(execFile)

const compileJava = (folder: string, files = TASKS.map((task) => fileNameOf(task, 'java')).join(' ')) =>
  run('javac', ['-encoding', 'UTF-8', '-cp', `.:${GSON}`, ...files.split(' ')], { cwd: folder })

/** From the files that its first line names: `// go run firmar.go rodado.go …`. */
async function buildGo(folder: string, task: Task): Promise<void> {
  const source = await readFile(join(folder, fileNameOf(task, 'go')), 'utf8')
  const files = /^\/\/ .*?go run ((?:[\w-]+\.go ?)+)/.exec(source)?.[1]?.trim().split(' ')
  if (files) await goBuild(folder, task, files)
}

const goBuild = (folder: string, name: string, files: string[]) =>
  run('go', ['build', '-o', name, ...files], { cwd: folder })

/** A .NET program needs its own project. */
async function writeProject(folder: string, file: string, bytes: Buffer): Promise<void> {
  const project = join(folder, file.replace(/\.cs$/, ''))
  const sdk = bytes.includes('WebApplication') ? 'Microsoft.NET.Sdk.Web' : 'Microsoft.NET.Sdk'
  await mkdir(project, { recursive: true })
  await writeFile(join(project, file), bytes)
  await writeFile(join(project, 'Ejemplo.csproj'), DOTNET_PROJECT(sdk))
}

/** Each project includes the client beside its program, as the guide says. */
async function shareClient(folder: string): Promise<void> {
  const client = await readFile(join(folder, 'Rodado', 'Rodado.cs'))
  for (const project of await readdir(folder)) await writeFile(join(folder, project, 'Rodado.cs'), client)
}

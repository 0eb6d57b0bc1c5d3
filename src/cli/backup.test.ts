import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { createDatabase } from '../../tests/support/database.ts'
import { openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { until } from '../../tests/support/until.ts'
import { lastBackup } from '../store/metrics.ts'
import { run } from './run.ts'

/** For a start on a busy machine. */
const START_MS = 120_000

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
    await until(ready, START_MS)
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
    const nowhere = await rodado(['backup', join(folder, 'absent', 'store.backup')], env)
    assert.deepEqual([nowhere.code, /There is no folder .*absent\. Create it/.test(nowhere.err)], [1, true])
    const checked = await rodado(['restore', file, '--check'], env)
    assert.match(checked.out, /is intact: made \d{4}-.* by Rodado/)
    const replaced = await rodado(['backup', file, '--force'], env)
    assert.match(replaced.out, /encrypted: it opens only with the master key \(.*first\/master\.key\)/)
    assert.ok((await readFile(file, 'latin1')).startsWith('age-encryption.org/v1\n'))
    const keyless = await rodado(['restore', file, '--check'], second())
    assert.deepEqual([keyless.code, /is encrypted, and the keys here do not open it/.test(keyless.err)], [1, true])
  })

  it('with BACKUP_KEY only that key opens it; the public one is enough to back up; age opens it too', async (t) => {
    const { secret, recipient } = JSON.parse((await rodado(['keys', 'backup', '--json'], {})).out)
    const own = join(folder, 'own.backup')
    const made = await rodado(['backup', own], { ...env, BACKUP_KEY: recipient })
    assert.match(
      made.out,
      /opens only with the secret key of BACKUP_KEY, and the secrets in it only with the master key/,
    )
    const master = await rodado(['restore', own, '--check'], { ...env, BACKUP_KEY: recipient })
    assert.deepEqual([master.code, /the keys here do not open it/.test(master.err)], [1, true], master.err)
    await writeFile(join(folder, 'key.txt'), `# public key: ${recipient}\n${secret}\n`)
    const opened = await rodado(['restore', own, '--check'], { BACKUP_KEY_FILE: join(folder, 'key.txt') })
    assert.equal(opened.code, 0, opened.err)
    if (spawnSync('age', ['--version']).error) return t.skip('age is not installed')
    const { stdout } = spawnSync('age', ['--decrypt', '--identity', join(folder, 'key.txt'), own])
    assert.equal(stdout.toString('latin1', 0, 16), 'rodado backup 1\n')
    const plain = join(folder, 'plain.backup')
    await writeFile(plain, stdout)
    assert.equal((await rodado(['restore', plain, '--check'], {})).code, 0, 'one that is not encrypted stays readable')
  })

  it('refused: over a running server, without its master key, with another one', async () => {
    const running = await rodado(['restore', file, '--force'], env)
    assert.deepEqual([running.code, /The database is in use .*rodado/.test(running.err)], [1, true], running.err)
    const own = { BACKUP_KEY_FILE: join(folder, 'key.txt') }
    const byOwn = join(folder, 'own.backup')
    const keyless = await rodado(['restore', byOwn], { ...second(), ...own })
    assert.deepEqual([keyless.code, /There is no master key here.*second\/master\.key/.test(keyless.err)], [1, true])
    const other = await rodado(['restore', byOwn], { ...second(), ...own, MASTER_KEY: 'a'.repeat(64) })
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

describe('rodado backup through a pooler', () => {
  it('0: stores when it was made, though the pooler takes no timeouts from us', async (t) => {
    const database = await createDatabase()
    const relay = await openDatabaseProxy(database.connection)
    // As PgBouncer refuses it.
    const text = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'
    const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(text)])
    refusal.writeUInt32BE(refusal.length - 1, 1)
    const pooler = createServer((near) => {
      near.on('error', () => undefined)
      near.once('data', (startup) => {
        if (startup.includes('statement_timeout')) return near.end(refusal)
        const far = connect(new pg.Client(relay.connection).port, '127.0.0.1')
        far.on('error', () => undefined).write(startup)
        near.pipe(far).pipe(near)
      })
    }).listen(0, '127.0.0.1')
    t.after(async () => {
      pooler.close()
      await relay.close()
      await database.drop()
    })
    await once(pooler, 'listening')
    const { port } = pooler.address() as AddressInfo
    const { user, password, database: name } = new pg.Client(database.connection)
    const secret = password ? `:${encodeURIComponent(password)}` : ''
    const env = {
      DATABASE_URL: `postgres://${user}${secret}@127.0.0.1:${port}/${name}`,
      MASTER_KEY: 'ab'.repeat(32),
    }
    const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-pooled-backup-'))
    t.after(() => rm(folder, { recursive: true }))
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(['backup', join(folder, 'store.backup')], { out, err, env })
    assert.deepEqual([code, String(err.read() ?? '')], [0, ''])
    assert.ok(await lastBackup(database.store))
  })
})

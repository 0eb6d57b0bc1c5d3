import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { callerFor } from '../../tests/support/caller.ts'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { type RodadoProcess, startRodado } from '../../tests/support/rodado-process.ts'
import { until } from '../../tests/support/until.ts'
import { liveSecrets } from '../apps/secrets.ts'
import { createApp } from '../apps/store.ts'
import { readConfig } from '../config.ts'
import { enqueueEmail, openContents } from '../mail/email.ts'
import { reseal } from '../store/reseal.ts'
import { createSeal, followStore, openSeal } from '../store/sealed.ts'
import { findWebhook } from '../webhooks/store.ts'
import { SEALED_COLUMNS } from './keys.ts'
import { run } from './run.ts'
import { withStore } from './with-store.ts'

const EMAIL = { kind: 'clave', to: 'ana@uno.test', subject: 'Hola', text: 'Hola', html: '<p>Hola</p>' } as const

describe('rodado keys', () => {
  const [former, next, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  let database: TestDatabase
  let app: Awaited<ReturnType<typeof createApp>>
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  interface Given {
    key: Buffer
    previous?: Buffer
  }
  const envOf = ({ key, previous }: Given) => ({
    DATABASE_URL: urlOf(database.connection),
    MASTER_KEY: key.toString('hex'),
    ...(previous && { MASTER_KEY_PREVIOUS: previous.toString('base64') }),
  })
  async function keys(args: string[], given: Given) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const env = envOf(given)
    const code = await run(['keys', ...args, '--json'], { out, err, env })
    const text = String(out.read() ?? '')
    return { code, json: text ? JSON.parse(text) : undefined, err: String(err.read() ?? '') }
  }
  /** A command that runs for long; `isNew` is whether MASTER_KEY seals there. */
  const openCommand = (given: Given) =>
    new Promise<{ isNew(): boolean; end(): Promise<void> }>((opened, failed) => {
      const running: Promise<void> = withStore(
        readConfig(envOf(given)),
        ({ seal }) =>
          new Promise<void>((end) => {
            const isNew = () => seal.seal('x', 'y').subarray(0, seal.prefix.length).equals(seal.prefix)
            const stop = () => {
              end()
              return running
            }
            opened({ isNew, end: stop })
          }),
      )
      running.catch(failed)
    })
  const waiting = async (): Promise<number> => {
    const { json } = await keys(['list'], { key: next, previous: former })
    return Object.values<number>(json.master.waiting).reduce((sum, count) => sum + count, 0)
  }

  it('every column of sealed values is known to reseal', async () => {
    const columns = await database.store.query<{ name: string }>(sql`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name like 'sealed%' order by 1`)
    assert.deepEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
      columns.map(({ name }) => name).sort(),
    )
  })

  it('a store of an earlier version has values without a key id, and they stay so until the key changes', async () => {
    const { store } = database
    await store.query(sql`
      insert into settings (name, value) values ('master_key_fingerprint', ${createSeal(former).fingerprint})`)
    const seal = await openSeal(store, { current: former })
    app = await createApp(store, seal, { nombre: 'Gestor', modo: 'produccion' })
    assert.equal(seal.seal('x', 'y')[0], 1)
    assert.equal(seal.open(seal.seal('x', 'y'), 'y'), 'x')
    await assert.rejects(openSeal(store, { current: next }), /MASTER_KEY is not the one .*MASTER_KEY_PREVIOUS/)
    const alone = await keys(['reseal'], { key: former })
    assert.deepEqual([alone.code, /there is only one master key here/.test(alone.err)], [1, true], alone.err)
  })

  describe('reseal, while a node serves', () => {
    let node: RodadoProcess
    after(() => node?.kill())

    it('before it, a node with both keys and one with the former read each other', async () => {
      const { store } = database
      const [old, both] = [
        await openSeal(store, { current: former }),
        await openSeal(store, { current: next, previous: former }),
      ]
      assert.equal(old.open(both.seal('x', 'y'), 'y'), 'x')
      assert.equal(both.open(old.seal('x', 'y'), 'y'), 'x')
      assert.deepEqual(both.hash('x', 'y'), old.hash('x', 'y'))
      await enqueueEmail(store, old, EMAIL)
      await store.query(sql`
        insert into mails (kind, to_address, sealed)
        select kind, to_address, sealed from mails, generate_series(1, 1200)`)
      node = await startRodado(database.connection, next, { MASTER_KEY_PREVIOUS: former.toString('hex') })
      const created = await callerFor(node.url, app.app.appKey, app.secret).call(
        'POST',
        '/v3/appnotificaciones/webhook.prueba',
        {
          body: JSON.stringify({
            Callback: 'https://crm.example/avisos',
            HeaderCustom01: { Name: 'X-Clave', Value: 'abc' },
          }),
        },
      )
      assert.equal(created.status, 201, created.text)
    })

    it('interrupted it keeps what it did, says what is left, and no node starts without the former key', async () => {
      const { store } = database
      const before = await waiting()
      assert.ok(before > 1_200)
      const stop = new AbortController()
      const seal = await openSeal(store, { current: next, previous: former })
      const options = { store, seal, columns: SEALED_COLUMNS, signal: stop.signal, settle: async () => undefined }
      const onProgress = (name: string) => name === 'mails.sealed' && stop.abort(new Error('stopped'))
      await assert.rejects(reseal({ ...options, onProgress }), /stopped/)
      const left = await waiting()
      assert.ok(left > 0 && left < before, `${left} of ${before}`)
      await assert.rejects(openSeal(store, { current: next }), /some still need the former one/)
      await assert.rejects(openSeal(store, { current: former }), /MASTER_KEY is not the one/)
    })

    it('run again it finishes; no request of the node fails meanwhile, and what the node seals has the new key', async () => {
      const caller = callerFor(node.url, app.app.appKey, app.secret)
      let done = false
      const statuses = new Set<number>()
      const calling = (async () => {
        while (!done) statuses.add((await caller.get('/v3/appnotificaciones/webhook.prueba')).status)
      })()
      const { code, json, err } = await keys(['reseal', '--sin-espera'], { key: next, previous: former })
      done = true
      await calling
      assert.equal(code, 0, err)
      assert.ok(json.resealed > 0)
      assert.deepEqual([...statuses], [200])
      assert.equal(await waiting(), 0)
      const Callback = 'https://crm.example/otros'
      const put = await caller.call('POST', '/v3/appnotificaciones/consulta.recibida', {
        body: JSON.stringify({ Callback }),
      })
      assert.equal(put.status, 201, put.text)
      await until(async () => (await waiting()) === 0)
    })

    it('afterwards the new key is enough: secrets, headers, emails, hashes and tokens are as before', async () => {
      const { store } = database
      const hash = createSeal(former).hash('x', 'y')
      const seal = await openSeal(store, { current: next })
      const webhook = await findWebhook(store, seal, { app: app.app, topic: 'webhook.prueba' })
      assert.deepEqual(webhook?.headers[0], { Name: 'X-Clave', Value: 'abc' })
      assert.deepEqual(seal.hash('x', 'y'), hash, 'hashes cannot be made anew, so their key stays')
      assert.equal((await liveSecrets(store, seal, app.app.id))[0]?.secret, app.secret)
      const [email] = await store.query<{ sealed: Buffer }>(
        sql`select sealed from mails where sealed is not null limit 1`,
      )
      assert.equal(openContents(seal, email?.sealed ?? Buffer.alloc(0)).subject, 'Hola')
      await assert.rejects(openSeal(store, { current: former }), /MASTER_KEY is not the one/)
      const again = await keys(['reseal', '--sin-espera'], { key: next, previous: former })
      assert.deepEqual([again.code, again.json.resealed], [0, 0])
    })

    it('what a slow transaction writes with the former key is found, and a node without the new one writes nothing', async () => {
      const { store } = database
      const slow = await openSeal(store, { current: next })
      const seal = await openSeal(store, { current: third, previous: next })
      let waits = 0
      const settle = async () => {
        if (++waits === 1) await enqueueEmail(store, slow, { ...EMAIL, to: 'tarde@uno.test' })
      }
      const command = await openCommand({ key: third, previous: next })
      assert.ok(!command.isNew())
      await reseal({ store, seal, columns: SEALED_COLUMNS, settle })
      assert.equal(waits, 2)
      await until(command.isNew) // a command that was running follows, as a node does
      await command.end()
      const alone = await openSeal(store, { current: third })
      const [late] = await store.query<{ sealed: Buffer }>(
        sql`select sealed from mails where to_address = 'tarde@uno.test'`,
      )
      assert.equal(openContents(alone, late?.sealed ?? Buffer.alloc(0)).subject, 'Hola')
      await assert.rejects(followStore(store, slow), /MASTER_KEY is not the one/)
      assert.throws(() => slow.seal('x', 'y'), { code: '08006' })
    })
  })

  it('new, as root: the key belongs to the owner of DATA_DIR', { skip: process.getuid?.() !== 0 }, async () => {
    const DATA_DIR = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'keys-'))
    try {
      await chown(DATA_DIR, 12_345, 12_345)
      assert.equal(await run(['keys', 'new'], { out: new PassThrough(), err: new PassThrough(), env: { DATA_DIR } }), 0)
      for (const name of ['master.key', 'master.key.previous']) {
        const { uid, gid, mode } = await stat(join(DATA_DIR, name))
        assert.deepEqual([uid, gid, mode & 0o777], [12_345, 12_345, 0o600], name)
      }
    } finally {
      await rm(DATA_DIR, { recursive: true, force: true })
    }
  })

  it('rotate and list: the former key that signs tokens stays published until its tokens have expired', async () => {
    const { json } = await keys(['rotate'], { key: third })
    assert.equal(json.signing.length, 2)
    const [created, former] = json.signing
    const [minutes, hours] = [Date.parse(created.startsAt), Date.parse(former.endsAt) - Date.parse(created.startsAt)]
    assert.ok(minutes > Date.now())
    assert.deepEqual([created.endsAt, hours], [null, 3_600_000])
    assert.deepEqual((await keys(['list'], { key: third })).json.signing, json.signing)
    const revoked = (await keys(['rotate', '--revocar'], { key: third })).json.signing
    assert.deepEqual([revoked.length, revoked[0].endsAt], [1, null])
    const entries = await database.store.query<{ revokes: boolean }>(sql`
      select detail -> 'revocaLasAnteriores' as revokes from audit_log where act = 'claves.rotar' order by id`)
    assert.deepEqual(
      entries.map(({ revokes }) => revokes),
      [false, true],
    )
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import sql from 'sql-template-tag'
import { urlOf } from '../../tests/support/database.ts'
import { type Mailbox, openMailbox } from '../../tests/support/mailbox.ts'
import { startOidcProvider } from '../../tests/support/oidc.ts'
import { openReceiver } from '../../tests/support/receiver.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { saveBrand } from '../brand/store.ts'
import { recordBackup } from '../store/metrics.ts'
import { run } from './run.ts'

interface Found {
  check: string
  ok: boolean
  status: string
  detail: string
  remedy?: string
}

describe('doctor', () => {
  let server: TestServer
  let mailbox: Mailbox
  let env: Record<string, string>
  before(async () => {
    ;[server, mailbox] = [await startServer(), await openMailbox()]
    await server.newApp()
    env = {
      DATABASE_URL: urlOf(server.connection),
      MASTER_KEY: server.masterKey.toString('hex'),
      PUBLIC_URL: server.url,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Mercado <avisos@mercado.test>',
      PG_POOL: '2', // the test server has few connections
    }
  })
  after(async () => {
    await server.stop()
    await mailbox.close()
  })

  async function doctor(more: Record<string, string> = {}, ...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(['doctor', ...args], { out, err, env: { ...env, ...more } })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }
  /** The finding of one check, and the exit code. */
  async function find(check: string, more: Record<string, string> = {}) {
    const { code, out } = await doctor(more, '--json')
    const findings: Found[] = JSON.parse(out)
    return { code, finding: findings.find((each) => each.check === check), findings }
  }
  async function fails(check: string, detail: RegExp, remedy: RegExp, more: Record<string, string> = {}) {
    const { code, finding } = await find(check, more)
    assert.deepEqual([code, finding?.status], [1, 'error'], JSON.stringify(finding))
    assert.match(finding?.detail ?? '', detail)
    assert.match(finding?.remedy ?? finding?.detail ?? '', remedy)
  }

  it('0: every check passes, and --email sends an email', async () => {
    const { code, out, err } = await doctor({}, '--json', '--email', 'ana@correo.test')
    const findings: Found[] = JSON.parse(out)
    assert.deepEqual(
      findings.filter(({ status }) => status === 'error'),
      [],
    )
    assert.deepEqual([code, err], [0, ''])
    assert.deepEqual(
      findings.map(({ check }) => check),
      // biome-ignore format: one line
      ['node', 'configuration', 'catalogue', 'database', 'schema', 'master key', 'clock', 'pooler', 'connections', 'disk', 'grants', 'tasks', 'backup', 'address', 'certificate', 'server', 'mail', 'photos', 'oidc'],
    )
    const [email] = await mailbox.waitFor('ana@correo.test')
    assert.match(email?.from ?? '', /avisos@mercado\.test/)
  })

  it('0: --correo does the same; the email comes from the sender of the brand, and no task has run without a worker', async (t) => {
    await saveBrand(server.store, { remitenteMail: 'hola@autoplaza.test' })
    t.after(() => saveBrand(server.store, { remitenteMail: null }))
    const { code, out } = await doctor({}, '--json', '--correo', 'beto@correo.test')
    const [email] = await mailbox.waitFor('beto@correo.test')
    assert.match(email?.from ?? '', /hola@autoplaza\.test/)
    const tasks = (JSON.parse(out) as Found[]).find(({ check }) => check === 'tasks')
    assert.deepEqual([code, tasks?.status, tasks?.detail], [0, 'warning', 'none has run'])
  })

  it('2: --email needs an address', async () => {
    assert.equal((await doctor({}, '--email', 'ana')).code, 2)
  })

  it('1: for people it marks what is wrong, with what to do', async () => {
    const { code, out } = await doctor({ PUBLIC_URL: 'http://127.0.0.1:9' })
    assert.equal(code, 1)
    assert.match(out, /✗ server +no answer at http:\/\/127\.0\.0\.1:9 \(.+\)\n +→ Start the server/)
  })

  it('1: another program answers at PUBLIC_URL', async (t) => {
    const other = await openReceiver()
    t.after(() => other.close())
    await fails('server', /another program answers/, /PUBLIC_URL/, { PUBLIC_URL: new URL(other.url).origin })
  })

  it('1: a database that does not answer, and no check that needs it', async () => {
    const { code, findings } = await find('database', { DATABASE_URL: 'postgres://rodado@127.0.0.1:9/rodado' })
    assert.equal(code, 1)
    assert.match(findings.find(({ check }) => check === 'database')?.detail ?? '', /does not answer/)
    assert.ok(!findings.some(({ check }) => check === 'schema'))
  })

  it('1: another master key', () => fails('master key', /MASTER_KEY|master key/, /./, { MASTER_KEY: 'ab'.repeat(32) }))

  it('1: a migration that was not run', async () => {
    const [last] = await server.store.query<{ name: string }>(sql`
      delete from migrations where id = (select max(id) from migrations) returning name`)
    await fails('schema', /lacks a migration/, /rodado migrate/)
    await server.store.query(sql`insert into migrations (name, run_on) values (${last?.name}, now())`)
  })

  /** DATABASE_URL with options of the session. */
  const withOptions = (options: string) => {
    const separator = env.DATABASE_URL?.includes('?') ? '&' : '?'
    return { DATABASE_URL: `${env.DATABASE_URL}${separator}options=${encodeURIComponent(options)}` }
  }

  it('1: clocks that are minutes apart', async () => {
    await server.store.query(sql`create schema skewed`)
    await server.store.query(sql`
      create function skewed.clock_timestamp() returns timestamptz language sql
      as 'select pg_catalog.clock_timestamp() + interval ''2 minutes'''`)
    await fails('clock', /^1(19|2\d)\.\d s apart/, /NTP/, withOptions('-c search_path=skewed,pg_catalog,public'))
  })

  it('1: more connections than PostgreSQL accepts', () =>
    fails('connections', /with PG_POOL 1000 may need \d+ of \d+/, /max_connections.*PG_POOL=\d+/, { PG_POOL: '1000' }))

  it('1: a table that the role may not write, and 0: a superuser, who may too much', async (t) => {
    const [role] = await server.store.query<{ isSuperuser: boolean }>(sql`
      select rolsuper as "isSuperuser" from pg_roles where rolname = current_user`)
    if (role?.isSuperuser) return assert.match((await find('grants')).finding?.detail ?? '', /is a superuser/)
    await server.store.query(sql`revoke delete on webhooks from current_user`)
    t.after(() => server.store.query(sql`grant delete on webhooks to current_user`))
    await fails('grants', /lacks delete on webhooks/, /docs\/database\.md/)
  })

  it('1: a role that can only read', () =>
    fails(
      'grants',
      /can write nothing/,
      /set default_transaction_read_only = off/,
      withOptions('-c default_transaction_read_only=on'),
    ))

  it('1: a scheduled task that has not run in time', async () => {
    await server.store.query(sql`
      insert into scheduled_tasks (name, every_seconds, created_at) values ('old-events', 60, now() - interval '1 day')`)
    await fails('tasks', /old-events is late, last success never/, /worker/)
    await server.store.query(sql`delete from scheduled_tasks`)
  })

  it('0: a backup of two days ago is a warning', async () => {
    await recordBackup(server.store, new Date(Date.now() - 48 * 3_600_000))
    const { code, finding } = await find('backup')
    assert.deepEqual([code, finding?.status, finding?.ok], [0, 'warning', true])
    assert.match(finding?.detail ?? '', /48 h ago/)
  })

  it('1: a certificate that clients refuse, and an address that DNS does not know', async (t) => {
    const self = await openReceiver({ tls: true })
    t.after(() => self.close())
    await fails('certificate', /clients refuse it: .*(self|authority|issuer)/i, /authority/, { PUBLIC_URL: self.url })
    await fails('address', /DNS does not know/, /PUBLIC_URL/, { PUBLIC_URL: 'https://nothing.invalid' })
  })

  it('1: a mail server that does not answer', () =>
    fails('mail', /does not accept our connection: .*ECONNREFUSED/, /port/, { SMTP_URL: 'smtp://127.0.0.1:9' }))

  it('0 and 1: a folder of PHOTOS_URL that can be used and stays empty, one that is missing, a bucket without an answer', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-doctor-'))
    t.after(() => rm(folder, { recursive: true }))
    const { finding } = await find('photos', { PHOTOS_URL: pathToFileURL(folder).href })
    assert.match(finding?.detail ?? '', /stores, returns and removes a file/)
    assert.deepEqual(await readdir(folder), [])
    await fails('photos', /cannot be used: ENOENT/, /Create the folder/, {
      PHOTOS_URL: pathToFileURL(join(folder, 'absent')).href,
    })
    await fails('photos', /cannot be used/, /bucket, key and secret/, { PHOTOS_URL: 's3://k:s@127.0.0.1:9/b?tls=no' })
  })

  it('0 and 1: an OpenID provider, one with another name, and none', async (t) => {
    const provider = await startOidcProvider(server.url)
    t.after(() => provider.stop())
    const oidc = provider.env
    assert.match((await find('oidc', oidc)).finding?.detail ?? '', /describes itself as that issuer/)
    const other = oidc.OIDC_ISSUER.replace('127.0.0.1', 'localhost')
    await fails('oidc', /calls itself http:\/\/127/, /Set OIDC_ISSUER=http:\/\/127/, { ...oidc, OIDC_ISSUER: other })
    await fails('oidc', /does not describe itself.*: ./, /OIDC_ISSUER/, {
      ...oidc,
      OIDC_ISSUER: 'http://127.0.0.1:9',
    })
  })

  it('1: a mail server that refuses the sender', async (t) => {
    mailbox.refuse('from', 550, 'not yours')
    t.after(() => mailbox.release())
    const { code, out } = await doctor({}, '--json', '--email', 'ana@correo.test')
    const mail = (JSON.parse(out) as Found[]).find(({ check }) => check === 'mail')
    assert.deepEqual([code, mail?.status], [1, 'error'])
    assert.match(`${mail?.detail} ${mail?.remedy}`, /not yours.*MAIL_FROM/)
  })
})

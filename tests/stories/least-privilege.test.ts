import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import sql from 'sql-template-tag'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { run } from '../../src/cli/run.ts'
import { scheduledTasks } from '../../src/main.ts'
import { prepareConsultas } from '../../src/resources/consultas/retention.ts'
import { backUp } from '../../src/store/backup/backup.ts'
import { openStore, type Store } from '../../src/store/db.ts'
import type { Connection } from '../../src/store/failover.ts'
import { continueFeeds } from '../../src/store/feed.ts'
import { migrate } from '../../src/store/migrate.ts'
import { ulid } from '../../src/ulid.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import {
  asAdmin,
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
  testServer,
  urlOf,
} from '../support/database.ts'
import { hook, LOOPBACK } from '../support/deliveries.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { openReceiver } from '../support/receiver.ts'
import { startRodado } from '../support/rodado-process.ts'
import type { TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const DOCUMENT = readFileSync(new URL('../../docs/database.md', import.meta.url), 'utf8')

describe('story: a serving role that may only read and write rows', { skip: cannotCreateRoles() }, () => {
  const role = `serving_${randomBytes(6).toString('hex')}`
  let database: TestDatabase
  let connection: Connection
  let serving: Store
  let server: TestServer
  before(async () => {
    database = await createDatabase()
    await asAdmin(testServer(), `create role ${role} login`)
    await grantAsDocumented(database)
    connection = { ...database.connection, user: role }
    serving = openStore({ connection, max: 2 })
    server = await startServer({ connection, env: LOOPBACK })
  })
  after(async () => {
    await server?.stop()
    await serving?.close()
    await database?.drop()
    await asAdmin(testServer(), `drop role if exists ${role}`)
  })

  /** Runs the statements of docs/database.md as the owner. */
  async function grantAsDocumented({ connection: owner }: TestDatabase): Promise<void> {
    const statements = /```sql\n([\s\S]*?)```/.exec(DOCUMENT)?.[1] ?? ''
    assert.match(statements, /grant select/)
    const client = new pg.Client(owner)
    await client.connect()
    await client.query(statements.replaceAll('rodado_app', role)).finally(() => client.end())
  }

  it('cannot change the schema', async () => {
    for (const statement of [
      sql`create table mine (id int)`,
      sql`alter table events add column x int`,
      sql`drop table consultas_other`,
      sql`create or replace function feed_xid() returns xid8 language sql as 'select pg_current_xact_id()'`,
      sql`truncate apps`,
    ])
      await assert.rejects(serving.query(statement), /permission denied|must be owner/)
  })

  it('starts, receives an inquiry and delivers it', async () => {
    const receiver = await openReceiver()
    const app = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const { id } = await makePublicacion(server.store, app.app, agencia)
    await hook(server, app, 'consulta.recibida', receiver.url)
    const { sitioKey } = await server.newSitio()
    const node = await startRodado(connection, server.masterKey, LOOPBACK)
    try {
      const response = await fetch(`${node.url}/interno/v1/consultas`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          Aviso: id,
          OrigenLead: 'form',
          Interesado: { Nombre: 'Ana', Email: 'ana@correo.test', Telefono: '341 555-0134' },
        }),
      })
      assert.equal(response.status, 201)
      const sid = response.headers.get('location')?.split('/').at(-1) ?? 'none'
      await until(() => receiver.received.some(({ body }) => body.includes(sid)))
      const [event] = await serving.query<{ table: string }>(sql`
        select tableoid::regclass::text as table from events where sid = ${sid}`)
      assert.match(event?.table ?? '', /^events_\d{4}_\d\d$/, 'the start has created this month')
    } finally {
      await node.stop()
      await receiver.close()
    }
  })

  it('runs every scheduled task: months are created and dropped, old rows deleted', async () => {
    const now = new Date()
    const old = ulid(now.getTime() - 400 * 86_400_000)
    await serving.query(sql`insert into events (id, app_id, topic, payload) values (${old}, 1, 'x', '{}')`)
    await serving.query(sql`insert into audit_log (at, via, act) values ('2001-01-01', 'comando', 'old')`)
    const { config, photoStorage } = server
    const log = pino({ level: 'silent' })
    const { signal } = new AbortController()
    const catalogue = loadCatalogue(config.country, config.catalogueDir)
    await prepareConsultas({ store: serving, config, log }, now)
    const tasksAt = (time: Date) =>
      scheduledTasks({ ...depsOf(server), store: serving, config, catalogue, log, clock: () => time, photoStorage })
    for (const task of tasksAt(new Date(now.getTime() + 120_000)))
      if (['old-events', 'old-rows', 'inquiries'].includes(task.name))
        await assert.rejects(task.run(signal), /clocks .* are \d+ s apart/, task.name)
    for (const task of tasksAt(now)) await assert.doesNotReject(task.run(signal), task.name)
    assert.deepEqual(await serving.query(sql`select from events where id = ${old}`), [])
    assert.deepEqual(await serving.query(sql`select from audit_log where act = 'old'`), [])
  })

  it('`rodado doctor` checks its rights, also on functions, if DATABASE_DIRECT_URL has another role', async (t) => {
    const env = {
      DATABASE_URL: urlOf(connection),
      DATABASE_DIRECT_URL: urlOf(database.connection),
      MASTER_KEY: server.masterKey.toString('hex'),
    }
    const grants = async (): Promise<{ status: string; detail: string }> => {
      const [out, err] = [new PassThrough(), new PassThrough()]
      await run(['doctor', '--json'], { out, err, env })
      return JSON.parse(String(out.read())).find(({ check }: { check: string }) => check === 'grants')
    }
    assert.deepEqual(await grants(), {
      check: 'grants',
      ok: true,
      status: 'ok',
      detail: `${role} may read and write every table`,
    })
    const client = new pg.Client(database.connection)
    await client.connect()
    t.after(() => client.end())
    await client.query(`revoke execute on function create_month from ${role}`)
    assert.match((await grants()).detail, /lacks execute on create_month/)
    await client.query(`grant execute on function create_month to ${role}`)
  })

  it('makes a backup, unless it may not read a sequence', async (t) => {
    const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'serving-'))
    t.after(() => rm(folder, { recursive: true }))
    const back = () =>
      backUp({ connection, path: join(folder, 'a.backup'), madeAt: new Date(), version: 'x', recipient: undefined })
    assert.ok((await back()).rows > 0)
    const client = new pg.Client(database.connection)
    await client.connect()
    t.after(() => client.end())
    await client.query(`revoke usage on sequence migrations_id_seq from ${role}`)
    await assert.rejects(back(), /may not read the sequence migrations_id_seq/)
    await client.query(`grant usage on sequence migrations_id_seq to ${role}`)
  })

  it('continues the feeds of a store that was restored on another server', async () => {
    await serving.query(sql`update agencias set nombre = nombre`)
    const ahead = sql`update events set xid = (xid::text::bigint + 5000000000)::text::xid8`
    await serving.query(ahead)
    await continueFeeds(serving)
    // A transaction in another test's database holds the horizon back while it runs.
    await until(async () => {
      const [row] = await serving.query<{ ahead: boolean }>(sql`
        select feed_horizon() > (select max(xid) from events) as ahead`)
      return row?.ahead
    })
  })

  it('has its rights on what later migrations create', async () => {
    const fresh = await createEmptyDatabase()
    try {
      await grantAsDocumented(fresh)
      await migrate(fresh.connection)
      const store = openStore({ connection: { ...fresh.connection, user: role }, max: 1 })
      const rows = await store.query(sql`select count(*) from consultas`).finally(() => store.close())
      assert.deepEqual(rows, [{ count: 0 }])
    } finally {
      await fresh.drop()
    }
  })
})

/** Another server's user may not create roles. */
function cannotCreateRoles(): string | false {
  return process.env.TEST_DATABASE_URL ? 'TEST_DATABASE_URL: this test creates a role on a server of its own' : false
}

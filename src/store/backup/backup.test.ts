import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { callerFor } from '../../../tests/support/caller.ts'
import { askOnce, createDatabase, createEmptyDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import type { Store } from '../db.ts'
import { MIGRATIONS_DIR, migrate, migrationNames } from '../migrate.ts'
import { type Backup, backUp } from './backup.ts'
import { type Entry, openWriter } from './file.ts'
import { checkBackup, restore } from './restore.ts'

const CLIENTS = 8
const BEFORE = 200 // inquiries that were answered before the backup began
const now = { madeAt: new Date('2026-03-09T12:00:00Z'), version: '0.1.0' }

/** What must agree in any copy that is of one moment. */
const AGREES = sql`
  select
    (select count(*) from consultas) as consultas,
    (select count(*) from events where topic = 'consulta.recibida') as events,
    (select count(*) from events e where sid is not null and not exists (select from consultas c where c.sid = e.sid)) as orphans,
    (select count(*) from consultas c where not exists (select from events e where e.sid = c.sid)) as "withoutEvents",
    (select count(*) from mails m where sid is not null and not exists (select from consultas c where c.sid = m.sid)) as "strayEmails",
    (select coalesce(sum(d), 0)::int from consulta_counts, unnest(dias) d) as counted`

interface Agreement {
  consultas: number
  events: number
  orphans: number
  withoutEvents: number
  strayEmails: number
  counted: number
}

/** Everything that makes up the schema, in words. */
const SCHEMA = sql`
  select string_agg(line, E'\n' order by line) as text from (
    select 'index ' || indexdef as line from pg_indexes where schemaname = 'public'
    union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'column ' || attrelid::regclass || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || attidentity::text || attgenerated::text || attnotnull::text
      from pg_attribute a join pg_class c on c.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    union all select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace and proname !~ '^feed_'
  ) each (line)`

describe('backup', () => {
  let folder: string
  let server: TestServer
  let app: TestApp
  let sitio: TestSitio
  let adminMail: string
  let cursor: string
  let made: Backup
  const answered: string[] = []
  let answeredBefore = 0
  const path = () => join(folder, 'store.backup')

  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'backup-'))
    server = await startServer()
    ;[app, sitio] = [await server.newApp(), await server.newSitio()]
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
    adminMail = mail
    const { id } = await makePublicacion(server.store, app.app, agencia)
    cursor = (await app.get('/v3/eventos?cursor=fin')).json._links.next.href
    await server.store.query(
      sql`create table consultas_2019_01 partition of consultas for values from ('01CZ') to ('01D0')`,
    )

    let isStopped = false
    const sendInquiries = async (client: number) => {
      for (let nth = 0; !isStopped; nth++) {
        const Interesado = { Nombre: `Zoë\t\\N\n"${client}"`, Email: `p${client}.${nth}@correo.test` }
        const body = JSON.stringify({ Aviso: id, OrigenLead: 'form', Interesado })
        const { status, headers, text } = await sitio.call('POST', '/interno/v1/consultas', { body })
        assert.equal(status, 201, text)
        answered.push(headers.location?.split('/').at(-1) ?? '')
      }
    }
    const sending = Array.from({ length: CLIENTS }, (_, client) => sendInquiries(client))
    await until(() => answered.length >= BEFORE)
    answeredBefore = answered.length
    made = await backUp({ connection: server.connection, path: path(), ...now })
    await until(() => answered.length >= answeredBefore + CLIENTS)
    isStopped = true
    await Promise.all(sending)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** A database that the test may fill, gone with it. */
  const withDatabase = async (work: (database: TestDatabase) => Promise<void>, make = createDatabase) => {
    const database = await make()
    try {
      await work(database)
    } finally {
      await database.drop()
    }
  }
  const restoreInto = ({ connection }: TestDatabase, file = path(), force = false) =>
    restore({ connection, path: file, force })
  const agreement = async (store: Store) => (await store.query<Agreement>(AGREES))[0] ?? assert.fail()

  it('while inquiries come: the copy is of one moment, whole, and holds all that was answered before', async () => {
    await withDatabase(async (database) => {
      const { rows, tables, applied } = await restoreInto(database)
      assert.deepEqual([rows, tables, applied], [made.rows, made.tables, []])
      const { consultas, events, ...wrong } = await agreement(database.store)
      assert.ok(consultas >= answeredBefore && consultas < answered.length, `${consultas} of ${answered.length}`)
      assert.equal(events, consultas)
      assert.deepEqual(wrong, { orphans: 0, withoutEvents: 0, strayEmails: 0, counted: consultas })
      const stored = await database.store.query<{ sid: string }>(sql`
        select sid from consultas where sid = any (${answered.slice(0, answeredBefore)})`)
      assert.equal(stored.length, answeredBefore, 'what was answered is there')
    }, createEmptyDatabase)
  })

  it('a store that is restored goes on: same values, same schema, next numbers, feeds and credentials', async () => {
    await withDatabase(async (database) => {
      await restoreInto(database)
      const both = [server.store, database.store]
      const [here, there] = await Promise.all(both.map((store) => store.query(SCHEMA)))
      assert.deepEqual(there, here)
      const values = sql`select sid, interesado, email from consultas where sid = ${answered[0]}`
      const [original, restored] = await Promise.all(both.map((store) => store.query(values)))
      assert.deepEqual(restored, original)

      const second = await startServer({ connection: database.connection })
      try {
        const caller = callerFor(second.url, app.app.appKey, app.secret)
        assert.equal((await caller.get(`/v3/agencias/${adminMail}`)).status, 200)
        const before = await caller.get(cursor)
        assert.equal(before.status, 200)
        // A cursor that was handed out after the backup is good for what comes after the restore.
        const late = (await app.get('/v3/eventos?cursor=fin')).json._links.next.href
        const made = await second.newApp({ nombre: 'After' })
        assert.ok(made.app.id > app.app.id, 'numbers go on')
        const { status } = await caller.call('POST', '/v3/appnotificaciones/webhook.prueba', {
          body: JSON.stringify({ Callback: 'https://example.test/hook' }),
        })
        assert.equal(status, 201)
        const { json } = await caller.call('POST', '/v3/appnotificaciones/webhook.prueba/prueba')
        // The feed waits for every transaction that is older, also of another test.
        const seen = await until(async () => {
          const { _entries } = (await caller.get(late)).json
          return _entries.length > 1 && _entries
        })
        assert.deepEqual(
          seen.slice(1).map(({ Id }: { Id: string }) => Id),
          [json.Id],
          'after the event that verifies the callback',
        )
      } finally {
        await second.stop()
      }
    }, createEmptyDatabase)
  })

  it('of an earlier version: restored as it was, then brought to this one', async () => {
    const names = await migrationNames()
    const older = names.slice(0, names.indexOf('0012_moderated') + 1)
    const dir = join(folder, 'older')
    await copyMigrations(older, dir)
    const file = join(folder, 'older.backup')
    await withDatabase(async ({ connection, store }) => {
      await migrate(connection, { dir })
      await store.query(sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'Old', 'produccion')`)
      await backUp({ connection, path: file, ...now })
    }, createEmptyDatabase)
    await withDatabase(async (database) => {
      const { applied } = await restoreInto(database, file)
      assert.deepEqual(applied, names.slice(older.length))
      assert.equal((await database.store.query(sql`select from apps where nombre = 'Old'`)).length, 1)
    }, createEmptyDatabase)
  })

  describe('refused, and nothing is touched:', () => {
    const refuses = (work: Promise<unknown>, words: RegExp) =>
      assert.rejects(work, ({ message }) => words.test(message))

    it('a byte that changed anywhere, an end that is missing, a file that is something else', async () => {
      const bytes = await readFile(path())
      const file = join(folder, 'bad.backup')
      for (const at of [40, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const bad = Buffer.from(bytes)
        bad[at] = (bad[at] ?? 0) ^ 1
        await writeFile(file, bad)
        await refuses(checkBackup(file), /damaged or was cut short/)
      }
      await copyFile(path(), file)
      for (const size of [bytes.length - 1, 100, 20]) {
        await truncate(file, size)
        await refuses(checkBackup(file), /damaged or was cut short/)
      }
      await writeFile(file, 'PGDMP')
      await refuses(checkBackup(file), /is not a backup/)
      await writeFile(file, 'rodado backup 2\n…')
      await refuses(checkBackup(file), /newer version/)
      await refuses(checkBackup(join(folder, 'none')), /There is no file/)
    })

    it('a backup that was migrated further than this version goes', async () => {
      const dir = join(folder, 'newer')
      const file = join(folder, 'newer.backup')
      await copyMigrations(await migrationNames(), dir)
      await writeFile(join(dir, '9999_tomorrow.sql'), 'create table tomorrow (id int);')
      await withDatabase(async ({ connection }) => {
        await migrate(connection, { dir })
        await backUp({ connection, path: file, ...now })
      })
      await refuses(checkBackup(file), /newer version of Rodado \(9999_tomorrow/)
    })

    it('a database that is used, unless it is to be replaced; one of somebody else, in any case', async () => {
      await withDatabase(async (database) => {
        await askOnce(
          database,
          sql`insert into apps (app_key, nombre, modo) values (${'b'.repeat(32)}, 'Here', 'produccion')`,
        )
        await refuses(restoreInto(database), /not empty \(apps/)
        assert.equal((await restoreInto(database, path(), true)).rows, made.rows)
        assert.equal((await askOnce(database, sql`select from apps where nombre = 'Here'`)).length, 0)
        await askOnce(database, sql`create table recipes (id int)`)
        await refuses(restoreInto(database, path(), true), /not Rodado's \(recipes\)/)
      })
    })

    it('a database that a server uses', async () => {
      await refuses(
        restore({ connection: server.connection, path: path(), force: true }),
        /in use \(\d+ connections?: .*rodado.*Stop every/,
      )
      assert.ok((await agreement(server.store)).consultas >= answered.length)
    })

    it('a table that cannot be filled undoes the others', async () => {
      const file = join(folder, 'unfit.backup')
      const writer = openWriter(file)
      const say = (words: Entry) => writer.write('J', Buffer.from(JSON.stringify(words)))
      await say({ kind: 'manifest', manifest: made.manifest })
      await say({ kind: 'table', name: 'settings', columns: ['name', 'value'] })
      await writer.write('R', Buffer.from('a\tb\n'))
      await say({ kind: 'table end', name: 'settings', rows: 1 })
      await say({ kind: 'table', name: 'apps', columns: ['app_key', 'nombre', 'modo'] })
      await writer.write('R', Buffer.from('no key\tX\tproduccion\n'))
      await say({ kind: 'table end', name: 'apps', rows: 1 })
      await writer.finish()
      await withDatabase(async (database) => {
        await askOnce(database, sql`insert into settings (name, value) values ('here', 'before')`)
        await refuses(restoreInto(database, file), /violates check constraint/)
        assert.deepEqual(await database.store.query(sql`select value from settings where name in ('here', 'a')`), [
          { value: 'before' },
        ])
      })
    })

    it('a file that is there half-way is none: nothing is left of a backup that failed', async () => {
      const file = join(folder, 'aborted.backup')
      const signal = AbortSignal.abort(new Error('enough'))
      await refuses(backUp({ connection: server.connection, path: file, ...now, signal }), /enough/)
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith('aborted')),
        [],
      )
      await withDatabase(
        ({ connection }) => refuses(backUp({ connection, path: file, ...now }), /nothing to back up/),
        createEmptyDatabase,
      )
    })
  })
})

async function copyMigrations(names: string[], dir: string): Promise<void> {
  await mkdir(dir)
  for (const name of names) await copyFile(join(MIGRATIONS_DIR, `${name}.sql`), join(dir, `${name}.sql`))
}

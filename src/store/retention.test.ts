import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { readConfig } from '../config.ts'
import type { Store } from './db.ts'
import { deleteOldRows, RULES } from './retention.ts'

const NOW = new Date('2026-03-04T12:00:00Z')
const config = readConfig({})

describe('retention', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  it('every table has a rule, and every rule a table', async () => {
    const tables = await database.store.query<{ name: string }>(sql`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
    assert.deepEqual(
      tables.map(({ name }) => name).toSorted(),
      Object.keys(RULES).toSorted(),
      'add a table to RULES in src/store/retention.ts: how do its rows end?',
    )
  })

  it('rows older than their rule are deleted; younger ones, and those in use, stay', async () => {
    const { store } = database
    /** Inserts one row a day too old and one a day too young, whose label is the second column that is given. */
    const rowsAt = (days: number) => [
      { at: new Date(NOW.getTime() - (days + 1) * 86_400_000), is: 'old' },
      { at: new Date(NOW.getTime() - (days - 1) * 86_400_000), is: 'young' },
    ]
    await store.query(sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'x', 'produccion')`)
    await store.query(
      sql`insert into agencias (modo, admin_mail, nombre) values ('produccion', 'ana@agencia.test', 'A')`,
    )
    for (const { at, is } of rowsAt(config.auditDays))
      await store.query(sql`insert into audit_log (at, via, act) values (${at}, 'comando', ${is})`)
    for (const { at, is } of rowsAt(config.expiredDays)) {
      await store.query(sql`
        insert into account_links (token_hash, purpose, expires_at) values (${Buffer.from(is)}, 'personal', ${at})`)
      await store.query(sql`insert into agencia_aliases values ('produccion', ${is}, 1, ${at})`)
    }
    for (const { at, is } of rowsAt(config.historyDays)) {
      await store.query(
        sql`insert into agencia_history (agencia_id, changes, at) values (1, ${JSON.stringify({ is })}, ${at})`,
      )
      await store.query(sql`
        insert into alerts (app_id, texto, estado, created_at) values (1, ${is}, 'entregada', ${at})`)
      await store.query(sql`insert into receiver_checks (app_id, topic, at, refused) values (1, ${is}, ${at}, true)`)
      await store.query(sql`
        with invited as (
          insert into invitaciones (app_id, modo, admin_mail, token_hash, estado, vence, ended_at)
          values (1, 'produccion', ${`${is}@agencia.test`}, ${Buffer.from(is)}, 'aceptada', ${at}, ${at}) returning id)
        insert into mails (kind, to_address, sealed, estado, created_at, sid, invitacion_id)
        select kind, ${is}, '', estado, ${at}, sid, case when kind = 'invitacion' then invited.id end
        from invited, (values ('invitacion', 'entregada', null), ('clave', 'pendiente', null), ('consulta', 'entregada', '01J'))
          as mail (kind, estado, sid)`)
    }
    for (const { at } of rowsAt(config.usageDays)) {
      await store.query(sql`insert into app_usage (app_id, hora) values (1, ${at})`)
      await store.query(sql`insert into heartbeats (part, hora, minutes) values ('api', ${at}, 1)`)
      await store.query(sql`insert into delivery_latency values (${at}, 100, 1)`)
      await store.query(sql`insert into app_reads (agencia_id, app_id, dia) values (1, 1, ${at})`)
      await store.query(sql`insert into visitas values (1, ${at}, 1)`)
    }
    for (const { at, is } of rowsAt(config.archivedDays))
      for (const estado of ['Archivada', 'Activa'])
        await store.query(sql`
          insert into publicaciones (modo, agencia_id, app_id, external_id, estado, archived_at, operador, marca_id, marca, modelo, busqueda)
          values ('produccion', 1, 1, ${`${is} ${estado}`}, ${estado}, ${at}, 'ana', 1, 'Fiat', 'Cronos', '')`)

    const logged: unknown[] = []
    const silent = { info: (about: unknown) => void logged.push(about), warn: () => undefined, error: () => undefined }
    await assert.rejects(deleteOldRows({ store, config, log: silent }, NOW, AbortSignal.abort()), {
      name: 'AbortError',
    })
    assert.deepEqual(logged, [], 'it stops with the server')
    await deleteOldRows({ store, config, log: silent }, NOW)

    const left = async (table: string, column: string) =>
      (await store.query<{ is: string }>(sql`select ${raw(column)} as is from ${raw(table)} order by 1`)).map(
        ({ is }) => is,
      )
    assert.deepEqual(await left('audit_log', 'act'), ['young'])
    assert.deepEqual(await left('account_links', `convert_from(token_hash, 'UTF8')`), ['young'])
    assert.deepEqual(await left('agencia_aliases', 'admin_mail'), ['young'])
    assert.deepEqual(await left('agencia_history', `changes ->> 'is'`), ['young'])
    assert.deepEqual(await left('alerts', 'texto'), ['young'])
    assert.deepEqual(await left('receiver_checks', 'topic'), ['young'])
    assert.deepEqual(await left('invitaciones', 'admin_mail'), ['young@agencia.test'])
    assert.deepEqual(await left('mails', `to_address || ' ' || kind`), [
      'old clave',
      'old consulta',
      'young clave',
      'young consulta',
      'young invitacion',
    ])
    assert.deepEqual(await left('publicaciones', 'external_id'), ['old Activa', 'young Activa', 'young Archivada'])
    for (const table of ['app_usage', 'app_reads', 'delivery_latency', 'heartbeats', 'visitas'])
      assert.equal((await left(table, '1')).length, 1, table)
    const deleted = Object.entries(RULES).filter(([, rule]) => 'after' in rule)
    assert.deepEqual(logged, [{ deleted: Object.fromEntries(deleted.map(([table]) => [table, 1])) }])
  })

  it('old rows of the audit log are found by its index, some thousands at a time', async () => {
    const { store } = database
    const [days, many] = [config.auditDays, 10_001]
    await store.query(sql`delete from audit_log`)
    await store.query(sql`
      insert into audit_log (at, via, act)
      select ${NOW}::timestamptz - make_interval(days => case when n <= ${many} then ${days} + 1 else 1 end), 'consola', 'x'
      from generate_series(1, 100000) n order by random()`)
    await store.query(sql`analyze audit_log`)
    const plans: string[] = []
    const explaining: Store = {
      ...store,
      async query(statement) {
        const lines = await store.query<Record<string, string>>(sql`explain ${statement}`)
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
        return []
      },
    }
    const logged: unknown[] = []
    const log = { info: (about: unknown) => void logged.push(about), warn: () => undefined, error: () => undefined }
    await deleteOldRows({ store: explaining, config, log }, NOW)
    assert.match(plans.find((plan) => plan.includes('Delete on audit_log')) ?? '', /using audit_log_at/)

    await deleteOldRows({ store, config, log }, NOW)
    assert.deepEqual(logged, [{ deleted: { audit_log: many } }])
  })
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { createDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { createApp } from '../../apps/store.ts'
import { createSeal } from '../../store/sealed.ts'
import { createConsultaMonths, deleteBefore, maintainConsultas, prepareConsultas } from './retention.ts'

const BUENOS_AIRES = 'America/Argentina/Buenos_Aires'
const NOW = new Date('2026-03-04T12:00:00Z')
const agencia = { id: 7, modo: 'produccion', adminMail: 'ana@agencia.test' } as const
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('partitions and retention', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())
  beforeEach(async () => {
    await database.store.query(sql`delete from consultas`)
    await database.store.query(sql`delete from consulta_counts`)
  })

  const tables = async () =>
    (
      await database.store.query<{ table: string }>(sql`
        select c.relname as table from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'consultas'::regclass order by 1`)
    ).map(({ table }) => table)
  const placeOf = async (sid: string) => {
    const [row] = await database.store.query<{ table: string }>(sql`
      select tableoid::regclass::text as table from consultas where sid = ${sid}`)
    return row?.table
  }
  const storedSids = async () =>
    (await database.store.query<{ sid: string }>(sql`select sid from consultas order by sid`)).map(({ sid }) => sid)
  const insert = (at: string) => insertConsulta(database.store, { agencia, at })

  it('this month and the next three have their tables; what came before that is moved to its own', async () => {
    const misplacedRows = [
      await insert('2025-11-30T23:59:59.999Z'),
      await insert('2025-12-01T00:00:00Z'),
      await insert('2026-03-04T00:00:00Z'),
    ]
    const before = await storedSids()
    const made = await createConsultaMonths(database.store, NOW)
    assert.deepEqual(made.toSorted(), [
      'consultas_2025_11',
      'consultas_2025_12',
      'consultas_2026_03',
      'consultas_2026_04',
      'consultas_2026_05',
      'consultas_2026_06',
    ])
    assert.deepEqual(await storedSids(), before)
    assert.deepEqual(await Promise.all(misplacedRows.map(({ sid }) => placeOf(sid))), [
      'consultas_2025_11',
      'consultas_2025_12',
      'consultas_2026_03',
    ])
    assert.equal(await placeOf((await insert('2026-06-30T23:59:59Z')).sid), 'consultas_2026_06')
    assert.equal(await placeOf((await insert('2026-07-01T00:00:00Z')).sid), 'consultas_other')
    assert.deepEqual(await createConsultaMonths(database.store, NOW), ['consultas_2026_07'])
    assert.deepEqual(await createConsultaMonths(database.store, NOW), [])
  })

  it('a server starts with tables for the months and the days of its zone; with another zone it counts anew', async () => {
    const deps = (timeZone: string) => ({
      store: database.store,
      config: { timeZone, retentionDays: 365 },
      log: silent,
    })
    const { sid } = await insert('2026-03-04T01:00:00Z') // the third, in Buenos Aires
    const dias = async () => {
      const [row] = await database.store.query<{ dias: number[] }>(sql`select dias from consulta_counts`)
      return [row?.dias[2], row?.dias[3]]
    }
    await prepareConsultas(deps(BUENOS_AIRES), NOW)
    assert.equal(await placeOf(sid), 'consultas_2026_03')
    assert.deepEqual(await dias(), [1, 0])
    await Promise.all([prepareConsultas(deps('UTC'), NOW), prepareConsultas(deps('UTC'), NOW)])
    assert.deepEqual(await dias(), [0, 1])
    await prepareConsultas(deps(BUENOS_AIRES), NOW)
  })

  it('a partition has every index of the others, and takes no second row of the same sid', async () => {
    await createConsultaMonths(database.store, NOW)
    const indexes = await database.store.query<{ table: string; count: number }>(sql`
      select tablename as table, count(*) from pg_indexes where tablename in ('consultas_other', 'consultas_2026_04') group by 1`)
    assert.equal(new Set(indexes.map(({ count }) => count)).size, 1)
    assert.equal(indexes.length, 2)
    const { sid } = await insert('2026-04-01T12:00:00Z')
    await assert.rejects(database.store.query(sql`insert into consultas select * from consultas where sid = ${sid}`))
  })

  it('made by many at once, each table is made once, and inquiries keep coming', async () => {
    const later = new Date('2031-01-15T12:00:00Z')
    const arriving = Array.from({ length: 30 }, (_, day) =>
      insert(`2031-01-${String(day + 1).padStart(2, '0')}T12:00:00Z`),
    )
    const made = await Promise.all([1, 2, 3, 4].map(() => createConsultaMonths(database.store, later)))
    await Promise.all(arriving)
    assert.equal(new Set(made.flat()).size, made.flat().length)
    assert.equal((await storedSids()).length, 30)
    await createConsultaMonths(database.store, later)
    const [row] = await database.store.query<{ count: number }>(sql`select count(*) from consultas_other`)
    assert.equal(row?.count, 0)
  })

  it('what is older than it may be is gone: whole months with their tables, the rest by rows; with its counts', async () => {
    await insert('2024-12-15T12:00:00Z')
    await insert('2025-03-04T02:59:59.999Z')
    const first = await insert('2025-03-04T03:00:00Z') // midnight, 365 days ago
    const misplaced = await insert('2025-03-31T12:00:00Z')
    await createConsultaMonths(database.store, NOW)
    assert.ok((await tables()).includes('consultas_2024_12'))

    const deps = { store: database.store, config: { timeZone: BUENOS_AIRES, retentionDays: 365 }, log: silent }
    await assert.rejects(maintainConsultas(deps, NOW, AbortSignal.abort()), { name: 'AbortError' })
    assert.equal((await storedSids()).length, 4, 'it stops with the server')
    await maintainConsultas(deps, NOW)
    assert.deepEqual(await storedSids(), [first.sid, misplaced.sid])
    assert.ok(!(await tables()).includes('consultas_2024_12'))
    assert.ok((await tables()).includes('consultas_2025_03'))
    const counts = await database.store.query<{ mes: string; dias: number[] }>(sql`
      select mes::text, dias from consulta_counts order by mes`)
    assert.deepEqual(
      counts.map(({ mes, dias }) => [mes, dias[2], dias[3], dias[30]]),
      [['2025-03-01', 0, 1, 1]],
    )
  })

  it('the events that tell of it go too, though they are younger, and so do the letters', async () => {
    const { app } = await createApp(database.store, createSeal(Buffer.alloc(32)), { nombre: 'App', modo: 'produccion' })
    const [gone, stays] = [await insert('2025-01-15T12:00:00Z'), await insert('2026-01-15T12:00:00Z')]
    for (const { sid } of [gone, stays]) {
      await database.store.query(sql`
        insert into events (id, app_id, topic, sid, payload)
        values (${`01JNG3Y4Z5A6B7C8${sid.slice(-10)}`}, ${app.id}, 'consulta.modificada', ${sid}, '{}')`)
      await database.store.query(sql`
        insert into deliveries (id, app_id) values (${`01JNG3Y4Z5A6B7C8${sid.slice(-10)}`}, ${app.id})`)
      await database.store.query(sql`
        insert into mails (kind, to_address, sid) values ('consulta', 'ana@agencia.test', ${sid})`)
    }
    await deleteBefore(database.store, '2025-03-04', BUENOS_AIRES)
    for (const statement of [
      sql`select sid from consultas`,
      sql`select sid from events`,
      sql`select sid from events join deliveries using (id)`,
      sql`select sid from mails`,
    ])
      assert.deepEqual(await database.store.query(statement), [{ sid: stays.sid }])
  })

  it('letters go by thousands, though a batch may end between the two of one inquiry', async () => {
    await database.store.query(sql`
      insert into mails (kind, to_address, sid)
      select kind, 'ana@agencia.test', '01JHK0000000000000000' || lpad(n::text, 5, '0')
      from generate_series(1, 6000) n, unnest(array['consulta', 'consulta-recibo']) kind
      where n > 1 or kind = 'consulta'`)
    await deleteBefore(database.store, '2025-03-04', BUENOS_AIRES)
    const [left] = await database.store.query(sql`select count(*) from mails where sid like '01JHK%'`)
    assert.deepEqual(left, { count: 0 })
  })
})

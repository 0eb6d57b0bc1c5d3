import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { countConsulta, insertConsulta } from '../../../tests/support/consulta.ts'
import { createDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { countedBySource, rebuildCounts, rebuildCountsIfTimeZoneChanged } from './counts.ts'

const BUENOS_AIRES = 'America/Argentina/Buenos_Aires'

describe('the counters of inquiries', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  const total = async (agenciaId: number, desde: string, hasta: string) => {
    const [row] = await database.store.query<{ total: number }>(sql`
      select coalesce(sum(n), 0)::int as total
      from (${countedBySource({ desde, hasta }, sql`n.agencia_id = ${agenciaId}`)}) as sources`)
    return row?.total
  }
  const all = () =>
    database.store.query(sql`select * from consulta_counts order by agencia_id, mes, fuente, operador, dias`)

  it('are exact for any days, across months and for the last day of one', async () => {
    const days = ['2026-01-01', '2026-01-31', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01']
    for (const day of days)
      await countConsulta(database.store, { agenciaId: 1, day, fuente: 5, operador: 'ana@agencia.test' })
    await countConsulta(database.store, { agenciaId: 1, day: '2026-02-01', fuente: 0, operador: 'ana@agencia.test' })
    const expected: [string, string, number][] = [
      ['2026-01-01', '2026-01-01', 1],
      ['2026-01-02', '2026-01-30', 0],
      ['2026-01-31', '2026-02-01', 4],
      ['2026-01-01', '2026-03-31', 7],
      ['2026-02-02', '2026-02-28', 1],
      ['2025-12-31', '2026-02-28', 6],
    ]
    for (const [desde, hasta, count] of expected) assert.equal(await total(1, desde, hasta), count, `${desde} ${hasta}`)
  })

  it('count all that come at once', async () => {
    const counted = { agenciaId: 2, day: '2026-03-04', fuente: 5, operador: 'ana@agencia.test' }
    await Promise.all(Array.from({ length: 50 }, () => countConsulta(database.store, counted)))
    assert.equal(await total(2, '2026-03-04', '2026-03-04'), 50)
  })

  it('counted anew they are the same, and in another zone they follow its days', async () => {
    await database.store.query(sql`delete from consulta_counts`)
    const agencia = { id: 7, modo: 'produccion', adminMail: 'ana@agencia.test' } as const
    const moments = ['2026-01-31T23:59:59.999-03:00', '2026-02-01T00:00:00-03:00', '2026-02-01T23:30:00-03:00']
    for (const at of moments) await insertConsulta(database.store, { agencia, at })
    await insertConsulta(database.store, { agencia, at: '2026-03-31T12:00:00Z', operador: 'beto@agencia.test' })
    const counted = await all()

    await database.store.transaction((tx) => rebuildCounts(tx, BUENOS_AIRES))
    assert.deepEqual(await all(), counted)

    const zones = async (zone: string) => database.store.transaction((tx) => rebuildCountsIfTimeZoneChanged(tx, zone))
    await zones(BUENOS_AIRES)
    assert.deepEqual(await all(), counted)
    await zones('Asia/Tokyo')
    assert.equal(await total(7, '2026-02-01', '2026-02-01'), 2)
    assert.equal(await total(7, '2026-02-02', '2026-02-02'), 1)
    await zones(BUENOS_AIRES)
    assert.deepEqual(await all(), counted)
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { readConfig } from '../config.ts'
import { openStore } from '../store/db.ts'
import { fromCells, toCells } from './csv-members.ts'
import { type ImportOptions, importFile } from './import.ts'
import type { TransferContext } from './kind.ts'
import { KINDS } from './kinds.ts'
import { readRecords } from './read-file.ts'

const ROWS = 2_500

describe('importFile', () => {
  let database: TestDatabase
  let folder: string
  let path: string
  let context: TransferContext
  before(async () => {
    database = await createDatabase()
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-import-'))
    path = join(folder, 'agencias.csv')
    const rows = Array.from({ length: ROWS }, (_, at) => `a${at}@agencia.test,Agencia ${at}\n`)
    await writeFile(path, `AdminMail,Nombre\n${rows.join('')}`)
    const config = readConfig({})
    const matcher = createMatcher(catalogueOf('AR', undefined), config)
    const { store } = database
    context = { store, matcher, clock: () => new Date(), config, modo: 'produccion', apps: new Map(), app: undefined }
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
    kind: 'agencias',
    path,
    format: 'csv',
    simulate: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onRejected: async () => undefined,
    onUnavailable: (error) => assert.fail(error),
    ...more,
  })
  const stored = async () =>
    (await database.store.query<{ count: number }>(sql`select count(*) from agencias`))[0]?.count

  it('an interrupted import continues where it stopped', async () => {
    const interruption = new AbortController()
    const first = await importFile(
      context,
      options({ signal: interruption.signal, onProgress: () => interruption.abort() }),
    )
    assert.ok(first.rows < ROWS && first.rows === first.created, `${first.rows}`)
    assert.equal(await stored(), first.rows)
    const second = await importFile(context, options())
    assert.deepEqual(second, {
      rows: ROWS,
      created: ROWS - first.rows,
      existing: 0,
      rejected: 0,
      resumedAfter: first.rows,
    })
    const third = await importFile(context, options())
    assert.deepEqual([third.existing, third.resumedAfter], [ROWS, 0])
  })

  it('connections that PostgreSQL cuts cost nothing: the batch is written again', async () => {
    await database.store.query(sql`truncate agencias cascade`)
    const own = openStore({ connection: database.connection, max: 2 })
    let away = 0
    try {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      // The batch waits for this lock until its connection is cut.
      const held = database.store.transaction(async (tx) => {
        await tx.query(sql`lock table agencias in exclusive mode`)
        await released
      })
      const importing = importFile({ ...context, store: own }, options({ onUnavailable: () => void away++ }))
      await until(async () => {
        const cut = await database.store.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        return cut.length > 0
      })
      release()
      await held
      assert.equal((await importing).created, ROWS)
    } finally {
      await own.close()
    }
    assert.equal(away, 1)
    assert.equal(await stored(), ROWS)
  })

  it('a record of CSV becomes the object of the schema, and back', () => {
    const { schema } = KINDS.publicaciones
    const cells = {
      ExternalId: 'A-1',
      'Precio.Importe': '10.5',
      'Precio.Moneda': 'ARS',
      Activa: 'sí',
      Fotos: 'https://a https://b',
    }
    const body = fromCells(schema, { ...cells, Kilometraje: 'mil', Descripcion: "'=1+1", RefStock: ' ', Otra: 'x' })
    assert.deepEqual(body, {
      ExternalId: 'A-1',
      Precio: { Importe: 10.5, Moneda: 'ARS' },
      Activa: true,
      Fotos: ['https://a', 'https://b'],
      Kilometraje: 'mil',
      Descripcion: '=1+1',
      Otra: 'x',
    })
    assert.deepEqual(toCells(['ExternalId', 'Precio.Importe', 'Fotos', 'RefStock'], body), [
      'A-1',
      '10.5',
      'https://a https://b',
      '',
    ])
  })

  it('files that end badly say so', async () => {
    const read = async (format: 'csv' | 'ndjson', bytes: Buffer | string) => {
      const file = join(folder, `bad.${format}`)
      await writeFile(file, bytes)
      const records = []
      for await (const record of readRecords(file, format)) records.push(record)
      return records
    }
    const late = Buffer.concat([Buffer.from(`{"a":"${'x'.repeat(1_048_570)}"}\n`), Buffer.from([0xff, 0x0a])])
    await assert.rejects(read('ndjson', late), /Convert it to UTF-8/)
    await assert.rejects(read('ndjson', `{"a":"${'x'.repeat(3_000_000)}`), /longer than/)
    await assert.rejects(read('csv', `a,b\n"${'x,'.repeat(1_000_000)}`), /longer than/)
    // A file of any size is read no further than a record may be long.
    const unclosed = Buffer.concat([Buffer.from(`a,b\n"x,1\n${'y,2\n'.repeat(1_500_000)}`), Buffer.from([0xff])])
    await assert.rejects(read('csv', unclosed), /Record 1 is longer than/)
    const rows = await read('csv', `a,b\n${`"${'x'.repeat(1_000_000)}",1\n`.repeat(3)}${'y,2\n'.repeat(100)}`)
    assert.equal(rows.length, 103)
    const blank = `${','.repeat(40)}\n`.repeat(60_000)
    assert.equal((await read('csv', `a,b\n${blank}1,2\n`)).length, 1, 'blank rows are skipped')
    assert.deepEqual(await read('csv', 'a;b\n1;2;3\n\n4\n'), [
      { fila: 1, unreadable: 'Tiene 3 columnas, y el encabezado, 2.' },
      { fila: 2, value: { a: '4', b: '' } },
    ])
    assert.deepEqual(await read('csv', ''), [])
  })
})

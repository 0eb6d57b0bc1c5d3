import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { createApp } from '../apps/store.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { readConfig } from '../config.ts'
import { rebuildCounts } from '../resources/consultas/counts.ts'
import { openStore } from '../store/db.ts'
import { createSeal } from '../store/sealed.ts'
import { fromCells, toCells } from './csv-members.ts'
import { type ImportOptions, importFile } from './import.ts'
import type { Row, TransferContext } from './kind.ts'
import { KINDS, type KindName } from './kinds.ts'
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
  /** Imports records from a file. The rejected ones are `row member code`. */
  async function importing(kind: KindName, records: object[] | string, more: Partial<TransferContext> = {}) {
    const format = typeof records === 'string' ? 'csv' : 'ndjson'
    const file = join(folder, `${kind}.${format}`)
    const lines = typeof records === 'string' ? [records] : records.map((each) => `${JSON.stringify(each)}\n`)
    await writeFile(file, lines.join(''))
    const rejected: string[] = []
    const onRejected = async (rows: Row<unknown>[]) => {
      for (const { fila, faults } of rows)
        for (const [member, reasons] of Object.entries(faults.errors))
          rejected.push(...reasons.map(({ code }) => `${fila} ${member} ${code}`))
    }
    const about = options({ kind, path: file, format, onRejected })
    const { created, existing } = await importFile({ ...context, ...more }, about)
    return { created, existing, rejected }
  }
  const newApp = async () => {
    const seal = createSeal(randomBytes(32))
    return (await createApp(database.store, seal, { nombre: 'Gestión', modo: 'produccion' })).app
  }
  const note = (Texto: string) => ({ Momento: new Date().toISOString(), Texto })
  const inquiry = (more: object) => ({
    ...{ Id: '1', Momento: new Date().toISOString(), OrigenLead: 'form', Auto: { Marca: 'Fiat', Modelo: 'Cronos' } },
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

  it('of two inquiries with one Id the first is stored, with its notes, and counted once', async () => {
    const { store } = database
    const AdminMail = 'doble@agencia.test'
    await importing('agencias', [{ AdminMail, Nombre: 'Doble' }])
    const Momento = new Date().toISOString()
    const from = (Nombre: string) =>
      inquiry({ AdminMail, Momento, Interesado: { Nombre, Email: 'lucia@correo.test' }, Notas: [note(`De ${Nombre}`)] })
    const done = await importing('consultas', [from('Lucía'), from('Luz')])
    assert.deepEqual(done, { created: 1, existing: 1, rejected: [] })
    const found = await store.query(sql`
      select c.interesado::json ->> 'Nombre' as nombre, h.detail as nota
      from consultas c join agencias g on g.id = c.agencia_id left join consulta_history h on h.sid = c.sid
      where g.admin_mail = ${AdminMail}`)
    assert.deepEqual(found, [{ nombre: 'Lucía', nota: 'De Lucía' }])
    const counters = () =>
      store.query(sql`select agencia_id, mes::text, fuente, operador, dias from consulta_counts order by 1, 2, 3, 4`)
    const before = await counters()
    await store.transaction((tx) => rebuildCounts(tx, context.config.timeZone))
    assert.deepEqual(before, await counters())
  })

  it('of two agencies with one address the first is stored, with its own package and apps', async () => {
    const AdminMail = 'dos@agencia.test'
    const apps = new Map([await newApp(), await newApp()].map((app) => [app.appKey, app]))
    const agencies = [...apps.keys()].map((appKey, at) => ({
      ...{ AdminMail: at === 0 ? AdminMail : AdminMail.toUpperCase(), Nombre: `Agencia ${at}`, Apps: [appKey] },
      ...{ Paquete: { Nombre: `Plan ${at}`, Desde: '2020-01-01', Hasta: '2049-12-31', Alta: 1, Media: 1, Baja: 1 } },
    }))
    const done = await importing('agencias', agencies, { apps })
    assert.deepEqual(done, { created: 1, existing: 1, rejected: [] })
    const found = await database.store.query(sql`
      select g.nombre, p.nombre as paquete, a.app_key as "appKey" from agencias g
      join paquetes p on p.agencia_id = g.id join asociaciones s on s.agencia_id = g.id join apps a on a.id = s.app_id
      where g.admin_mail = ${AdminMail}`)
    assert.deepEqual(found, [{ nombre: 'Agencia 0', paquete: 'Plan 0', appKey: [...apps.keys()][0] }])
  })

  it('a listing stays suspended by the marketplace or the agency, with the reason', async () => {
    const AdminMail = 'moderada@agencia.test'
    const app = await newApp()
    await importing('agencias', [{ AdminMail, Nombre: 'Moderada' }], { app })
    const suspensions = [
      { Por: 'mercado', Motivo: 'Faltan las fotos' },
      { Por: 'agencia', Motivo: null },
      { Por: 'app', Motivo: null },
    ]
    const listings = [...suspensions, { Por: 'nadie' }].map((Suspension, at) => ({
      ...{ AdminMail, ExternalId: `A-${at}`, Marca: 'Fiat', Modelo: 'Cronos', Estado: 'Suspendida', Suspension },
    }))
    const done = await importing('publicaciones', listings, { app })
    assert.deepEqual(done, { created: 3, existing: 0, rejected: ['4 Suspension.Por opcion'] })
    const { modo, config } = context
    const page = { modo, agenciaId: undefined, after: undefined, limit: 1_000, timeZone: config.timeZone }
    const { records } = await KINDS.publicaciones.read(database.store, page)
    const own = records.filter((each) => each.AdminMail === AdminMail)
    assert.deepEqual(
      own.map(({ Suspension }) => Suspension),
      suspensions,
    )
  })

  it('a row with NUL or half a character is rejected; the others of its batch are imported', async () => {
    const AdminMail = 'nulo@agencia.test'
    const Nombre = 'Nulo'
    assert.deepEqual(
      await importing('agencias', `AdminMail,Nombre,Direccion\n${AdminMail},${Nombre},\nx@agencia.test,X,a\0b\n`),
      { created: 1, existing: 0, rejected: ['2 _ caracter-no-admitido'] },
    )
    const car = (Marca: string) => ({ Auto: { Marca, Modelo: 'Cronos' } })
    const inquiries = [
      inquiry({ AdminMail, Id: '1', ...car('Fiat\0') }),
      inquiry({ AdminMail, Id: '2', ...car('Fiat\ud800') }),
      inquiry({ AdminMail, Id: '3', Notas: [note('a\0b')], Interesado: { Nombre, Email: 'x@correo.test' } }),
      inquiry({ AdminMail, Id: '4', ...car('\\u0000 🚗') }),
    ]
    const refused = [1, 2, 3].map((fila) => `${fila} _ caracter-no-admitido`)
    assert.deepEqual(await importing('consultas', inquiries), { created: 1, existing: 0, rejected: refused })
    const listing = { AdminMail, ExternalId: 'A-1', Marca: 'Fiat', Modelo: 'Cronos', Descripcion: 'a\0b' }
    assert.deepEqual((await importing('publicaciones', [listing])).rejected, ['1 _ caracter-no-admitido'])
  })

  it('a record with a day or a moment that cannot be stored is rejected', async () => {
    const AdminMail = 'fechas@agencia.test'
    const Paquete = { Nombre: 'Plan', Desde: '2026-01-01', Hasta: '2026-12-31', Alta: 1, Media: 1, Baja: 1 }
    const agencies = [
      { AdminMail: 'cero@agencia.test', Nombre: 'Cero', Paquete: { ...Paquete, Desde: '0000-01-01' } },
      { AdminMail: 'atras@agencia.test', Nombre: 'Atrás', Paquete: { ...Paquete, Hasta: '2025-12-31' } },
      { AdminMail, Nombre: 'Fechas', Paquete },
    ]
    assert.deepEqual(await importing('agencias', agencies), {
      created: 1,
      existing: 0,
      rejected: ['1 Paquete.Desde formato', '2 Paquete.Hasta fuera-de-rango'],
    })
    const Interesado = { Nombre: 'Ana', Email: 'ana@correo.test' }
    const moments = ['0000-01-01T00:00:00Z', '2126-01-01T00:00:00Z', '2026-01-01T00:00:00+20:00']
    const inquiries = moments.map((Momento, at) =>
      inquiry({ AdminMail, Id: `${at}`, Interesado, Notas: [{ ...note('Llamó'), Momento }] }),
    )
    assert.deepEqual(await importing('consultas', inquiries), {
      created: 1,
      existing: 0,
      rejected: ['1 Notas[0].Momento formato', '2 Notas[0].Momento fuera-de-rango'],
    })
  })

  it('a person whose name has only invisible characters is rejected; the others of the batch are imported', async () => {
    const AdminMail = 'vacia@agencia.test'
    await importing('agencias', [{ AdminMail, Nombre: 'Vacía' }])
    const people = [
      { AdminMail, Email: 'nadie@agencia.test', Nombre: '\u200b', Apellido: ' ' },
      { AdminMail, Email: 'vera@agencia.test', Nombre: 'Vera', Apellido: 'Sol' },
    ]
    const rejected = ['1 Nombre vacio', '1 Apellido vacio']
    assert.deepEqual(await importing('personas', people), { created: 1, existing: 0, rejected })
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
    assert.deepEqual(await read('ndjson', `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`), [
      { fila: 1, unreadable: 'Tiene demasiados niveles anidados.' },
    ])
  })
})

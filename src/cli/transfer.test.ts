import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { rebuildCounts } from '../resources/consultas/counts.ts'
import type { Store } from '../store/db.ts'
import { run } from './run.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const TIME_ZONE = 'America/Argentina/Buenos_Aires'
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const AGENCIAS = `AdminMail;AdminNombre;AdminApellido;Nombre;Telefono;Region;Ciudad;Paquete.Nombre;Paquete.Desde;Paquete.Hasta;Paquete.Alta;Paquete.Media;Paquete.Baja
ana@agencia.test;Ana;Paz;Automotores del Sur;011 4555-1234;Bs As;temperlei;Plan 50;2020-01-01;2049-12-31;2;0;0
luis@agencia.test;Luis;Ñandú;"Autos ""Luis""";;Santa Fe;Rosario;;;;;;
mal@agencia.test;;;Mal;;Mendoza;San Xyz;;;;;;
`
const PERSONAS = [
  {
    AdminMail: 'ana@agencia.test',
    Email: 'Vera@agencia.test',
    Nombre: 'Vera',
    Apellido: 'Sol',
    WhatsApp: '+5491145551234',
  },
  { AdminMail: 'nadie@agencia.test', Email: 'x@agencia.test', Nombre: 'X', Apellido: 'Y' },
]
const listing = (ExternalId: string, more: object = {}) => ({
  AdminMail: 'ana@agencia.test',
  ExternalId,
  Marca: 'fiat',
  Modelo: 'Cronos',
  Version: '1.3 Drive',
  VersionYear: 2022,
  Precio: { Moneda: 'ARS', Importe: 18_500_000.5 },
  Fotos: ['https://fotos.example/1.jpg'],
  OperadorResponsable: 'vera@agencia.test',
  ...more,
})
const LISTINGS = [
  listing('A-1'),
  listing('A-2', { Color: 'blanco', Descripcion: '=HYPERLINK("x")' }),
  listing('A-3'), // more than the package allows
  listing('a-1'), // twice in one file
  listing('B-1', { Marca: 'zapatillas' }),
  listing('B-2', { Otro: 1 }),
]
const inquiry = (Id: string, more: object = {}) => ({
  Id,
  Momento: daysAgo(40),
  AdminMail: 'ana@agencia.test',
  ExternalId: 'A-1',
  OrigenLead: 'form',
  Estado: 'vendida',
  Auto: { Marca: 'Fiat', Modelo: 'Cronos', Precio: { Moneda: 'ARS', Importe: 100 } },
  Interesado: { Nombre: ' Lucía ', Email: 'lucia@correo.test', Telefono: '+54 9 341 555-0134', Comentario: 'Hola' },
  ...more,
})
const INQUIRIES = [
  inquiry('1'),
  inquiry('2', { Momento: daysAgo(1), ExternalId: null, OperadorResponsable: 'vera@agencia.test' }),
  inquiry('3', { Momento: daysAgo(70), Interesado: null }),
  inquiry('4', { Momento: daysAgo(4000) }),
  inquiry('5', { Interesado: { Nombre: 'Sin' } }),
  inquiry('6', { AdminMail: 'nadie@agencia.test' }),
]
const lines = (records: object[]) => records.map((each) => `${JSON.stringify(each)}\n`).join('')

describe('rodado import and export', () => {
  let folder: string
  let [first, second]: TestDatabase[] = []
  let appKey: string
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-transfer-'))
    ;[first, second] = [await createDatabase(), await createDatabase()]
    await writeFile(join(folder, 'agencias.csv'), Buffer.from(AGENCIAS, 'latin1'))
    await writeFile(join(folder, 'personas.ndjson'), lines(PERSONAS))
    await writeFile(join(folder, 'publicaciones.ndjson'), `${lines(LISTINGS)}{"broken\n`)
    await writeFile(join(folder, 'consultas.ndjson'), lines(INQUIRIES))
  })
  after(async () => {
    await first?.drop()
    await second?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const databaseOf = (which: TestDatabase | undefined): TestDatabase => which as TestDatabase
  async function rodado(which: TestDatabase | undefined, ...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const env = { DATABASE_URL: urlOf(databaseOf(which).connection), MASTER_KEY }
    const code = await run([...args, '--json'], { out, err, env })
    const text = String(out.read() ?? '')
    return { code, err: String(err.read() ?? ''), json: text && JSON.parse(text) }
  }
  async function importing(kind: string, file: string, ...more: string[]) {
    const done = await rodado(first, 'import', kind, join(folder, file), ...more)
    assert.equal(done.err, '')
    return done
  }
  const reportOf = async (file: string) =>
    (await readFile(join(folder, `${file}.rechazadas.csv`), 'utf8')).trim().split('\r\n').slice(1)
  const countsOf = ({ created, existing, rejected }: Record<string, number>) => [created, existing, rejected]
  const counters = (store: Store) =>
    store.query(sql`
    select agencia_id, mes::text, fuente, operador, dias from consulta_counts order by 1, 2, 3, 4`)

  it('a simulation says what would happen and writes nothing', async () => {
    appKey = (await rodado(first, 'app', 'create', '--nombre', 'Gestión')).json.AppKey
    const { code, json } = await importing('agencias', 'agencias.csv', '--app', appKey, '--simular')
    assert.deepEqual([code, ...countsOf(json)], [1, 2, 0, 1])
    assert.deepEqual(
      await databaseOf(first).store.query(sql`select 1 from agencias union all select 1 from accounts`),
      [],
    )
  })

  it('agencies: Windows-1252, semicolons, places matched; a row that is not understood is reported with suggestions', async () => {
    await chmod(join(folder, 'agencias.csv.rechazadas.csv'), 0o644)
    const { code, json } = await importing('agencias', 'agencias.csv', '--app', appKey)
    assert.deepEqual([code, ...countsOf(json)], [1, 2, 0, 1])
    const found = await databaseOf(first).store.query(sql`
      select g.nombre, g.region, g.ciudad, c.apellido, p.alta, (select count(*) from asociaciones s where s.agencia_id = g.id) as apps
      from agencias g join operadores o on o.agencia_id = g.id and o.rol = 'administrador'
      join accounts c on c.id = o.account_id left join paquetes p on p.agencia_id = g.id order by g.id`)
    assert.deepEqual(found, [
      { nombre: 'Automotores del Sur', region: 'Buenos Aires', ciudad: 'Temperley', apellido: 'Paz', alta: 2, apps: 1 },
      { nombre: 'Autos "Luis"', region: 'Santa Fe', ciudad: 'Rosario', apellido: 'Ñandú', alta: null, apps: 1 },
    ])
    const [row = ''] = await reportOf('agencias.csv')
    assert.match(row, /^3,Ciudad,sin-coincidencia,.*San .* \| /)
    assert.equal((await stat(join(folder, 'agencias.csv.rechazadas.csv'))).mode & 0o777, 0o600)
  })

  it('people and listings: of several agencies, within the package, each fault with its row', async () => {
    assert.deepEqual(countsOf((await importing('personas', 'personas.ndjson')).json), [1, 0, 1])
    const { json } = await importing('publicaciones', 'publicaciones.ndjson', '--app', appKey)
    assert.deepEqual(countsOf(json), [3, 1, 3])
    const found = await databaseOf(first).store.query(sql`
      select external_id, marca, modelo, estado, suspensiones, operador, precio_importe::float8 as precio from publicaciones order by id`)
    const shown = { marca: 'Fiat', modelo: 'Cronos', operador: 'vera@agencia.test', precio: 18_500_000.5 }
    assert.deepEqual(found, [
      { external_id: 'A-1', ...shown, estado: 'Activa', suspensiones: [] },
      { external_id: 'A-2', ...shown, estado: 'Activa', suspensiones: [] },
      { external_id: 'A-3', ...shown, estado: 'Suspendida', suspensiones: ['paquete'] },
    ])
    const rows = (await reportOf('publicaciones.ndjson')).map((line) => line.split(',').slice(0, 3).join())
    assert.deepEqual(rows, ['5,Marca,sin-coincidencia', '6,Otro,desconocido', '7,_,formato'])
  })

  it('past inquiries: with exact counts, their months, and without events or emails', async () => {
    const { json } = await importing('consultas', 'consultas.ndjson', '--app', appKey)
    assert.deepEqual(countsOf(json), [3, 0, 3])
    const rows = (await reportOf('consultas.ndjson')).map((line) => line.split(',').slice(0, 3).join())
    const expected = ['4,Momento,fuera-de-rango', '5,Interesado.Email,requerido', '5,Interesado.Telefono,requerido']
    assert.deepEqual(rows, [...expected, '6,AdminMail,inexistente'])
    const { store } = databaseOf(first)
    const found = await store.query<{
      estado: string
      email: string | null
      operador: string
      publicacion_id: number | null
    }>(sql`select estado, email, operador, publicacion_id from consultas order by sid desc`)
    assert.deepEqual(
      found.map(({ email, operador, publicacion_id: id }) => [email, operador, id !== null]),
      [
        ['lucia@correo.test', 'vera@agencia.test', false],
        ['lucia@correo.test', 'ana@agencia.test', true],
        [null, 'ana@agencia.test', true],
      ],
    )
    assert.deepEqual(await store.query(sql`select 1 from consultas_other`), [])
    assert.deepEqual(await store.query(sql`select 1 from events union all select 1 from mails`), [])
    const before = await counters(store)
    await store.transaction((tx) => rebuildCounts(tx, TIME_ZONE))
    assert.deepEqual(before, await counters(store))
  })

  it('the same files again change nothing', async () => {
    for (const [kind, file, expected] of [
      ['agencias', 'agencias.csv', [0, 2, 1]],
      ['personas', 'personas.ndjson', [0, 1, 1]],
      ['publicaciones', 'publicaciones.ndjson', [0, 4, 3]],
      ['consultas', 'consultas.ndjson', [0, 3, 3]],
    ] as const)
      assert.deepEqual(countsOf((await importing(kind, file, '--app', appKey)).json), expected)
    // Neither these nor the simulation are in the audit log.
    const entries = await databaseOf(first).store.query(sql`
      select subject, (detail -> 'cantidad')::int as cantidad from audit_log where act = 'datos.importar' order by id`)
    assert.deepEqual(entries, [
      { subject: 'agencias', cantidad: 2 },
      { subject: 'personas', cantidad: 1 },
      { subject: 'publicaciones', cantidad: 3 },
      { subject: 'consultas', cantidad: 3 },
    ])
  })

  it('an export, imported elsewhere and exported again, is the same; formulas are guarded', async () => {
    const exportOf = async (which: TestDatabase | undefined, name: string, format: string) => {
      const to = join(folder, name)
      await mkdir(to)
      await writeFile(join(to, `agencias.${format}`), 'of an earlier export', { mode: 0o644 })
      const done = await rodado(which, 'export', to, '--formato', format)
      assert.equal(done.code, 0, done.err)
      const files = await readdir(to)
      for (const file of files) assert.equal((await stat(join(to, file))).mode & 0o777, 0o600, file)
      return new Map(
        await Promise.all(files.sort().map(async (file) => [file, await readFile(join(to, file), 'utf8')] as const)),
      )
    }
    await databaseOf(first).store.query(sql`
      update publicaciones set estado = 'Suspendida', suspensiones = '{mercado}', motivo = 'Falta el precio', exposicion = null
      where external_id = 'A-2'`)
    const { store } = databaseOf(second)
    const other = (await rodado(second, 'app', 'create', '--nombre', 'Gestión')).json.AppKey
    await store.query(sql`update apps set app_key = ${appKey} where app_key = ${other}`)
    for (const format of ['csv', 'ndjson']) {
      const exported = await exportOf(first, `first-${format}`, format)
      for (const kind of ['agencias', 'personas', 'publicaciones', 'consultas']) {
        const { code, json, err } = await rodado(
          second,
          'import',
          kind,
          join(folder, `first-${format}`, `${kind}.${format}`),
        )
        assert.deepEqual([code, json?.rejected], [0, 0], `${kind} ${err}`)
      }
      const again = await exportOf(second, `second-${format}`, format)
      const plain = (text = '') =>
        text
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d/g, '‹moment›')
          .replaceAll(/"Por":"\w+"|,paquete,|,app,/g, '')
      for (const [file, text] of exported) assert.equal(plain(again.get(file)), plain(text), file)
      assert.deepEqual(
        await store.query(sql`select suspensiones, motivo from publicaciones where external_id = 'A-2'`),
        [{ suspensiones: ['mercado'], motivo: 'Falta el precio' }],
      )
      if (format === 'csv') assert.match(exported.get('publicaciones.csv') ?? '', /"'=HYPERLINK/)
    }
  })

  it('1: what is missing or wrong is named', async () => {
    const failing = async (...args: string[]) => (await rodado(first, ...args)).err
    assert.match(await failing('import', 'autos', 'x.csv'), /agencias, personas, publicaciones, consultas/)
    assert.match(await failing('import', 'agencias', 'x.xls'), /--formato/)
    assert.match(await failing('import', 'agencias', join(folder, 'none.csv')), /none\.csv: no such file/)
    assert.match(await failing('import', 'agencias', join(folder, 'agencias.csv'), '--app', 'none'), /no app/)
    assert.match(await failing('export', folder, '--agencia', 'nadie@agencia.test'), /no agency/)
  })
})

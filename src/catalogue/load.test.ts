import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { loadCatalogue } from './load.ts'
import { fold } from './text.ts'

const COUNTRIES = ['AR', 'MX', 'CL', 'CO', 'PE', 'UY', 'EC', 'PY', 'BO', 'CR', 'PA', 'GT', 'HN', 'NI', 'DO', 'VE', 'SV']

function withFolder(files: Record<string, string>, use: (dir: string) => void): void {
  const dir = mkdtempSync(join(tmpdir(), 'rodado-catalogue-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true })
      writeFileSync(join(dir, name), text)
    }
    use(dir)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test('the catalogue holds every body style, colour and make, each id once', () => {
  const { carrocerias, colores, marcas } = loadCatalogue('AR')
  assert.deepEqual([carrocerias.length, colores.length, marcas.length], [27, 29, 205])
  for (const list of [carrocerias, colores, marcas]) {
    const ids = list.map(({ id }) => id).sort((a, b) => a - b)
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
    )
  }
})

test('the catalogue of Argentina has its 24 regions and at least 3,000 cities', () => {
  const { regiones, ciudades } = loadCatalogue('AR')
  assert.equal(regiones.length, 24)
  assert.ok(ciudades.length >= 3000)
})

test('no codename belongs to two makes or to two body styles', () => {
  const { carrocerias, marcas } = loadCatalogue('AR')
  for (const list of [carrocerias, marcas]) {
    const codenames = list.flatMap((entry) => entry.codenames)
    assert.deepEqual(codenames, [...new Set(codenames)])
    for (const codename of codenames) assert.match(codename, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  }
})

test('an alias never is the name of another make, body style or colour', () => {
  const { carrocerias, colores, marcas } = loadCatalogue('AR')
  for (const list of [carrocerias, colores, marcas]) {
    const owner = new Map(list.map(({ nombre }) => [fold(nombre), nombre]))
    for (const { nombre, aliases } of list) {
      for (const alias of aliases)
        assert.ok([undefined, nombre].includes(owner.get(fold(alias))), `${nombre}: ${alias}`)
    }
  }
})

test('every country loads, and every list is in Spanish alphabetical order', () => {
  const order = new Intl.Collator('es', { ignorePunctuation: false })
  for (const country of COUNTRIES) {
    const catalogue = loadCatalogue(country)
    assert.ok(catalogue.regiones.length > 0 && catalogue.ciudades.length > 0, country)
    for (const list of [catalogue.regiones, catalogue.marcas, catalogue.colores, catalogue.carrocerias]) {
      const names = list.map(({ nombre }) => nombre)
      assert.deepEqual(names, [...names].sort(order.compare))
    }
  }
  const names = loadCatalogue('AR').ciudades.map(({ nombre }) => nombre)
  assert.ok(names.indexOf('Ñacuñán') > names.indexOf('Nueva Pompeya'))
})

test('a make is new in the countries where it is sold new', () => {
  const isNew = (country: string, nombre: string) =>
    loadCatalogue(country).marcas.find((marca) => marca.nombre === nombre)?.nuevo
  assert.deepEqual(
    [isNew('AR', 'Toyota'), isNew('AR', 'Rastrojero'), isNew('AR', 'Acura'), isNew('MX', 'Acura')],
    [true, false, false, true],
  )
})

test("an operator's rows replace ours by id and add new ones from 1,000,000,000 up", () => {
  const files = {
    'marcas.tsv': 'id\tnombre\tcodenames\tnuevos\n192\tVolkswagen Autos\tvw\tAR\n1000000000\tZanella\tzanella\tAR\n',
    'AR/ciudades.tsv': 'id\tnombre\tregion\tpoblacion\n1000000001\tVilla Operador\tAR-B\t120\n',
    'AR/city-aliases.tsv': 'iso\tnombre\taliases\nAR-B\tVilla Operador\tLa Villita\n',
  }
  withFolder(files, (dir) => {
    const { marcas, ciudades } = loadCatalogue('AR', dir)
    assert.equal(marcas.length, 206)
    assert.equal(marcas.find(({ id }) => id === 192)?.nombre, 'Volkswagen Autos')
    assert.equal(marcas.at(-2)?.nombre, 'Zotye')
    const own = ciudades.find(({ id }) => id === 1_000_000_001)
    assert.deepEqual([own?.region.iso, own?.poblacion, own?.aliases], ['AR-B', 120, ['La Villita']])
  })
})

test('an operator adds models to any make, his own too, and versions of his country', () => {
  const files = {
    'marcas.tsv': 'id\tnombre\n1000000000\tZanella\n',
    'modelos.tsv':
      'id\tmarca\tnombre\tcarrocerias\tnuevos\n1000000001\t1000000000\tZ Truck+\t11\tMX\n1000000002\t184\tTacoma TRD\t11\tMX\n',
    'MX/versiones.tsv':
      'id\tmodelo\tnombre\tdesde\tpotencia\tpropulsion\ttransmision\n1000000003\t1000000002\tPro V6\t2016\t278\tnafta\tautomatica\n',
  }
  withFolder(files, (dir) => {
    const { modelos, versiones } = loadCatalogue('MX', dir)
    const truck = modelos.find(({ id }) => id === 1_000_000_001)
    assert.deepEqual([truck?.marca.nombre, truck?.codename, truck?.nuevo], ['Zanella', 'z-truck-plus', true])
    assert.deepEqual(
      versiones.map(({ nombre, modelo, potencia, cilindrada, hasta }) => [
        nombre,
        modelo.nombre,
        potencia,
        cilindrada,
        hasta,
      ]),
      [['Pro V6', 'Tacoma TRD', 278, null, null]],
    )
    assert.equal(loadCatalogue('AR', dir).versiones.length, loadCatalogue('AR').versiones.length)
  })
  assert.deepEqual(loadCatalogue('MX').versiones, [])
})

test("every fault of an operator's folder is named at once, with file, line and what is allowed", () => {
  const files = {
    'marcas.tsv': 'id\tnombre\n9999\tZanella\n1000000000\t\nx\tMotomel\n',
    'colores.tsv': 'id\tnombre\thtml\n1000000000\tLima\tlime\n',
    'carroceria.tsv': 'id\tnombre\n',
    'modelos.tsv': 'id\tmarca\tnombre\tcarrocerias\n1000000000\t999\tUno\t\n1000000001\t56\tDos\t99\n',
    'AR/versiones.tsv': 'id\tmodelo\tnombre\tpropulsion\n1000000000\t7\tUna\t\n1000000001\t100001\tDos\tleña\n',
    'AR/ciudades.tsv': 'id\tnombre\tregion\tpoblacion\n1000000000\tVilla Una\tAR-9\tmuchos\n',
    'AR/regiones.tsv': 'id\tnombre\tcapital\n',
  }
  withFolder(files, (dir) => {
    const faults = [
      /carroceria\.tsv: unknown file; allowed here: carrocerias\.tsv/,
      /marcas\.tsv:2: id 9999 is not allowed; allowed: an id of ours, or from 1000000000 up/,
      /marcas\.tsv:3: nombre is empty/,
      /marcas\.tsv:4: id x is not allowed/,
      /modelos\.tsv:2: marca 999 is the id of none/,
      /modelos\.tsv:3: carrocerias 99 is the id of none/,
      /versiones\.tsv:2: modelo 7 is the id of none/,
      /versiones\.tsv:3: propulsion leña is not one of nafta, diesel/,
      /colores\.tsv:2: html lime is not of the form #RRGGBB/,
      /ciudades\.tsv:2: region AR-9 is not one of AR-/,
      /ciudades\.tsv:2: poblacion muchos is not a number/,
      /regiones\.tsv:1: missing column iso/,
      /regiones\.tsv:1: unknown column capital; allowed: id, iso, nombre, aliases/,
    ]
    assert.throws(
      () => loadCatalogue('AR', dir),
      (error: Error) => {
        for (const fault of faults) assert.match(error.message, fault)
        return true
      },
    )
  })
})

test('a folder that does not exist and a country without data are refused by name', () => {
  assert.throws(() => loadCatalogue('AR', '/no/such/folder'), /CATALOGUE_DIR \/no\/such\/folder: no such folder/)
  assert.throws(() => loadCatalogue('XX'), /COUNTRY XX: there is no XX\/regiones\.tsv\..*set CATALOGUE_DIR/)
})

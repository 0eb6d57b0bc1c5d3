/** Tests the committed files. */
import { deepEqual, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { compact } from '../../src/catalogue/match/words.ts'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { composeModels, composeVersions, FIRST_ID } from './compose.ts'
import {
  idsOf,
  modelMeanings,
  readDeclared,
  readModels,
  readVersions,
  readWrittenModels,
  readWrittenVersions,
  versionMeanings,
} from './read.ts'

const { modelos, versiones, marcas } = catalogueOf('AR')
const OPERATORS_ID = 1_000_000_000

test('no id means anything else than it did, and what is committed is what was written', () => {
  const [makes, bodies] = [idsOf('marcas.tsv', 'nombre'), idsOf('carrocerias.tsv', 'codenames')]
  const models = modelMeanings(readModels())
  const composed = composeModels(readWrittenModels(), makes, bodies, models, readDeclared('modelos', models))
  deepEqual(composed.faults, [])
  deepEqual(composed.rows, readModels())
  const versions = versionMeanings(readVersions('AR'))
  const declared = readDeclared('versiones-AR', versions)
  const trims = composeVersions(readWrittenVersions('AR'), composed.rows, makes, bodies, versions, declared)
  deepEqual(trims.faults, [])
  deepEqual(trims.rows, readVersions('AR'))
})

test('there are more than 600 models, of every make sold new, and every row names its source', () => {
  ok(modelos.length > 600)
  const made = new Set(modelos.map(({ marca }) => marca))
  deepEqual(
    marcas.filter((marca) => marca.nuevo && !made.has(marca)).map(({ nombre }) => nombre),
    [],
  )
  ok(modelos.filter(({ nuevo }) => nuevo).every(({ marca }) => marca.nuevo))
  for (const row of [...readModels(), ...readVersions('AR')]) ok(row.fuente !== '')
})

test('ids have six digits or more, so that a model called by a number is never taken for an id', () => {
  for (const { id } of [...modelos, ...versiones]) ok(id >= FIRST_ID && id < OPERATORS_ID)
  ok(modelos.every(({ nombre }) => !/^\d{6,}$/.test(nombre)))
})

test('every model has a body style and a codename of its own; no two of a make share a spelling', () => {
  const owner = new Map<string, string>()
  const doubled: string[] = []
  for (const { marca, nombre, codename, aliases, carrocerias } of modelos) {
    ok(carrocerias.length > 0, nombre)
    match(codename, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const text of new Set([nombre, ...aliases].map(compact))) {
      const other = owner.get(`${marca.id} ${text}`)
      if (other !== undefined && nombre !== `${other}+`)
        doubled.push(`${marca.nombre}: ${other} and ${nombre}: ${text}`)
      owner.set(`${marca.id} ${text}`, nombre)
    }
  }
  deepEqual(doubled, [])
  const codenames = modelos.map(({ marca, codename }) => `${marca.id} ${codename}`)
  deepEqual(new Set(codenames).size, codenames.length)
})

test('thirty models or more have versions, whose figures are possible or absent', () => {
  ok(new Set(versiones.map(({ modelo }) => modelo)).size >= 30)
  for (const { nombre, desde, hasta, potencia, cilindrada, carroceria, modelo } of versiones) {
    ok(desde === null || (desde >= 1950 && desde <= 2030), nombre)
    ok(hasta === null || desde === null || hasta >= desde, nombre)
    ok(potencia === null || (potencia >= 40 && potencia <= 500), nombre)
    ok(cilindrada === null || (cilindrada >= 800 && cilindrada <= 5000), nombre)
    ok(carroceria === null || modelo.carrocerias.includes(carroceria), `${modelo.nombre} ${nombre}`)
  }
})

import { existsSync, readdirSync } from 'node:fs'
import { join as path } from 'node:path'
import type { Written } from './join.ts'
import { fold, grouped, nameInRegion, type Place } from './place.ts'
import { listed, readTsv, readTsvIfAny } from './tsv.ts'

const COLUMNS = ['departamento', 'nombre', 'poblacion', 'aliases', 'nota'] as const

/** The localities written by hand, one file per region: sources/AR/AR-B.tsv. */
export function readWritten(folder: string): Written[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => /^[A-Z]{2}-[A-Z0-9]+\.tsv$/.test(name))
  return files.sort().flatMap((file) => {
    const rows = readTsv(path(folder, file), COLUMNS).map((row) => ({ ...row, region: file.replace('.tsv', '') }))
    const shared = grouped(
      rows.filter((row) => row.nota.startsWith('compartida con ')),
      nameInRegion,
    )
    const apart = rows.filter((row) => !shared.has(nameInRegion(row)))
    return [...apart.map((row) => place([row])), ...[...shared.values()].map(place)]
  })
}

type Row = Record<(typeof COLUMNS)[number], string> & { region: string }

/** One place of one row, or of several that say they share it: a town on the border of two partidos. */
function place(rows: readonly Row[]): Written {
  const [first] = rows
  const population = rows.map((row) => row.poblacion).find((cell) => cell !== '')
  const geonames = rows.map((row) => /geonames:(\d+)/.exec(row.nota)?.[1]).find((id) => id !== undefined)
  if (first === undefined || first.nombre === '' || !/^\d*$/.test(population ?? ''))
    throw new Error(JSON.stringify(rows))
  return {
    nombre: first.nombre,
    region: first.region,
    departamento: rows.map((row) => row.departamento).join('|'),
    poblacion: population === undefined ? undefined : Number(population),
    lat: '',
    lon: '',
    aliases: rows.flatMap((row) => listed(row.aliases)),
    alternates: [],
    fuente: 'rodado',
    ...(geonames === undefined ? {} : { geonames: Number(geonames) }),
  }
}

const CORRECTION = ['lugar', 'nombre', 'region', 'departamento', 'aliases', 'motivo'] as const
const DROPPED = ['lugar', 'nombre', 'motivo'] as const
const DEPARTMENT = ['region', 'geonames', 'departamento'] as const

/** What we know better than the packages of a country. */
export interface Corrections {
  /** Rows with our corrections laid over them, and without what is no place. */
  applied<Known extends Place>(places: readonly Known[]): Known[]
  /** Fails if a correction found nothing to correct: then it is misspelt or no longer needed. */
  checkAllUsed(): void
}

/**
 * Reads departamentos.tsv (units under the names people use), corrections.tsv (an empty cell keeps what was there)
 * and dropped.tsv. A row is named by its geonameid, or by `Nombre@ISO` where its package gives no id.
 */
export function readCorrections(folder: string): Corrections {
  const departments = readTsvIfAny(path(folder, 'departamentos.tsv'), DEPARTMENT)
  const department = new Map(departments.map((row) => [`${row.region} ${row.geonames}`, row.departamento]))
  const corrections = new Map(readTsvIfAny(path(folder, 'corrections.tsv'), CORRECTION).map((row) => [row.lugar, row]))
  const dropped = new Set(readTsvIfAny(path(folder, 'dropped.tsv'), DROPPED).map((row) => row.lugar))
  const seen = new Set<string>()
  const key = (place: Place) => String(place.id ?? `${place.nombre}@${place.region}`)

  function corrected<Known extends Place>(place: Known): Known {
    const row = corrections.get(key(place))
    const departamento = department.get(`${place.region} ${place.departamento}`) ?? place.departamento
    return {
      ...place,
      nombre: row?.nombre || place.nombre,
      region: row?.region || place.region,
      departamento: row?.departamento || departamento,
      aliases: [...listed(row?.aliases ?? ''), ...place.aliases],
    }
  }

  return {
    applied(places) {
      for (const place of places) seen.add(key(place))
      return places.filter((place) => !dropped.has(key(place))).map(corrected)
    },
    checkAllUsed() {
      const unused = [...corrections.keys(), ...dropped].filter((lugar) => !seen.has(lugar))
      if (unused.length > 0) throw new Error(`${folder}: no package has ${unused.join(', ')}`)
    },
  }
}

const NOT_AN_ALIAS = ['lugar', 'alias'] as const

/** Names GeoNames lists that nobody uses, or that mean something else. */
export function readUnwanted(folder: string): (place: Place, alias: string) => boolean {
  const rows = readTsvIfAny(path(folder, 'not-aliases.tsv'), NOT_AN_ALIAS)
  const unwanted = new Set(rows.map((row) => `${row.lugar} ${fold(row.alias)}`))
  return (place, alias) => unwanted.has(`${place.id} ${fold(alias)}`)
}

import { join as path } from 'node:path'
import { fold, type Place } from './place.ts'
import { listed, readTsvIfAny } from './tsv.ts'

const CORRECTION = ['lugar', 'nombre', 'region', 'departamento', 'aliases', 'motivo'] as const
const DROPPED = ['lugar', 'nombre', 'motivo'] as const
const DEPARTMENT = ['region', 'geonames', 'departamento'] as const

/** Our corrections of a country's packages. */
interface Corrections {
  /** The rows with our corrections, without those that are no places. */
  applied<Known extends Place>(places: readonly Known[]): Known[]
  /** Fails if a correction matched nothing: it is misspelt or obsolete. */
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

/** GeoNames names that nobody uses, or that mean another place. */
export function readUnwanted(folder: string): (place: Place, alias: string) => boolean {
  const rows = readTsvIfAny(path(folder, 'not-aliases.tsv'), NOT_AN_ALIAS)
  const unwanted = new Set(rows.map((row) => `${row.lugar} ${fold(row.alias)}`))
  return (place, alias) => unwanted.has(`${place.id} ${fold(alias)}`)
}

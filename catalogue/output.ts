import type { Numbered, Rename } from './ledger.ts'
import type { Region } from './regions.ts'
import { listed, readTsv, writeTsv } from './tsv.ts'

const CITY = ['id', 'nombre', 'region', 'departamento', 'poblacion', 'lat', 'lon', 'aliases', 'fuente'] as const
const REGION = ['id', 'iso', 'nombre', 'aliases'] as const
const RENAME = ['id', 'nombre', 'region', 'motivo'] as const
const RETIRED = ['id', 'nombre', 'region', 'motivo'] as const

/** The places shipped before: what every id means. */
export function readLedger(path: string): Numbered[] {
  return readTsv(path, CITY).map((row) => ({
    ...row,
    id: Number(row.id),
    poblacion: row.poblacion === '' ? undefined : Number(row.poblacion),
    aliases: listed(row.aliases),
    alternates: [],
  }))
}

/** Sorted by id, so that a new place is one added line. */
export function writeCities(path: string, places: readonly Numbered[]): void {
  const rows = places
    .toSorted((a, b) => a.id - b.id)
    .map((place) => ({
      ...place,
      id: String(place.id),
      poblacion: String(place.poblacion ?? ''),
      aliases: place.aliases.join('|'),
    }))
  writeTsv(path, CITY, rows)
}

/** Regions need no ledger: their ids stand in sources/regiones.tsv. */
export function writeRegions(path: string, regions: readonly Region[]): void {
  const rows = regions.map((region) => ({
    id: String(region.id),
    iso: region.iso,
    nombre: region.nombre,
    aliases: region.aliases.join('|'),
  }))
  writeTsv(path, REGION, rows)
}

/** Ids with a corrected name or region: id, new name, region, and reason. */
export const readRenames = (path: string): Rename[] =>
  readTsv(path, RENAME).map((row) => ({ id: Number(row.id), nombre: row.nombre, region: row.region }))

/** Retired ids, which are never reused. */
export const readRetired = (path: string): Set<number> => new Set(readTsv(path, RETIRED).map((row) => Number(row.id)))

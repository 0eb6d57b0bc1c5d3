import { existsSync, readdirSync } from 'node:fs'
import { join as path } from 'node:path'
import type { GeonamesPlace } from './geonames.ts'
import type { Written } from './join.ts'
import { listed, readTsv, readTsvIfAny } from './tsv.ts'

const COLUMNS = ['departamento', 'nombre', 'poblacion', 'aliases', 'nota'] as const

/** The localities written by hand, one file per region: sources/AR/AR-B.tsv. */
export function readWritten(folder: string): Written[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => /^[A-Z]{2}-[A-Z0-9]+\.tsv$/.test(name))
  return files.sort().flatMap((file) =>
    readTsv(path(folder, file), COLUMNS).map((row) => {
      const geonames = /geonames:(\d+)/.exec(row.nota)?.[1]
      if (row.nombre === '' || !/^\d*$/.test(row.poblacion)) throw new Error(`${file}: ${JSON.stringify(row)}`)
      return {
        nombre: row.nombre,
        region: file.replace('.tsv', ''),
        departamento: row.departamento,
        poblacion: row.poblacion === '' ? undefined : Number(row.poblacion),
        lat: '',
        lon: '',
        aliases: listed(row.aliases),
        alternates: [],
        fuente: 'rodado',
        ...(geonames === undefined ? {} : { geonames: Number(geonames) }),
      }
    }),
  )
}

const CORRECTION = ['geonameid', 'nombre', 'region', 'departamento', 'aliases'] as const
const DROPPED = ['geonameid', 'nombre', 'motivo'] as const

/** GeoNames' rows with our corrections laid over them (an empty cell keeps what was there) and without what is no place. */
export function corrected(folder: string, places: readonly GeonamesPlace[]): GeonamesPlace[] {
  const corrections = new Map(
    readTsvIfAny(path(folder, 'corrections.tsv'), CORRECTION).map((row) => [Number(row.geonameid), row]),
  )
  const dropped = new Set(readTsvIfAny(path(folder, 'dropped.tsv'), DROPPED).map((row) => Number(row.geonameid)))
  const ids = new Set(places.map((place) => place.id))
  const unknown = [...corrections.keys(), ...dropped].filter((id) => !ids.has(id))
  if (unknown.length > 0) throw new Error(`${folder}: GeoNames has no ${unknown.join(', ')}`)
  return places
    .filter((place) => !dropped.has(place.id))
    .map((place) => {
      const row = corrections.get(place.id)
      if (row === undefined) return place
      return {
        ...place,
        nombre: row.nombre || place.nombre,
        region: row.region || place.region,
        departamento: row.departamento || place.departamento,
        aliases: [...listed(row.aliases), ...place.aliases],
      }
    })
}

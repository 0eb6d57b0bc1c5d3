import { existsSync, readdirSync } from 'node:fs'
import { join as path } from 'node:path'
import type { Written } from './join.ts'
import { grouped, nameInRegion } from './place.ts'
import { listed, readTsv } from './tsv.ts'

const COLUMNS = ['departamento', 'nombre', 'poblacion', 'aliases', 'nota'] as const

/** The localities written by hand, one file per region: sources/AR/AR-B.tsv. */
export function readWritten(folder: string): Written[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => /^[A-Z]{2}-[A-Z0-9]+\.tsv$/.test(name))
  return files.sort().flatMap((file) => {
    const rows = readTsv(path(folder, file), COLUMNS).map((row) => ({ ...row, region: file.replace('.tsv', '') }))
    const isShared = (row: Row) => row.nota.startsWith('compartida con ')
    const shared = grouped(rows.filter(isShared), nameInRegion)
    return [...rows.filter((row) => !isShared(row)).map((row) => [row]), ...shared.values()].map(place)
  })
}

type Row = Record<(typeof COLUMNS)[number], string> & { region: string }

/** Merges rows that share a place: a town on the border of two partidos. */
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

import { fold, grouped, nameInRegion, type Place } from './place.ts'

/** A row that people or an authority wrote; what it says wins over GeoNames, what it leaves empty does not. */
export interface Written extends Place {
  /** The GeoNames place it is, where somebody said so. */
  geonames?: number
}

/** A pair that shares name and region but not the department: two places until somebody says they are one. */
export interface Doubt {
  written: Written
  known: Place
}

/** Lays written rows over known places; those that are nowhere yet are added. */
export function join(known: readonly Place[], rows: readonly Written[]): { places: Place[]; doubts: Doubt[] } {
  const places = [...known]
  const taken = new Set<number>()
  const doubts: Doubt[] = []
  const byName = grouped([...places.keys()], (at) => nameInRegion(places[at] as Place))
  const byId = new Map(places.flatMap((place, at) => (place.id === undefined ? [] : [[place.id, at] as const])))
  for (const row of rows) {
    const at = row.geonames === undefined ? find(row) : byId.get(row.geonames)
    const found = at === undefined ? undefined : places[at]
    if (row.geonames !== undefined && found === undefined)
      throw new Error(`${row.nombre}: there is no geonames:${row.geonames}`)
    if (at !== undefined && found !== undefined) {
      places[at] = overlay(found, row)
      taken.add(at)
    } else {
      const { geonames: _none, ...place } = row
      places.push(place)
    }
  }
  return { places, doubts }

  function find(row: Written): number | undefined {
    const free = (byName.get(nameInRegion(row)) ?? []).filter((at) => !taken.has(at))
    const same = free.find((at) => sameDepartment(places[at] as Place, row))
    if (same !== undefined) return same
    for (const at of free) doubts.push({ written: row, known: places[at] as Place })
    return undefined
  }
}

function sameDepartment(a: Place, b: Place): boolean {
  return a.departamento === '' || b.departamento === '' || fold(a.departamento) === fold(b.departamento)
}

function overlay(known: Place, row: Written): Place {
  return {
    ...known,
    nombre: row.nombre,
    region: row.region,
    departamento: row.departamento || known.departamento,
    poblacion: row.poblacion ?? known.poblacion,
    aliases: [...row.aliases, ...known.aliases],
  }
}

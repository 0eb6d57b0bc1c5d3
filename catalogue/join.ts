import { accented, fold, grouped, nameInRegion, type Place } from './place.ts'

/** A row written by hand or by an authority. Its values win over GeoNames; empty ones do not. */
export interface Written extends Place {
  /** The GeoNames id of the place, if given. */
  geonames?: number
}

/** A pair with the same name and region but different departments: two places until confirmed as one. */
export interface Doubt {
  written: Written
  known: Place
}

/**
 * Merges written rows into known places and adds new ones. A row matches a known place by its GeoNames id, or by name in the
 * same department, or by an alias there. All rows try the surer way before any tries the next, so that an earlier namesake
 * takes no other's place.
 */
export function join(known: readonly Place[], rows: readonly Written[]): { places: Place[]; doubts: Doubt[] } {
  const places = [...known]
  const byId = grouped(places, (place) => String(place.id))
  const byName = grouped(places, nameInRegion)
  const found = new Map<Written, Place>()
  const taken = new Set<Place>()
  const named = (row: Written, nombre: string) =>
    (byName.get(nameInRegion({ ...row, nombre })) ?? []).filter((place) => !taken.has(place))
  const ways: ((row: Written) => Place | undefined)[] = [
    (row) => (row.geonames === undefined ? undefined : byId.get(String(row.geonames))?.[0]),
    (row) => named(row, row.nombre).find((place) => sameDepartment(place, row)),
    (row) => row.aliases.flatMap((alias) => named(row, alias)).find((place) => sameDepartment(place, row)),
  ]
  for (const way of ways) {
    for (const row of rows) {
      const place = found.has(row) ? undefined : way(row)
      if (place === undefined) continue
      found.set(row, place)
      taken.add(place)
    }
  }
  const written = new Map([...found].map(([row, place]) => [place, row]))
  const added = rows.filter((row) => !found.has(row))
  const lost = added.find((row) => row.geonames !== undefined)
  if (lost !== undefined) throw new Error(`${lost.nombre} (${lost.region}): there is no geonames:${lost.geonames}`)
  return {
    places: [
      ...places.map((place) => overlay(place, written.get(place))),
      ...added.map(({ geonames: _, ...row }) => row),
    ],
    doubts: added.flatMap((row) => named(row, row.nombre).map((place) => ({ written: row, known: place }))),
  }
}

/** A place on the border of two partidos has both in its department, `Morón|Tres de Febrero`. */
function sameDepartment(a: Place, b: Place): boolean {
  if (a.departamento === '' || b.departamento === '') return true
  const ours = new Set(a.departamento.split('|').map(fold))
  return b.departamento.split('|').some((name) => ours.has(fold(name)))
}

/** The row's values win, except that accents of national lists are not trusted, since they drop them. */
function overlay(known: Place, row: Written | undefined): Place {
  if (row === undefined) return known
  return {
    ...known,
    nombre: row.fuente === 'rodado' ? row.nombre : accented(row.nombre, known.nombre),
    region: row.region,
    departamento: row.departamento || known.departamento,
    poblacion: row.poblacion ?? known.poblacion,
    aliases: [...row.aliases, ...known.aliases],
    // GeoNames' name becomes an alias, unless it is a misspelling that we corrected.
    alternates: [known.nombre, ...known.alternates],
  }
}

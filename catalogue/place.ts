/** A locality before it is numbered; it has an id only if GeoNames gave one. */
export interface Place {
  id?: number
  nombre: string
  /** ISO 3166-2 */
  region: string
  /** The level between region and locality: partido, departamento or comuna (AR), municipio (MX), provincia (CL, CO, PE). */
  departamento: string
  poblacion: number | undefined
  lat: string
  lon: string
  /** Confirmed aliases. */
  aliases: string[]
  /** GeoNames' alternates, of every language and age; few are used. */
  alternates: string[]
  fuente: string
}

/** A name for comparison: without accents, case or punctuation. */
export function fold(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, ' ').trim()
}

/** Equal for rows that may be the same place. */
export const nameInRegion = (place: Pick<Place, 'nombre' | 'region'>): string => `${place.region} ${fold(place.nombre)}`

/** The bare name of a second-level unit: "Partido de Zárate" is Zárate, "Rosario Department" Rosario. */
export function bareDepartment(name: string): string {
  return name
    .replace(/^(partido|departamento|municipio|provincia|cant[oó]n|distrito)( del?)? (?=\S{2})/i, '')
    .replace(/ (department|province|municipality|canton)$/i, '')
}

const accents = (name: string): number => name.length - name.replace(/[^ -~]/g, '').length

/** The spelling with the most accents: lists without accents have dropped them. */
export const accented = (name: string, other: string): string =>
  fold(name) === fold(other) && accents(other) > accents(name) ? other : name

/** Kilometres between two places; infinite where one has no coordinates. */
export function kilometresBetween(a: Pick<Place, 'lat' | 'lon'>, b: Pick<Place, 'lat' | 'lon'>): number {
  if (a.lat === '' || b.lat === '') return Number.POSITIVE_INFINITY
  const KM_PER_DEGREE = 111.2
  const north = Number(a.lat) - Number(b.lat)
  const east = (Number(a.lon) - Number(b.lon)) * Math.cos((Number(a.lat) * Math.PI) / 180)
  return Math.hypot(north, east) * KM_PER_DEGREE
}

/** Items under their key, in order (Map.groupBy, which Node 20 does not have). */
export function grouped<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}

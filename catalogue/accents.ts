import { accented, fold, type Place } from './place.ts'

/**
 * Departments and places that bear one name in one region ("Huanuco" in Huánuco, "Chepén" in Chepen) under one
 * spelling, the one with the accents.
 */
export function withAccents(places: readonly Place[]): Place[] {
  const best = new Map<string, string>()
  const key = (place: Place, name: string) => `${place.region} ${fold(name)}`
  for (const place of places) {
    for (const name of [place.nombre, place.departamento]) {
      best.set(key(place, name), accented(best.get(key(place, name)) ?? name, name))
    }
  }
  return places.map((place) => ({
    ...place,
    nombre: best.get(key(place, place.nombre)) ?? place.nombre,
    departamento: best.get(key(place, place.departamento)) ?? place.departamento,
  }))
}

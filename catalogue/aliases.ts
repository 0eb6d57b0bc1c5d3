import { fold, nameInRegion, type Place } from './place.ts'

const SPANISH = /^[A-ZÁÉÍÓÚÑÜ0-9][A-Za-zÁÉÍÓÚÑÜáéíóúñü0-9 .'-]+$/
const NOT_A_NAME =
  /\b(city|province|department|district|provincia|departamento|partido|municipio|aeropuerto|airport)\b/i
const CODE = /^[A-Z0-9]{2,5}$/

/**
 * The aliases a place ends with: all that somebody vouches for, and of GeoNames' alternates those that a Spanish
 * speaker may write and that lead nowhere else.
 */
export function withAliases(places: readonly Place[]): Place[] {
  const names = new Set(places.map((place) => fold(place.nombre)))
  const claims = new Map<string, number>()
  for (const place of places) {
    const keys = new Set([...place.aliases, ...place.alternates].map((nombre) => nameInRegion({ ...place, nombre })))
    for (const key of keys) claims.set(key, (claims.get(key) ?? 0) + 1)
  }
  return places.map((place) => {
    const leadsHereOnly = (nombre: string) =>
      !names.has(fold(nombre)) && claims.get(nameInRegion({ ...place, nombre })) === 1
    const alternates = place.alternates.filter((name) => isSpanish(name, place.nombre) && leadsHereOnly(name))
    return { ...place, aliases: distinct([...place.aliases, ...alternates], place.nombre) }
  })
}

/**
 * Whether an alternate name, which carries no language, is likely ours: in our letters, and sharing a word with the
 * name or being several words. A lone unrelated word is nearly always a transliteration ("Sarate" for Zárate).
 */
function isSpanish(alternate: string, name: string): boolean {
  if (!SPANISH.test(alternate) || CODE.test(alternate) || NOT_A_NAME.test(alternate)) return false
  const own = new Set(
    fold(name)
      .split(' ')
      .filter((word) => word.length > 3),
  )
  const words = fold(alternate).split(' ')
  return words.length > 1 || words.some((word) => own.has(word))
}

function distinct(aliases: readonly string[], name: string): string[] {
  const seen = new Set([fold(name), ''])
  return aliases.filter((alias) => {
    const isNew = !seen.has(fold(alias))
    seen.add(fold(alias))
    return isNew
  })
}

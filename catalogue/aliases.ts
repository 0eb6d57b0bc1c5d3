import { accented, fold, nameInRegion, type Place } from './place.ts'

const SPANISH = /^[A-ZÁÉÍÓÚÑÜ0-9][A-Za-zÁÉÍÓÚÑÜáéíóúñü0-9 -]+$/
const CODE = /^[A-Z0-9]{2,5}$/
/** Words of units and of other languages, and characters that Spanish has only in foreign names. */
const NOT_A_NAME =
  /\b(city|province|department|district|municipality|provincia|departamento|partido|municipio|regio|corregimiento|caserio|aeropuerto|airport)\b/
const FOREIGN =
  /\b(sanctus|sancta|urbs|portus|llaqta|urqu|megye|khot|shaary|lungsod|lalawigan|opstina|altepetl|byen|by|i|ti|ng|nte|do|du|das|des|vila|ciuda|cidade|ciutat|cita|citta|the|of|saint|stad)\b/
const TRANSLITERATED = /[kw]|[bcdfglmnprstvz]j|ehl?\b|oue|ou/
/** A closer alternate is a typo or transliteration, which the matcher handles anyway. */
const NEAR_EDITS = 2

/**
 * The aliases of a place: all confirmed ones, and of GeoNames' alternates those that a Spanish speaker may write and that mean
 * no other place.
 */
export function withAliases(places: readonly Place[], unwanted: (place: Place, alias: string) => boolean): Place[] {
  const names = new Set(places.map((place) => fold(place.nombre)))
  const claims = new Map<string, number>()
  for (const place of places) {
    const keys = new Set([...place.aliases, ...place.alternates].map((nombre) => nameInRegion({ ...place, nombre })))
    for (const key of keys) claims.set(key, (claims.get(key) ?? 0) + 1)
  }
  return places.map((place) => {
    const leadsHereOnly = (nombre: string) =>
      !names.has(fold(nombre)) && claims.get(nameInRegion({ ...place, nombre })) === 1
    const alternates = place.alternates.filter(
      (name) => isOurs(name, place.nombre) && leadsHereOnly(name) && !unwanted(place, name),
    )
    return { ...place, aliases: distinct([...place.aliases, ...alternates], place.nombre) }
  })
}

/**
 * True if an alternate name, which has no language, is likely Spanish: it uses Spanish characters and words, and shares a word
 * with the name. Others are nearly always transliterations ("Sarate" for Zárate) or obsolete.
 */
function isOurs(alternate: string, name: string): boolean {
  const [key, own] = [fold(alternate), fold(name)]
  if (!SPANISH.test(alternate) || CODE.test(alternate) || NOT_A_NAME.test(key) || FOREIGN.test(key)) return false
  if (TRANSLITERATED.test(key) && !TRANSLITERATED.test(own)) return false
  const ownWords = new Set(own.split(' ').filter((word) => word.length > 3))
  return key.split(' ').some((word) => ownWords.has(word)) && edits(key, own) > NEAR_EDITS
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const [left = 0, up = 0, corner = 0] = [next[j], row[j + 1], row[j]]
      next.push(Math.min(left + 1, up + 1, corner + (char === other ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Each alias once, in order, in the spelling with accents. */
function distinct(aliases: readonly string[], name: string): string[] {
  const byKey = new Map<string, string>()
  for (const alias of aliases) byKey.set(fold(alias), accented(byKey.get(fold(alias)) ?? alias, alias))
  byKey.delete(fold(name))
  byKey.delete('')
  return [...byKey.values()]
}

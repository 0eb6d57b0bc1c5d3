import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { MAX_PLACE_CHARACTERS } from '../../resources/agencias/place.ts'
import { citySuggester } from '../suggestions/routes.tsx'
import type { WrittenPlace } from './values.ts'

/** What the fields of a place offer before anybody types: the regions, and the cities of the one that is chosen. */
export type PlaceChoices = (place: WrittenPlace) => { regions: readonly string[]; cities: readonly Ciudad[] }

export function placeChoices(catalogue: Catalogue, matcher: Matcher): PlaceChoices {
  const suggest = citySuggester(catalogue, matcher)
  const names = catalogue.regiones.map(({ nombre }) => nombre)
  return ({ Region }) => ({
    // One that the catalogue has lost stays what it is until somebody chooses another.
    regions: Region && !names.includes(Region) ? [Region, ...names] : names,
    cities: Region.length > MAX_PLACE_CHARACTERS ? [] : suggest(Region, ''),
  })
}

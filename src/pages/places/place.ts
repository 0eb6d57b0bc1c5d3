import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Errors } from '../../http/problems.ts'
import { MAX_PLACE_CHARACTERS } from '../../resources/agencias/place.ts'
import { citySuggester } from '../suggestions/routes.tsx'

/** A region and a city as shown in their fields. */
export interface WrittenPlace {
  Region: string
  Ciudad: string
}

/** A city that may be meant: a reference, as bestmatch gives it; of score 1 where it certainly is the one of that name. */
export interface Candidate {
  href: string
  title: string
  Score?: number
}

/** What was posted; a candidate that was chosen brings its region with it. */
export function withChosen<V extends WrittenPlace>(values: V, { ciudades }: Catalogue): V {
  const chosen = chosenCity(values.Ciudad, ciudades)
  return chosen ? { ...values, Region: chosen.region.nombre } : values
}

/** What was posted as it is shown again: names instead of references, the region as the list spells it. */
export function placeAgain<V extends WrittenPlace>(values: V, { ciudades }: Catalogue, matcher: Matcher): V {
  const region = values.Region.length > MAX_PLACE_CHARACTERS ? undefined : matcher.region(values.Region)
  return {
    ...values,
    Region: region?.kind === 'match' ? region.entry.nombre : '',
    Ciudad: chosenCity(values.Ciudad, ciudades)?.nombre ?? values.Ciudad,
  }
}

function chosenCity(written: string, ciudades: readonly Ciudad[]): Ciudad | undefined {
  const id = Number(/^\/v3\/ciudades\/(\d{1,10})$/.exec(written)?.[1])
  return Number.isNaN(id) ? undefined : ciudades.find((city) => city.id === id)
}

/** The errors of bestmatch, for people. */
export function placeForPeople(errors: Errors, place: WrittenPlace, candidates: readonly Candidate[]): Errors {
  const { Region, Ciudad } = place
  return {
    ...errors,
    ...(errors.Ciudad && { Ciudad: [cityFault(place, candidates)] }),
    ...(errors.Region && {
      Region: [
        Ciudad && !Region ? 'Elija también la provincia: hay ciudades con el mismo nombre.' : 'Elíjala de la lista.',
      ],
    }),
  }
}

function cityFault({ Region, Ciudad }: WrittenPlace, candidates: readonly Candidate[]): string {
  if (Ciudad.length > MAX_PLACE_CHARACTERS) return `Puede tener hasta ${MAX_PLACE_CHARACTERS} caracteres.`
  const where = Region || 'esa provincia'
  const [only, another] = candidates
  if (only && !another && only.Score === 1) return `No está en ${where}: ${only.title}. Confírmela abajo, o corríjala.`
  const near = only ? 'Elija una de las de abajo' : 'Revise cómo se escribe'
  return `No encontramos «${Ciudad}» en ${where}. ${near}, o ponga la ciudad más cercana.`
}

/** What the fields of a place offer before anybody types: the regions, and the cities of the one that is chosen. */
type PlaceChoices = (place: WrittenPlace) => { regions: readonly string[]; cities: readonly Ciudad[] }

export function placeChoices(catalogue: Catalogue, matcher: Matcher): PlaceChoices {
  const suggest = citySuggester(catalogue, matcher)
  const names = catalogue.regiones.map(({ nombre }) => nombre)
  return ({ Region }) => ({
    // One that the catalogue has lost stays what it is until somebody chooses another.
    regions: Region && !names.includes(Region) ? [Region, ...names] : names,
    cities: Region.length > MAX_PLACE_CHARACTERS ? [] : suggest(Region, ''),
  })
}

import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Errors } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { MAX_PLACE_CHARACTERS } from '../../resources/agencias/place.ts'
import { citySuggester } from '../sugerencias/routes.tsx'

/** A region and a city as shown in their fields. */
export interface WrittenPlace {
  Region: string
  Ciudad: string
}

/** A city that may be meant: a reference, as bestmatch gives it; of score 1 where it certainly is the one of that name. */
export interface NearPlace {
  href: string
  title: string
  Score?: number
}

/** Reads the forms that have a region and a city, and says what they show. */
export function placeForms({ ciudades, regiones }: Catalogue, matcher: Matcher) {
  const suggest = citySuggester(ciudades, matcher)
  const names = regiones.map(({ nombre }) => nombre)

  function chosenCity(written: string): Ciudad | undefined {
    const id = Number(/^\/v3\/ciudades\/(\d{1,10})$/.exec(written)?.[1])
    return Number.isNaN(id) ? undefined : ciudades.find((city) => city.id === id)
  }

  /** What was posted as it is shown again: a name instead of a reference. */
  const redisplay = <V extends WrittenPlace>(values: V): V => ({
    ...values,
    Ciudad: chosenCity(values.Ciudad)?.nombre ?? values.Ciudad,
  })

  /** The region as the list spells it; none where the list has none like it. */
  function listedRegion({ Region }: WrittenPlace): string {
    const region = Region.length > MAX_PLACE_CHARACTERS ? undefined : matcher.region(Region)
    return region?.kind === 'match' ? region.entry.nombre : ''
  }

  return {
    redisplay,
    /** What was posted; a candidate that was chosen brings its region with it. */
    posted<V extends WrittenPlace>(values: V): V {
      const chosen = chosenCity(values.Ciudad)
      return chosen ? { ...values, Region: chosen.region.nombre } : values
    },
    /** A form that was refused, as it is shown again. */
    refused<V extends WrittenPlace>(given: V, fault: { errors: Errors; candidates: readonly unknown[] }) {
      const isWrong = fault.errors.Region || fault.errors.Ciudad
      const values = { ...redisplay(given), Region: listedRegion(given) || (isWrong ? '' : given.Region) }
      const candidates = fault.errors.Ciudad ? (fault.candidates as NearPlace[]) : []
      return { values, candidates, errors: placeForPeople(fault.errors, values, candidates) }
    },
    /** What the fields offer before anybody types: the regions, and the cities of the one that is chosen. */
    choices: ({ Region }: WrittenPlace): { regions: readonly string[]; cities: readonly Ciudad[] } => ({
      // One that the catalogue has lost stays what it is until somebody chooses another.
      regions: Region && !names.includes(Region) ? [Region, ...names] : names,
      cities: Region.length > MAX_PLACE_CHARACTERS ? [] : suggest(Region, ''),
    }),
  }
}

function placeForPeople(errors: Errors, place: WrittenPlace, candidates: readonly NearPlace[]): Errors {
  const { Region, Ciudad } = place
  return {
    ...errors,
    ...(errors.Ciudad && { Ciudad: [cityFault(place, candidates)] }),
    ...(errors.Region && {
      Region: [Ciudad && !Region ? t('comun.place.regionNeeded') : t('comun.place.chooseFromList')],
    }),
  }
}

function cityFault({ Region, Ciudad }: WrittenPlace, candidates: readonly NearPlace[]): string {
  if (Ciudad.length > MAX_PLACE_CHARACTERS) return t('comun.field.tooLong', { max: MAX_PLACE_CHARACTERS })
  const region = Region || t('comun.place.thatRegion')
  const [only, another] = candidates
  if (only && !another && only.Score === 1) return t('comun.place.elsewhere', { region, place: only.title })
  return t(only ? 'comun.place.chooseNear' : 'comun.place.unknown', { city: Ciudad, region })
}

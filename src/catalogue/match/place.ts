import type { Lexicon } from '../lexicon.ts'
import type { Written } from './align.ts'
import { LIGHT } from './names.ts'
import { type Word, words } from './words.ts'

/** What a word of a place does there; noise and free words need not be explained by the city found. */
export type Role = 'plain' | 'light' | 'noise' | 'free'

export interface PlaceWord extends Written {
  readonly role: Role
  readonly points: Pointer
}

/** Where a word of a place points: to the district it names, or to those of the places it names. */
export interface Pointer {
  readonly district?: string
  readonly near?: readonly string[]
}

/** What surrounds a city's name in one region: the names of the region, of its districts and of its other places. */
export interface Surroundings {
  readonly isRegion: (key: string) => boolean
  /** Where a name points; undefined when it is none of the region's. */
  readonly pointer: (key: string) => Pointer | undefined
}

const LONGEST_RUN = 6
const POSTAL_CODE = /^[0-9]{4,5}$/
const POSTAL_PREFIX = /^(?:cp|c|p|[a-z])$/

/** Reads a city field: which words may name the city, and which are province, district or filler; no postal code. */
export function readPlace(value: string, around: Surroundings, lexicon: Lexicon): PlaceWord[] {
  const noise = lexicon.noise.get('place')
  const expansions = lexicon.expansions.get('place')
  const read = withoutPostalCode(words(value)).map((word) => ({
    ...word,
    expansions: expansions?.get(word.text) ?? NO_EXPANSIONS,
  }))
  const roles = read.map((word): Role => {
    if (LIGHT.has(word.text)) return 'light'
    return noise?.get('filler')?.has(word.text) ? 'noise' : 'plain'
  })
  const points = read.map(() => NOWHERE)
  markRuns(read, around.pointer, (at, found) => {
    points[at] = found
  })
  markRuns(read, around.isRegion, (at) => {
    roles[at] = 'noise'
  })
  markFree(read, roles, noise?.get('marker') ?? new Set())
  return read.map(({ text, expansions }, at) => {
    return { text, expansions, role: roles[at] as Role, points: points[at] as Pointer }
  })
}

export const NOWHERE: Pointer = {}
const NO_EXPANSIONS: readonly string[] = []

function withoutPostalCode(read: readonly Word[]): Word[] {
  return read.filter(({ text }, at) => {
    if (POSTAL_CODE.test(text)) return false
    const next = read[at + 1]?.text ?? ''
    const afterNext = read[at + 2]?.text ?? ''
    return !(
      POSTAL_PREFIX.test(text) &&
      (POSTAL_CODE.test(next) || (text === 'c' && next === 'p' && POSTAL_CODE.test(afterNext)))
    )
  })
}

type Read = readonly (Written & { readonly segment: number })[]

/** Marks the longest runs of words whose letters, written or expanded, are known. */
function markRuns<T>(
  read: Read,
  known: (key: string) => T | undefined | false,
  mark: (at: number, found: T) => void,
): void {
  for (let start = 0; start < read.length; start++) {
    for (let end = Math.min(read.length, start + LONGEST_RUN); end > start; end--) {
      const found = known(written(read, start, end)) || known(expanded(read, start, end))
      if (!found) continue
      for (let at = start; at < end; at++) mark(at, found)
      start = end - 1
      break
    }
  }
}

function written(read: Read, start: number, end: number): string {
  let key = ''
  for (let at = start; at < end; at++) key += read[at]?.text
  return key
}

function expanded(read: Read, start: number, end: number): string {
  let key = ''
  for (let at = start; at < end; at++) key += read[at]?.expansions[0] ?? read[at]?.text
  return key
}

/** After "barrio", "country", "dist." come names that are no cities: free until the segment ends. */
function markFree(read: Read, roles: Role[], markers: ReadonlySet<string>): void {
  let freeSegment = -1
  read.forEach((word, at) => {
    if (markers.has(word.text) && read.length > 1) {
      freeSegment = word.segment
      roles[at] = 'noise'
    } else if (word.segment === freeSegment && roles[at] === 'plain') {
      roles[at] = 'free'
    }
  })
}

import type { Lexicon } from '../lexicon.ts'
import { MAX_WORDS, type Written } from './align.ts'
import { LIGHT } from './names.ts'
import type { Weigh } from './towns.ts'
import { type Word, words } from './words.ts'

/** What a word of a place does there; noise and free words need not be explained by the city found. */
type Role = 'plain' | 'light' | 'noise' | 'free'

export interface PlaceWord extends Written {
  readonly role: Role
  /** How much it speaks against a city that does not explain it. */
  readonly weight: number
  readonly points: Pointer
}

/** Where a word of a place points: to the district it names, or to those of the places it names. */
export interface Pointer {
  readonly district?: string
  readonly near?: readonly string[]
}

export const NOWHERE: Pointer = {}

/** What surrounds a city's name in one region: the names of the region, of its districts and of its other places. */
export interface RegionContext {
  readonly isRegion: (key: string) => boolean
  /** Where a name points; undefined when it is none of the region's. */
  readonly pointer: (key: string) => Pointer | undefined
  readonly weigh: Weigh
}

const MAX_RUN_WORDS = 5
const POSTAL_CODE = /^[0-9]{4,5}$/
const POSTAL_PREFIX = /^(?:cp|[a-z])$/
const UNKNOWN_WEIGHT = 1
const LETTER_WEIGHT = 0.25
const DIGITS_WEIGHT = 0.3
const LIGHT_WEIGHT = 0.05
const NO_EXPANSIONS: readonly string[] = []

type Read = readonly (Written & { readonly segment: number })[]

/** Reads a city field: which words may name the city, and which are province, district or filler; no postal code. */
export function readPlaceWords(value: string, around: RegionContext, lexicon: Lexicon): PlaceWord[] {
  const { expansions, filler, marker, numbers } = lexicon
  const read = withoutPostalCode(words(value).slice(0, MAX_WORDS)).map(({ text, segment }) => {
    return {
      text,
      segment,
      expansions: expansions.get(text) ?? NO_EXPANSIONS,
      number: numbers.has(text) || /^[0-9]+$/.test(text),
    }
  })
  const roles = read.map((word): Role => (LIGHT.has(word.text) ? 'light' : filler.has(word.text) ? 'noise' : 'plain'))
  const points = read.map(() => NOWHERE)
  markRuns(read, around.pointer, (at, found) => {
    points[at] = found
  })
  markRuns(read, around.isRegion, (at) => {
    roles[at] = 'noise'
  })
  markFree(read, roles, marker)
  return read.map(({ text, expansions, number }, at) => {
    const role = roles[at] as Role
    const weight = weightOf(text, role, around.weigh)
    return { text, expansions, number, role, weight, points: points[at] as Pointer }
  })
}

function weightOf(text: string, role: Role, weigh: Weigh): number {
  if (role === 'noise' || role === 'free') return 0
  if (role === 'light') return LIGHT_WEIGHT
  if (text.length === 1) return LETTER_WEIGHT
  return weigh(text) ?? (/^[0-9]+$/.test(text) ? DIGITS_WEIGHT : UNKNOWN_WEIGHT)
}

function withoutPostalCode(read: readonly Word[]): readonly Word[] {
  if (!read.some(({ text }) => POSTAL_CODE.test(text))) return read
  const isCode = (at: number) => POSTAL_CODE.test(read[at]?.text ?? '')
  return read.filter(({ text }, at) => {
    const spelled = text === 'c' && read[at + 1]?.text === 'p' && isCode(at + 2) // "C.P. 7200"
    return !isCode(at) && !spelled && !(POSTAL_PREFIX.test(text) && isCode(at + 1))
  })
}

/** Marks the longest runs of words whose letters, written or expanded, are known. */
function markRuns<T>(
  read: Read,
  known: (key: string) => T | undefined | false,
  mark: (at: number, found: T) => void,
): void {
  for (let start = 0; start < read.length; start++) {
    for (let end = Math.min(read.length, start + MAX_RUN_WORDS); end > start; end--) {
      const found = known(keyOf(read, start, end, writtenForm)) || known(keyOf(read, start, end, expandedForm))
      if (!found) continue
      for (let at = start; at < end; at++) mark(at, found)
      start = end - 1
      break
    }
  }
}

const writtenForm = ({ text }: Written): string => text
const expandedForm = ({ text, expansions }: Written): string => expansions[0] ?? text

function keyOf(read: Read, start: number, end: number, form: (word: Written) => string): string {
  let key = ''
  for (let at = start; at < end; at++) key += form(read[at] as Written)
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

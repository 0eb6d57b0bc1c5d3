import { fold } from '../text.ts'
import { LOST } from './distance.ts'

/** A word as it stands in a value: folded, with the segment (between commas, dashes, brackets …) it belongs to. */
export interface Word {
  readonly text: string
  readonly segment: number
}

const SEPARATORS = new Set(',;:/|()[]{}<>*"\n–—-')
const LETTER = /\p{L}/u
const MARKED = /(^|[^\p{L}])([bdv])[º°ª]/giu
const MARKED_MEANS: Record<string, string> = { b: ' barrio ', d: ' departamento ', v: ' villa ' }
/** Most values are plain letters, figures and common signs: they need no more than lower case. */
const PLAIN = /^[a-zA-Z0-9 .,;:()/_*-]*$/

/** Splits a value into folded words; digits part from letters ("sedan5ptas"), separators start a new segment. */
export function words(value: string): Word[] {
  const text = normalise(value)
  const found: Word[] = []
  let segment = 0
  let start = 0
  let kind = OTHER
  for (let at = 0; at <= text.length; at++) {
    const next = at < text.length ? kindOf(text, at) : OTHER
    if (next === kind) {
      if (kind === OTHER && SEPARATORS.has(text.charAt(at))) segment++
      continue
    }
    if (kind !== OTHER && (at - start > 1 || text[start] !== LOST)) found.push({ text: text.slice(start, at), segment })
    if (next === OTHER && SEPARATORS.has(text.charAt(at))) segment++
    start = at
    kind = next
  }
  return found
}

/** The letters and digits of a value alone: "Land-Rover", "LandRover" and "land  rover" are one. */
export function compact(value: string): string {
  const text = normalise(value)
  let key = ''
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && kindOf(text, at) !== OTHER) continue
    if (at > start) key += text.slice(start, at)
    start = at + 1
  }
  return key
}

const OTHER = 0
const LETTERS = 1
const DIGITS = 2

function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if ((code >= 97 && code <= 122) || code === 63) return LETTERS // a to z, and a lost char
  if (code >= 48 && code <= 57) return DIGITS
  if (code < 128) return OTHER
  return LETTER.test(text.charAt(at)) ? LETTERS : OTHER
}

function normalise(value: string): string {
  if (PLAIN.test(value)) return value.toLowerCase()
  const spelled = value.replace(MARKED, (_, before, char) => before + MARKED_MEANS[char.toLowerCase()])
  return fold(spelled)
    .replace(/\uFFFD/g, LOST)
    .replace(/(?<![\p{L}?])\?+(?![\p{L}?])/gu, ' ')
    .replace(/['’`´]/g, '')
}

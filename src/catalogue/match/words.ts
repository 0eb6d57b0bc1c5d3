import { fold } from '../text.ts'
import { LOST } from './distance.ts'

/** A word as it stands in a value: folded, with the segment (between commas, dashes, brackets …) it belongs to. */
export interface Word {
  readonly text: string
  readonly segment: number
}

const MARKED = /(^|[^\p{L}])([bdv])[º°ª]/giu
const MARKED_MEANS: Record<string, string> = { b: ' barrio ', d: ' departamento ', v: ' villa ' }
const PIECES = /[\p{L}?]+|[0-9]+|[,;:/|()[\]{}<>*"\n–—-]/gu
const SEPARATOR = /^[,;:/|()[\]{}<>*"\n–—-]$/

/** Splits a value into folded words; digits part from letters ("sedan5ptas"), separators start a new segment. */
export function words(value: string): Word[] {
  const found: Word[] = []
  let segment = 0
  for (const [piece] of normalise(value).matchAll(PIECES)) {
    if (SEPARATOR.test(piece)) segment++
    else if (piece !== LOST) found.push({ text: piece, segment })
  }
  return found
}

/** The letters and digits of a value alone: "Land-Rover", "LandRover" and "land  rover" are one. */
export function compact(value: string): string {
  return normalise(value).replace(NOT_WORD, '')
}

/** Most values are plain letters, figures and common signs: they need no more than lower case. */
const PLAIN = /^[a-zA-Z0-9 .,;:()/_*-]*$/
const NOT_WORD = /[^\p{L}0-9?]+/gu

function normalise(value: string): string {
  if (PLAIN.test(value)) return value.toLowerCase()
  const spelled = value.replace(MARKED, (_, before, letter) => before + MARKED_MEANS[letter.toLowerCase()])
  return fold(spelled)
    .replace(/\uFFFD/g, LOST)
    .replace(/(?<![\p{L}?])\?+(?![\p{L}?])/gu, ' ')
    .replace(/['’`´]/g, '')
}

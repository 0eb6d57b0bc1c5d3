import { distance } from './distance.ts'

/** How sure it is that a written word stands for a known one; 1: it is the same. */
export const EXPANDED = 0.97
export const SOUNDS_ALIKE = 0.93
export const PREFIX_LONG = 0.88
export const PREFIX_SHORT = 0.8
export const SKELETON = 0.62 // too little by itself: another word must agree

/** The most edits that any two words are compared over. */
export const FARTHEST = 3
const MIN_SIMILAR_LENGTH = 3
const MIN_SOUND_LENGTH = 3
const MAX_SKELETON_LENGTH = 5
const SKELETON_PART = 0.65 // an abbreviation leaves out a third of the word at least

/** How many edits a written word may be away from a known one and still mean it; 0 if none. */
export function editLimit(written: number, known: number): number {
  if (written === MIN_SIMILAR_LENGTH) return known === written + 1 ? 1 : 0 // "Jep": a char was lost, none is another
  const length = Math.max(written, known)
  if (written < MIN_SIMILAR_LENGTH || length < 4) return 0
  if (length === 4) return 0.8 // a slip of the finger, not another char
  if (length === 5) return 1.1
  if (length < 8) return 1.6
  return length < 12 ? 2.2 : FARTHEST
}

/** What a number of edits leaves of the likeness of a word. */
export function likenessOf(cost: number, length: number): number {
  return Math.max(0, 1 - cost / (length + 1))
}

/** A word with how it sounds. */
interface Heard {
  readonly text: string
  readonly sound: string
}

/** How like a known word a written one is, by its letters or by its sound; 0 beyond the limit. */
export function wordLikeness(written: Heard, known: Heard, limit: number): number {
  const cost = distance(known.text, written.text, limit)
  const near = cost > limit ? 0 : likenessOf(cost, written.text.length)
  if (written.sound === known.sound && written.sound.length >= MIN_SOUND_LENGTH) return Math.max(SOUNDS_ALIKE, near)
  return written.text.length === MIN_SIMILAR_LENGTH ? Math.min(near, SKELETON) : near
}

/** Whether letters are what an abbreviation leaves of a word: its first, its last and some between ("Fcio", "Gdor"). */
export function isSkeleton(letters: string, word: string): boolean {
  if (letters.length > MAX_SKELETON_LENGTH || letters.length > word.length * SKELETON_PART) return false
  if (letters.at(-1) !== word.at(-1)) return false
  let at = 0
  for (const char of letters) {
    at = word.indexOf(char, at) + 1
    if (at === 0) return false
  }
  return true
}

/** How a folded word sounds to a Spanish ear: words that sound alike are often written for one another. */
export function sound(word: string): string {
  let heard = ''
  let last = ''
  for (let at = 0; at < word.length; at++) {
    const char = word.charAt(at)
    const next = word.charAt(at + 1)
    const after = word.charAt(at + 2)
    const softens = next === 'e' || next === 'i' || next === 'y'
    const silentU = next === 'u' && (after === 'e' || after === 'i')
    const beginsHue = at === 0 && next === 'u' && (after === 'a' || after === 'e' || after === 'i') // like "güe"
    let here = char
    if (char === 'h') here = beginsHue ? 'g' : ''
    else if (char === 'c') here = next === 'h' ? CH : softens ? 's' : 'k'
    else if (char === 'p') here = next === 'h' ? 'f' : 'p'
    else if (char === 'q') here = 'k'
    else if (char === 'g') here = softens ? 'j' : 'g'
    else if (char === 'l') here = next === 'l' ? 'y' : 'l'
    else if (char === 'y') here = next !== '' && 'aeou'.includes(next) ? 'y' : 'i'
    else if (char === 'n') here = next === 'b' || next === 'v' || next === 'p' ? 'm' : 'n'
    else here = SAME_SOUND[char] ?? char
    if ((char === 'c' && next === 'h') || (char === 'l' && next === 'l')) at++
    else if ((char === 'q' || char === 'g') && silentU) at++
    if (here === last) continue
    heard += here
    if (here) last = here
  }
  return heard
}

const CH = '1' // one sound, two letters
const SAME_SOUND: Record<string, string> = { x: 'j', z: 's', v: 'b', w: 'u' }

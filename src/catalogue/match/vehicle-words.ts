import { fold } from '../text.ts'
import { LOST } from './distance.ts'

/** A decimal is one word: in "Mazda 3 1.6" there is no Mazda 6. */
const WORD = /\d+(?:[.,]\d{1,2}(?!\d))?|[\p{L}?]+|\+/gu
const MAX_WORDS = 24

/** Splits what dealers write for a model; digits part from letters ("208GT", "S10"), `+` is a word ("206+"). */
export function vehicleWords(text: string): string[] {
  const folded = fold(text)
    .replace(/�/g, LOST)
    .replace(/['’`´]/g, '')
  const found = folded.match(WORD) ?? []
  return found.slice(0, MAX_WORDS).map((word) => (word === '+' ? 'plus' : word.replace(',', '.')))
}

/** Units that make a specification of the number before them, with the numbers that they go with. */
const UNITS: Record<string, (count: number) => boolean> = {}
for (const unit of ['p', 'pt', 'pts', 'pta', 'ptas', 'puerta', 'puertas', 'portas'])
  UNITS[unit] = (n) => n >= 2 && n <= 5
for (const unit of ['v', 'valvulas']) UNITS[unit] = (n) => n >= 8 && n <= 48
for (const unit of ['cv', 'hp', 'ps']) UNITS[unit] = (n) => n >= 20
for (const unit of ['as', 'asientos', 'pas', 'pasajeros', 'plazas']) UNITS[unit] = (n) => n >= 2 && n <= 60
for (const unit of ['mt', 'at', 'ma', 'vel', 'velocidades', 'marchas']) UNITS[unit] = (n) => n >= 3 && n <= 10
for (const unit of ['km', 'kms']) UNITS[unit] = () => true
UNITS.cc = (n) => n >= 600 // a Peugeot 206 CC is none

const DECIMAL = /^\d+\.\d+$/
const NUMBER = /^\d+$/

/** The words without engine, doors, seats and traction, which would otherwise pass for models: "5 puertas" is no Renault 5. */
export function withoutSpecifications(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const next = words[at + 1] ?? ''
    const after = words[at + 2] ?? ''
    if (DECIMAL.test(word)) continue
    if (NUMBER.test(word)) {
      if (next === 'x' && NUMBER.test(after)) {
        at += 2
        continue
      }
      if (UNITS[next]?.(Number(word))) {
        at += 1
        continue
      }
    }
    kept.push(word)
  }
  return kept
}

import type { Layers } from './layers.ts'
import { fold } from './text.ts'

/** The kinds of values that people write, each with its own vocabulary. */
export type Kind = 'place' | 'make' | 'model' | 'bodystyle' | 'colour'

/** What bestmatch knows about the way people write, beyond the names of the entries. */
export interface Lexicon {
  /** Abbreviations and foreign words with what they may stand for: `pte` is presidente or puente. */
  readonly expansions: ReadonlyMap<Kind, ReadonlyMap<string, readonly string[]>>
  /** Words by the role they play around a name: fillers to skip, values that say nothing, names from elsewhere. */
  readonly noise: ReadonlyMap<Kind, ReadonlyMap<NoiseRole, ReadonlySet<string>>>
  /** Numbers in words and Roman figures, as they stand in names of places: once, tercero, iv. */
  readonly numbers: ReadonlySet<string>
}

const NOISE_ROLES = ['filler', 'marker', 'nonsense', 'foreign'] as const
type NoiseRole = (typeof NOISE_ROLES)[number]
const KINDS: readonly Kind[] = ['place', 'make', 'model', 'bodystyle', 'colour']

/** Reads the knowledge files; `*` as kind means every kind. */
export function loadLexicon(layers: Layers): Lexicon {
  const expansions = new Map(KINDS.map((kind) => [kind, new Map<string, string[]>()]))
  for (const row of layers.knowledge('abbreviations.tsv')) {
    const means = row.list('means').map(fold)
    for (const kind of kindsOf(layers, row.cell('kind'), row.file, row.line)) {
      for (const written of row.list('written')) expansions.get(kind)?.set(fold(written), means)
    }
  }
  const noise = new Map(KINDS.map((kind) => [kind, new Map(NOISE_ROLES.map((role) => [role, new Set<string>()]))]))
  for (const row of layers.knowledge('noise.tsv')) {
    const role = NOISE_ROLES.find((known) => known === row.cell('role'))
    if (!role) {
      layers.fault(row, `role ${row.cell('role')} is not one of ${NOISE_ROLES.join(', ')}`)
      continue
    }
    for (const kind of kindsOf(layers, row.cell('kind'), row.file, row.line)) {
      for (const word of row.list('words')) noise.get(kind)?.get(role)?.add(fold(word))
    }
  }
  return { expansions, noise, numbers: numbersOf(expansions.get('place') ?? new Map()) }
}

/** A number is what figures may stand for, what may stand for figures, and what stands for nothing but numbers. */
function numbersOf(expansions: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const isFigure = (word: string) => /^[0-9]+$/.test(word)
  const numbers = new Set<string>()
  for (const [written, means] of expansions) {
    if (isFigure(written)) for (const word of means) numbers.add(word)
    if (means.some(isFigure)) numbers.add(written)
  }
  for (const [written, means] of expansions) if (means.every((word) => numbers.has(word))) numbers.add(written)
  return numbers
}

function kindsOf(layers: Layers, kind: string, file: string, line: number): readonly Kind[] {
  if (kind === '*') return KINDS
  const known = KINDS.find((name) => name === kind)
  if (!known) layers.faults.push(`${file}:${line}: kind ${kind} is not one of *, ${KINDS.join(', ')}`)
  return known ? [known] : []
}

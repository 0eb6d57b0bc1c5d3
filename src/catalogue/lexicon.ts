import type { Layers } from './layers.ts'
import { fold } from './text.ts'
import type { Row } from './tsv.ts'

/** The kinds of values that people write, each with its own vocabulary. */
const KINDS = ['place', 'make', 'model', 'bodystyle', 'colour'] as const
export type Kind = (typeof KINDS)[number]

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

/** Reads the knowledge files; `*` as kind means every kind. */
export function loadLexicon(layers: Layers): Lexicon {
  const expansions = new Map(KINDS.map((kind) => [kind, new Map<string, string[]>()]))
  for (const row of layers.knowledge('abbreviations.tsv')) {
    const means = row.list('means').map(fold)
    for (const kind of kindsOf(row)) {
      for (const written of row.list('written')) expansions.get(kind)?.set(fold(written), means)
    }
  }
  const noise = new Map(KINDS.map((kind) => [kind, new Map(NOISE_ROLES.map((role) => [role, new Set<string>()]))]))
  for (const row of layers.knowledge('noise.tsv')) {
    const role = row.choice('role', NOISE_ROLES)
    if (!role) continue
    for (const kind of kindsOf(row)) {
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

function kindsOf(row: Row): readonly Kind[] {
  const kind = row.choice('kind', ['*', ...KINDS])
  return kind === '*' ? KINDS : kind ? [kind] : []
}

import type { Layers } from './layers.ts'
import { fold } from './text.ts'
import type { Row } from './tsv.ts'

/** The kinds of values that people write, each with its own vocabulary. */
const KINDS = ['place', 'make', 'model', 'bodystyle', 'colour'] as const
export type Kind = (typeof KINDS)[number]

const NOISE_ROLES = ['filler', 'marker', 'nonsense', 'foreign'] as const

/** What bestmatch knows about the way people write one kind of value, beyond the names of the entries. */
export class Lexicon {
  /** Abbreviations and foreign words with what they may stand for: `pte` is presidente or puente. */
  readonly expansions = new Map<string, readonly string[]>()
  readonly filler = new Set<string>()
  /** Words before a name that is no city: barrio, country. */
  readonly marker = new Set<string>()
  readonly nonsense = new Set<string>()
  readonly foreign = new Set<string>()
  /** Numbers in words and Roman figures, as they stand in names of places: once, tercero, iv. */
  readonly numbers = new Set<string>()
}

/** Reads the knowledge files; `*` as kind means every kind. */
export function loadLexicon(layers: Layers): Readonly<Record<Kind, Lexicon>> {
  const lexicon = Object.fromEntries(KINDS.map((kind) => [kind, new Lexicon()])) as Record<Kind, Lexicon>
  for (const row of layers.knowledge('abbreviations.tsv')) {
    const means = row.list('means').map(fold)
    for (const kind of kindsOf(row)) {
      for (const written of row.list('written')) lexicon[kind].expansions.set(fold(written), means)
    }
  }
  for (const row of layers.knowledge('noise.tsv')) {
    const role = row.choice('role', NOISE_ROLES)
    if (!role) continue
    for (const kind of kindsOf(row)) {
      for (const word of row.list('words')) lexicon[kind][role].add(fold(word))
    }
  }
  addNumbers(lexicon.place)
  return lexicon
}

/** A number is what figures may stand for, what may stand for figures, and what stands for nothing but numbers. */
function addNumbers({ expansions, numbers }: Lexicon): void {
  const isFigure = (word: string) => /^[0-9]+$/.test(word)
  for (const [written, means] of expansions) {
    if (isFigure(written)) for (const word of means) numbers.add(word)
    if (means.some(isFigure)) numbers.add(written)
  }
  for (const [written, means] of expansions) if (means.every((word) => numbers.has(word))) numbers.add(written)
}

function kindsOf(row: Row): readonly Kind[] {
  const kind = row.choice('kind', ['*', ...KINDS])
  return kind === '*' ? KINDS : kind ? [kind] : []
}

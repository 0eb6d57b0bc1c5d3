import { empty } from './reasons.ts'

/** Why an entry was chosen; the value of `rule` in the `Match` header. */
export type Rule =
  | ('id' | 'url' | 'path' | 'name' | 'codename' | 'iso' | 'alias' | 'part' | 'technical' | 'similar')
  | 'other-state' // a certain city, though not in the state that was given

export interface Candidate<E> {
  readonly entry: E
  readonly score: number
}

export interface Match<E> extends Candidate<E> {
  readonly kind: 'match'
  readonly rule: Rule
}

export interface NoMatch<E, P extends string = string> {
  readonly kind: 'none'
  /** The query parameter at fault, as the specification spells it. */
  readonly parameter: P
  /** What is wrong and what to do, in Spanish, for the partner. */
  readonly reason: string
  /** Up to five entries that come near, best first. */
  readonly candidates: readonly Candidate<E>[]
  /** Nothing was given but spaces. */
  readonly isEmpty?: true
}

export type Result<E, P extends string = string> = Match<E> | NoMatch<E, P>

/** How many that come near are shown. */
export const MAX_CANDIDATES = 5

/** The score of every candidate for a value that fits them all alike. */
export const AMBIGUOUS = 0.5

export const match = <E>({ entry, rule, score }: Omit<Match<E>, 'kind'>): Match<E> => ({
  kind: 'match',
  entry,
  rule,
  score: round(score),
})

/** An honest refusal; candidates may come in any order and repeat an entry. */
export function none<E, P extends string>(
  parameter: P,
  reason: string,
  candidates: Iterable<Candidate<E>> = [],
): NoMatch<E, P> {
  return { kind: 'none', parameter, reason, candidates: ranked(candidates) }
}

export const emptyValue = <P extends string>(parameter: P): NoMatch<never, P> => ({
  kind: 'none',
  parameter,
  reason: empty(parameter),
  candidates: [],
  isEmpty: true,
})

/** The best few, each entry once. */
export function ranked<E>(candidates: Iterable<Candidate<E>>): Candidate<E>[] {
  const best = new Map<E, number>()
  for (const { entry, score } of candidates) best.set(entry, Math.max(score, best.get(entry) ?? 0))
  const all = Array.from(best, ([entry, score]) => ({ entry, score: round(score) }))
  return all.sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES)
}

const round = (score: number): number => Math.round(Math.min(score, 1) * 100) / 100

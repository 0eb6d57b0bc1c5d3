import type { Match, NoMatch } from '../../catalogue/match/result.ts'
import { type Errors, invalid, type Problem } from '../../http/problems.ts'

type Ref = { href: string; title: string }

/** All that is wrong with what was sent, by member, so that it is told at once. */
export class Faults {
  /** Without a prototype, because a member may well be called `constructor` or `__proto__`. */
  readonly errors: Errors = Object.create(null)
  /** What came near, as bestmatch shows it, each with the member it is for. */
  readonly candidates: (Ref & { Score: number; Campo: string })[] = []

  add(member: string, reason: string): void {
    this.errors[member] = [...(this.errors[member] ?? []), reason]
  }

  get any(): boolean {
    return Object.keys(this.errors).length > 0
  }

  /** The record that a value means; where it means none for certain, that is a fault of the member. */
  match<E, P extends string>(member: string, result: Match<E> | NoMatch<E, P>, ref: (entry: E) => Ref): E | undefined {
    if (result.kind === 'match') return result.entry
    this.add(member, result.reason)
    for (const { entry, score } of result.candidates)
      this.candidates.push({ ...ref(entry), Score: score, Campo: member })
    return undefined
  }

  get extensions(): Record<string, unknown> {
    return this.candidates.length > 0 ? { Candidatos: this.candidates } : {}
  }

  toProblem(): Problem {
    return invalid(this.errors, this.extensions)
  }
}

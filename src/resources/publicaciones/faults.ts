import type { Match, NoMatch } from '../../catalogue/match/result.ts'
import type { ProblemExtensions } from '../../http/problem-extensions.ts'
import { type Fault, type FaultMap, fault, invalid, type Problem } from '../../http/problems.ts'
import type { Candidato } from '../../http/schemas.ts'

type Ref = { href: string; title: string }

/** The errors of a body by member, so that all are reported at once. */
export class Faults {
  /** Without a prototype, because a member may be called `constructor` or `__proto__`. */
  readonly errors: FaultMap = Object.create(null)
  /** Candidates as in bestmatch, each with its member. */
  readonly candidates: (Candidato & { Campo: string })[] = []

  add(member: string, reason: Fault): void {
    this.errors[member] = [...(this.errors[member] ?? []), reason]
  }

  addAll(faults: FaultMap): void {
    for (const [member, reasons] of Object.entries(faults)) for (const reason of reasons) this.add(member, reason)
  }

  /** The faults of a place, which has candidates for one member at most. */
  addPlace({ errors, candidates }: { errors: FaultMap; candidates: Candidato[] }): void {
    this.addAll(errors)
    const Campo = 'Ciudad' in errors ? 'Ciudad' : 'Region'
    this.candidates.push(...candidates.map((each) => ({ ...each, Campo })))
  }

  get any(): boolean {
    return Object.keys(this.errors).length > 0
  }

  /** The record that a value means; an error of the member if that is not certain. */
  match<E, P extends string>(member: string, result: Match<E> | NoMatch<E, P>, ref: (entry: E) => Ref): E | undefined {
    if (result.kind === 'match') return result.entry
    this.add(member, fault('sin-coincidencia', result.reason))
    for (const { entry, score } of result.candidates)
      this.candidates.push({ ...ref(entry), Score: score, Campo: member })
    return undefined
  }

  get extensions(): ProblemExtensions {
    return this.candidates.length > 0 ? { Candidatos: this.candidates } : {}
  }

  toProblem(): Problem {
    return invalid(this.errors, this.extensions)
  }
}

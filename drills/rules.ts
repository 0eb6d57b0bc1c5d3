/** Checks what a drill observed and describes each violation. */
export type Rule<Observed> = (seen: Observed) => string | readonly string[] | false

/** All violations. A missing figure (NaN) violates every rule, because rules state what must be true. */
export const violationsOf = <Observed>(rules: readonly Rule<Observed>[], seen: Observed): string[] =>
  rules.flatMap((rule) => rule(seen) || [])

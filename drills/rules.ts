/** Something that is asked of what a drill saw: the words of the fault, or of each, where it does not hold. */
export type Rule<Observed> = (seen: Observed) => string | readonly string[] | false

/** What did not hold, in words; nothing where all did. A figure that is none holds nowhere: rules ask for what must be. */
export const violationsOf = <Observed>(rules: readonly Rule<Observed>[], seen: Observed): string[] =>
  rules.flatMap((rule) => rule(seen) || [])

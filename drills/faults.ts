/** Something that is asked of what a drill saw: the words of the fault, or of each, where it does not hold. */
export type Rule<Seen> = (seen: Seen) => string | readonly string[] | false

/** What did not hold, in words; nothing where all did. A figure that is none holds nowhere: rules ask for what must be. */
export const faultsOf = <Seen>(rules: readonly Rule<Seen>[], seen: Seen): string[] =>
  rules.flatMap((rule) => rule(seen) || [])

/** What an id stands for: the make and name of a model, the model and name of a version. */
export interface Meaning {
  readonly id: number
  readonly key: string
}

/** Declared changes: renamed ids (by their new key), and retired ids. */
export interface Declared {
  readonly renamed: ReadonlyMap<number, string>
  readonly retired: ReadonlySet<number>
}

/** Gives every key its id: the one in the ledger, also under a declared new name, else the next free one. */
export function number(
  keys: readonly string[],
  ledger: readonly Meaning[],
  declared: Declared,
  first: number,
): number[] {
  const known = new Map(ledger.map(({ id, key }) => [declared.renamed.get(id) ?? key, id]))
  let last = Math.max(first - 1, ...declared.retired, ...ledger.map(({ id }) => id))
  return keys.map((key) => known.get(key) ?? ++last)
}

/** Every id whose meaning changes from the ledger to `now`. */
export function idConflicts(ledger: readonly Meaning[], now: readonly Meaning[], declared: Declared): string[] {
  const present = new Map(now.map(({ id, key }) => [id, key]))
  const changed = ledger.flatMap(({ id, key }) => {
    const meant = declared.renamed.get(id) ?? key
    const means = present.get(id)
    if (means === undefined) return declared.retired.has(id) ? [] : [`${id} (${key}) disappears`]
    return means === meant || means === key ? [] : [`${id} (${key}) becomes ${means}`]
  })
  const reused = now.filter(({ id }) => declared.retired.has(id)).map(({ id, key }) => `${id} (${key}) was retired`)
  const doubled = present.size === now.length ? [] : [`${now.length - present.size} ids are given twice`]
  return [...changed, ...reused, ...doubled]
}

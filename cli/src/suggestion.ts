const MAX_EDITS = 2

/** " Did you mean …?" with the known word that is nearest to a mistyped one, or nothing. */
export function suggestion(typed: string, known: readonly string[]): string {
  const near = known
    .map((word) => ({ word, edits: word.startsWith(typed) && typed.length > 2 ? 1 : editsBetween(typed, word) }))
    .filter(({ word, edits }) => edits <= MAX_EDITS && edits < word.length / 2)
    .sort((a, b) => a.edits - b.edits)
  return near[0] ? ` Did you mean ${near[0].word}?` : ''
}

/** How many letters must be changed, added, left out or swapped with their neighbour. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return MAX_EDITS + 1
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
        swapped ? (beforeLast[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length] as number
}

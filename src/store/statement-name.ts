const NAMED = /^\s*\/\* ([\w .-]+) \*\//
const COMMENTS = /--[^\n]*|\/\*.*?\*\//gs
/** Not the `update` of `for update`, `for no key update` and `do update`. */
const WRITES = /(?<!\b(?:for|key|do)\s+)\b(insert into|update|delete from)\s+(?:only\s+)?([a-z_]\w*)/g
/** Not a function, and not the alias in `extract(… from row.due_at)`. */
const READS = /\bfrom\s+(?:only\s+)?([a-z_]\w*)(?![\w.]|\s*\()/g
const DEFINED = /\b([a-z_]\w*)\s*(?:\([\w\s,]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/g
const MAX_NAMES = 2_000

const names = new Map<string, string>()

/**
 * A short name of a statement for metrics and traces: `update webhooks`. It comes from the text, never from the values,
 * and there are few of them. A comment at the beginning of the statement, such as `claim deliveries`, replaces it.
 */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  if (names.size >= MAX_NAMES) names.clear()
  const name = NAMED.exec(text)?.[1] ?? derive(text)
  names.set(text, name)
  return name
}

function derive(text: string): string {
  const plain = text.replace(COMMENTS, ' ')
  const [write] = plain.matchAll(WRITES)
  if (write) return `${write[1]?.split(' ')[0]} ${write[2]}`
  const defined = new Set([...plain.matchAll(DEFINED)].map(([, name]) => name))
  const read = [...plain.matchAll(READS)].find(([, table]) => !defined.has(table))
  return read ? `select ${read[1]}` : (/^\s*(\w+)/.exec(plain)?.[1] ?? 'statement').toLowerCase()
}

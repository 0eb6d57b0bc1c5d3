import { RodadoError } from './problems.ts'

/** The path with its parameters filled in and the rest as its query; undefined values are left out. */
export function fill(path: string, params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    const place = `{${name}}`
    if (filled.includes(place)) filled = filled.replace(place, () => segment(String(value)))
    else query.set(name, String(value))
  }
  const missing = /\{(\w+)\}/.exec(filled)?.[1]
  if (missing) throw new RodadoError(`${missing} is needed.`)
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** Encodes a value as one path segment; `.` and `..` are refused. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new RodadoError(`"${value}" is no part of an address.`)
  return encodeURIComponent(value).replaceAll('%40', '@')
}

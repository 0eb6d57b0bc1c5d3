import { RodadoError } from './problems.ts'

/** The path with its parameters in their places, the rest as its query; what is undefined was not given. */
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

/** A value as one segment of a path: no path is walked with it. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new RodadoError(`"${value}" is no part of an address.`)
  return encodeURIComponent(value).replaceAll('%40', '@')
}

import { RodadoError } from './problems.ts'
import type { Link, Links } from './schema.ts'

/** The id at the end of a link: of an entry (its `self`), of a link or reference, or of a path such as `Location`. */
export function idOf(source: string | Pick<Link, 'href'> | { _links: Links }): string {
  const href = typeof source === 'string' ? source : '_links' in source ? source._links.self?.href : source.href
  const id = href?.split(/[?#]/, 1)[0]?.split('/').at(-1)
  if (!id) throw new RodadoError(`There is no id in "${href}".`)
  return decodeURIComponent(id)
}

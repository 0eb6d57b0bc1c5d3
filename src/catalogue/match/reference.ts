/** A value that names an entry by its address rather than by its name. */
type Reference =
  | { readonly rule: 'id' | 'url' | 'path'; readonly id: number }
  | { readonly rule: 'foreign'; readonly why: 'host' | 'catalogue' }

const ID = /^[0-9]{1,10}$/
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i
const AFTER_PATH = /[?#].*$/s // a query or a fragment names no other record
const PATH = /^\/?v3\/([a-z]+)\/([0-9]{1,10})\/?$/ // without its first slash where a partner's base address ends with one

/** Reads an id, our absolute URL or our path; undefined when the value is a name like any other. */
export function readReference(value: string, resource: string, publicUrl: string): Reference | undefined {
  if (ID.test(value)) return { rule: 'id', id: Number(value) }
  if (!ABSOLUTE.test(value)) return readPath(value.replace(AFTER_PATH, ''), resource, 'path')
  if (!URL.canParse(value)) return { rule: 'foreign', why: 'host' }

  const url = new URL(value)
  const ours = new URL(publicUrl)
  // Only our own origin may name our records: another host's /v3/ciudades/7 is another city.
  if (url.origin !== ours.origin) return { rule: 'foreign', why: 'host' }
  const base = ours.pathname.replace(/\/$/, '')
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : url.pathname
  return readPath(path, resource, 'url') ?? { rule: 'foreign', why: 'catalogue' }
}

function readPath(path: string, resource: string, rule: 'url' | 'path'): Reference | undefined {
  const [, folder, id] = PATH.exec(path) ?? []
  if (folder === undefined || id === undefined) return undefined
  return folder === resource ? { rule, id: Number(id) } : { rule: 'foreign', why: 'catalogue' }
}

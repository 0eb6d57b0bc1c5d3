import { readFileSync } from 'node:fs'

/** An answer that the specification, or a decision of ours, promises. */
export interface Promised {
  method: string
  path: string
  status: string
  built: boolean
}

export function readStatuses(): Promised[] {
  const text = readFileSync(new URL('../../contract/statuses.tsv', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [method = '', path = '', status = '', built] = line.split('\t')
      return { method, path, status, built: built === 'yes' }
    })
}

/** The template a path belongs to; a literal segment goes before a parameter (bestmatch is not an id). */
export function templateFor(path: string, promises: Promised[]): string {
  const templates = [...new Set(promises.map((promise) => promise.path))]
  const fitting = templates.filter((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return fitting.sort((a, b) => a.split('{').length - b.split('{').length)[0] ?? path
}

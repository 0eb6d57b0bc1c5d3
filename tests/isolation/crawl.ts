import type { TestServer } from '../support/server.ts'
import type { Visitor } from '../support/visitor.ts'

/** How many pages of one kind are visited: empty ones may have other forms. */
const MAX_ALIKE = 25

/** The fields and parameters of all forms and links, and the pages visited. */
export interface Crawled {
  /** By method, route and name: `POST /cuenta/datos Nombre`. */
  names: Set<string>
  pages: Set<string>
}

/** Follows links from page to page and collects the names in forms and links. */
export async function crawl(who: Visitor, from: string, routes: TestServer['routes']): Promise<Crawled> {
  const [start = ''] = from.slice(1).split('/')
  const offered: Crawled = { names: new Set(), pages: new Set() }
  const [seen, counts] = [new Set([from]), new Map<string, number>()]
  const patternOf = patternsIn(routes)
  const waiting = [from]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { status, text, headers } = await who.get(path)
    if (status !== 200 || !headers['content-type']?.startsWith('text/html')) continue
    const here = new URL(path, 'http://rodado.test')
    offered.pages.add(patternOf(here.pathname))
    for (const { method, action, names } of formsIn(text, path))
      for (const name of names)
        offered.names.add(`${method} ${patternOf(new URL(action, here).pathname)} ${plain(name)}`)
    for (const link of linksIn(text)) {
      const there = new URL(link, here)
      if (there.origin !== here.origin || there.pathname.split('/')[1] !== start) continue
      const pattern = patternOf(there.pathname)
      for (const name of there.searchParams.keys()) offered.names.add(`GET ${pattern} ${plain(name)}`)
      const next = there.pathname + there.search
      const alike = `${pattern}?${[...there.searchParams.keys()]}`
      const count = counts.get(alike) ?? 0
      if (seen.has(next) || count >= MAX_ALIKE) continue
      seen.add(next)
      counts.set(alike, count + 1)
      waiting.push(next)
    }
  }
  return offered
}

/** The declared route of a path. Literal segments win over parameters. */
function patternsIn(routes: TestServer['routes']): (path: string) => string {
  const parameters = (url: string) => url.split(':').length
  const patterns = [...new Set(routes.map(({ url }) => url))].sort((a, b) => parameters(a) - parameters(b))
  const tests = patterns.map((url) => ({ url, test: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`) }))
  return (path) => tests.find(({ test }) => test.test(path))?.url ?? path
}

const DAYS = /^(Lunes|Martes|Miercoles|Jueves|Viernes|Sabado|Domingo|Feriados)(?=\.)/

/** One name for all rows of a form. */
const plain = (name: string): string => name.replace(/\d+/g, '#').replace(DAYS, '‹day›')

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

function formsIn(html: string, path: string): { method: string; action: string; names: string[] }[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, given = '', within = '']) => ({
    method: /\bmethod="post"/i.test(given) ? 'POST' : 'GET',
    action: unescaped(/\baction="([^"]*)"/.exec(given)?.[1] || path),
    names: [...within.matchAll(/<(?:input|select|textarea|button)\b[^>]*?\sname="([^"]+)"/g)].map(([, name = '']) =>
      unescaped(name),
    ),
  }))
}

const linksIn = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|hx-get)="([^"#]+)/g)].map(([, link = '']) => unescaped(link))

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { FOREVER } from '../http/finish-response.ts'

const own = (name: string) => new URL(`./assets/${name}`, import.meta.url)
const font = asset(
  'inter.woff2',
  'font/woff2',
  installed('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
)
/** In the order in which they apply; pages load them as one file. */
const SHEETS = ['tokens', 'base', 'shell', 'parts', 'forms', 'work', 'car', 'docs', 'landing', 'print']
/** Their addresses change with the content, so browsers may cache them for ever. */
export const ASSETS = {
  font,
  css: asset('rodado.css', 'text/css; charset=utf-8', stylesheet()),
  docsCss: asset('docs.css', 'text/css; charset=utf-8', own('docs.css')),
  docs: asset('docs.js', 'text/javascript; charset=utf-8', own('docs.js')),
  favicon: asset('favicon.svg', 'image/svg+xml', own('favicon.svg')),
  app: asset('app.js', 'text/javascript; charset=utf-8', own('app.js')),
  copy: asset('copy.js', 'text/javascript; charset=utf-8', own('copy.js')),
  gallery: asset('gallery.js', 'text/javascript; charset=utf-8', own('gallery.js')),
  passkey: asset('passkey.js', 'text/javascript; charset=utf-8', own('passkey.js')),
  htmx: asset('htmx.js', 'text/javascript; charset=utf-8', installed('htmx.org/dist/htmx.min.js')),
}

/** GET /assets/… */
export function assetsRoutes(fastify: FastifyInstance): void {
  for (const { path, type, version, bytes } of Object.values(ASSETS)) {
    fastify.get<{ Querystring: { v?: string } }>(path, { schema: { hide: true } }, (request, reply) =>
      reply
        .type(type)
        .header('cache-control', request.query.v === version ? FOREVER : 'no-cache')
        .send(bytes),
    )
  }
}

/** The font is named with its version, as in the pages that preload it. */
function stylesheet(): Buffer {
  const sheets = SHEETS.map((name) => readFileSync(own(`css/${name}.css`), 'utf8'))
  return Buffer.from(sheets.join('\n').replace(`"${font.path}"`, `"${font.href}"`))
}

function asset(name: string, type: string, content: string | URL | Buffer) {
  const bytes = Buffer.isBuffer(content) ? content : readFileSync(content)
  const version = hash('sha256', bytes, 'hex').slice(0, 12)
  return { path: `/assets/${name}`, href: `/assets/${name}?v=${version}`, type, version, bytes }
}

/** A file of a package, served from here: pages load nothing from other servers. */
function installed(path: string): string {
  return createRequire(import.meta.url).resolve(path)
}

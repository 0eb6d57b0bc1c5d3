import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const FOREVER = 'public, max-age=31536000, immutable'

const css = asset('rodado.css', 'text/css; charset=utf-8')
const favicon = asset('favicon.svg', 'image/svg+xml')

/** The addresses that pages link to: they change with the content, so a browser may keep what it has for ever. */
export const CSS_HREF = css.href
export const FAVICON_HREF = favicon.href

/** GET /assets/… */
export function assetsRoutes(app: FastifyInstance): void {
  for (const { path, type, version, bytes } of [css, favicon]) {
    app.get<{ Querystring: { v?: string } }>(path, { schema: { hide: true } }, (request, reply) =>
      reply
        .type(type)
        .header('cache-control', request.query.v === version ? FOREVER : 'no-cache')
        .send(bytes),
    )
  }
}

function asset(name: string, type: string) {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url))
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { path: `/assets/${name}`, href: `/assets/${name}?v=${version}`, type, version, bytes }
}

import type { FastifyInstance } from 'fastify'
import type { BrandSource } from '../brand/brand.ts'
import { findBrandImage } from '../brand/store.ts'
import { stylesheetFor } from '../brand/stylesheet.ts'
import { FOREVER } from '../http/finish-response.ts'
import { notFound } from '../http/problems.ts'
import type { Db } from '../store/db.ts'

/** An image is nothing but an image, also where somebody opens it by itself; mail programs show it on their own pages. */
const IMAGE_HEADERS = {
  'cache-control': FOREVER,
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

const HIDDEN = { schema: { hide: true } } as const
type File = { Params: { file: string }; Querystring: { v?: string } }

/** GET /assets/marca/…: the marketplace's images, and the stylesheet with its colours. */
export function brandAssets(app: FastifyInstance, db: Db, brand: BrandSource): void {
  app.get<File>('/assets/marca/:file', HIDDEN, async ({ params: { file } }, reply) => {
    const [, hash] = /^([0-9a-f]{64})\.png$/.exec(file) ?? []
    if (!hash) throw notFound()
    const current = Object.values(brand.current().images).find((image) => image.hash === hash)
    const image = current ?? (await findBrandImage(db, hash))
    if (!image) throw notFound()
    return reply.type('image/png').headers(IMAGE_HEADERS).send(image.bytes)
  })

  app.get<File>('/assets/marca/colores/:file', HIDDEN, async ({ params: { file }, query: { v } }, reply) => {
    const found = stylesheetFor(file)
    if (!found) throw notFound()
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', v === found.version ? FOREVER : 'no-cache')
      .send(found.css)
  })
}

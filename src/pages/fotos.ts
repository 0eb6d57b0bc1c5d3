import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { namesEtag } from '../http/encoded-body.ts'
import { FOREVER } from '../http/finish-response.ts'
import type { Limiter } from '../http/limits.ts'
import { notFound, unavailable } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import { FORMATS, type Format, type PhotoStorage, type PhotoWidth, photoName, WIDTHS } from '../photos/photo.ts'
import { HIDDEN } from './page.ts'
import { protectPages } from './security.ts'

const NAME = new RegExp(`^(${WIDTHS.join('|')})\\.(${Object.keys(FORMATS).join('|')})$`)

const noPhoto = () => notFound(message('comun.noPhoto'))

type OfPhoto = { Params: { hash: string; file: string } }

/** GET /fotos/{hash}/{width}.{format}: a copy of a photo. Its address changes with its content. */
export function photoRoutes(app: FastifyInstance, storage: PhotoStorage, limiter: Limiter): void {
  protectPages(app, limiter)

  app.get<OfPhoto>('/fotos/:hash/:file', HIDDEN, async ({ params: { hash, file }, headers, log, id }, reply) => {
    const [, width, format] = NAME.exec(file) ?? []
    if (!width || !/^[0-9a-f]{64}$/.test(hash)) throw noPhoto()
    const etag = `"${hash.slice(0, 16)}-${file}"`
    const isUnchanged = namesEtag(headers['if-none-match'] ?? '', etag)
    const bytes = isUnchanged
      ? undefined
      : await storage.get(photoName(hash, Number(width) as PhotoWidth, format as Format)).catch((err) => {
          log.error({ reqId: id, err }, 'photos: a copy could not be read')
          throw unavailable()
        })
    if (!isUnchanged && !bytes) throw noPhoto()
    // Link previews and the marketplace's own site show them too.
    reply.headers({ etag, 'cache-control': FOREVER, 'cross-origin-resource-policy': 'cross-origin' })
    if (!bytes) return reply.code(304).send()
    // As a stream, because a buffer would be compressed again.
    reply.headers({ 'content-type': FORMATS[format as Format], 'content-length': bytes.length })
    return reply.send(Readable.from([bytes]))
  })
}

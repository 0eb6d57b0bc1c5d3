import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { namesEtag } from '../http/encoded-body.ts'
import { FOREVER } from '../http/finish-response.ts'
import { addressKey, type Limiter } from '../http/limits.ts'
import { onClosed } from '../http/load-shedding.ts'
import { notFound, unavailable } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import { FORMATS, type Format, type PhotoStorage, type PhotoWidth, photoName, WIDTHS } from '../photos/photo.ts'
import { HIDDEN } from './page.ts'
import { protectPages } from './security.ts'

const NAME = new RegExp(`^(${WIDTHS.join('|')})\\.(${Object.keys(FORMATS).join('|')})$`)

/** Photos being sent. Each is in memory until the client has read it. */
const IN_PROGRESS = {
  most: 400,
  /** From here on each address is limited to a share, so that one that reads nothing does not stop the photos of others. */
  sharesFrom: 200,
  share: 25,
}

const noPhoto = () => notFound(message('comun.noPhoto'))

type OfPhoto = { Params: { hash: string; file: string } }

/** GET /fotos/{hash}/{width}.{format}: a copy of a photo. Its address changes with its content. */
export function photoRoutes(
  app: FastifyInstance,
  storage: PhotoStorage,
  limiter: Limiter,
  inProgress = IN_PROGRESS,
): void {
  protectPages(app, limiter)
  const admit = limitInProgress(inProgress)

  app.get<OfPhoto>('/fotos/:hash/:file', HIDDEN, async ({ params: { hash, file }, headers, log, id }, reply) => {
    const [, width, format] = NAME.exec(file) ?? []
    if (!width || !/^[0-9a-f]{64}$/.test(hash)) throw noPhoto()
    const etag = `"${hash.slice(0, 16)}-${file}"`
    const isUnchanged = namesEtag(headers['if-none-match'] ?? '', etag)
    if (!isUnchanged) admit(reply)
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

/** Counts a response until it is sent; 503 at the limit, and above the share of an address. */
function limitInProgress({ most, sharesFrom, share }: typeof IN_PROGRESS): (reply: FastifyReply) => void {
  let inProgress = 0
  const byAddress = new Map<string, number>()

  return (reply) => {
    const { ip, raw } = reply.request
    if (raw.socket.destroyed) return // its close event has passed, so nothing would release the slot
    const address = addressKey(ip)
    const own = byAddress.get(address) ?? 0
    if (inProgress >= most || (inProgress >= sharesFrom && own >= share))
      throw unavailable(message('problema.overloaded'), 'sobrecargado')
    inProgress++
    byAddress.set(address, own + 1)
    onClosed(reply, () => {
      inProgress--
      const left = (byAddress.get(address) ?? 0) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
  }
}

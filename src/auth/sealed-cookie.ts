import type { FastifyReply, FastifyRequest } from 'fastify'
import { orUndefined } from '../memoize.ts'
import type { Seal } from '../store/sealed.ts'

/** A cookie of JSON, encrypted: it can be neither read nor forged. `purpose` is bound to it. */
export function sealedCookie<Contents>(seal: Seal, name: string, purpose: string, maxAgeSeconds: number) {
  const open = (value: string): Contents | undefined =>
    orUndefined(() => JSON.parse(seal.open(Buffer.from(value, 'base64url'), purpose)))

  return {
    /** The first cookie of this name that can be decrypted. */
    read(request: FastifyRequest): Contents | undefined {
      for (const value of request.server.cookies.values(request, name)) {
        const contents = open(value)
        if (contents) return contents
      }
      return undefined
    },
    write(reply: FastifyReply, contents: Contents): void {
      const value = seal.seal(JSON.stringify(contents), purpose).toString('base64url')
      reply.server.cookies.set(reply, name, value, maxAgeSeconds)
    },
    clear: (reply: FastifyReply): void => reply.server.cookies.set(reply, name, '', 0),
  }
}

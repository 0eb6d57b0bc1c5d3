import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    cookies: ReturnType<typeof createCookies>
  }
}

/**
 * The cookies of this server: none is readable by scripts, and none is sent with a form of another site. With the prefix
 * `__Host-` neither a subdomain nor a plain http answer can set or replace a cookie.
 */
export function createCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', '']
  return {
    set(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
      const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`
      reply.header('set-cookie', `${prefix}${name}=${value}; ${attributes}`)
    },
    /** Every value that the browser sent under that name, in its order. */
    values({ headers: { cookie = '' } }: FastifyRequest, name: string): string[] {
      const start = `${prefix}${name}=`
      return cookie
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(start))
        .map((pair) => pair.slice(start.length))
    },
  }
}

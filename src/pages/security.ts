import type { FastifyInstance, FastifyReply } from 'fastify'
import { addressKey, type Limiter, setRateHeaders } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import { type WithQuery, wantsCsv } from './params.ts'

/** Pages load only from this server, run no script, and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Pages with suggestions or live parts run our scripts, which call this server alone. */
const SCRIPT_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`

const HEADERS = {
  'content-security-policy': POLICY,
  // The address of a page may hold a one-time token: no other site ever hears of it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

export const setSecurityHeaders = (reply: FastifyReply): FastifyReply => reply.headers(HEADERS)

export const allowScript = (reply: FastifyReply): FastifyReply => reply.header('content-security-policy', SCRIPT_POLICY)

/** The gallery has a script; photos that are not copied yet are on the partners' servers. */
export const allowGallery = (reply: FastifyReply, { foreign }: { foreign: boolean }): FastifyReply => {
  const images = foreign ? "img-src 'self' https:" : "img-src 'self'"
  return reply.header('content-security-policy', `${POLICY.replace("img-src 'self'", images)}; script-src 'self'`)
}

export const allowEmailFrame = (reply: FastifyReply): FastifyReply =>
  reply.header('content-security-policy', `${SCRIPT_POLICY}; frame-src 'self'`)

/** An email in that frame: its own styles, the marketplace's logo and nothing else, in a sandbox that opens no link. */
export const asFramedEmail = (reply: FastifyReply): FastifyReply =>
  reply.header(
    'content-security-policy',
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; form-action 'none'; base-uri 'none'; img-src 'self'",
  )

/** A CSV file of up to 10,000 rows costs as much as this many pages. */
const CSV_AS_PAGES = 40

/** Sets security headers on every page of a scope, and limits requests by address. */
export function protectPages(app: FastifyInstance, limiter: Limiter): void {
  app.addHook<WithQuery>('onRequest', (request, reply, done) => {
    setSecurityHeaders(reply)
    const address = addressKey(request.ip)
    const taken = limiter.take(address)
    const isCsv = taken.allowed && wantsCsv(request.query)
    setRateHeaders(reply, 'direccion', limiter.rate, isCsv ? limiter.charge(address, CSV_AS_PAGES - 1) : taken)
    if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds, message('problema.pagesByAddress'))
    done()
  })
}

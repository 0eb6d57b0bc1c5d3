import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppCache } from '../apps/cache.ts'
import { addressKey, type Limiter, setRateHeaders } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import { orUndefined } from '../memoize.ts'
import { type SigningKeys, TOKEN_SECONDS } from './signing-keys.ts'
import type { Tokens } from './token.ts'

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 4096
const MAX_FIELDS = 10 // a token request has four; others are ignored (RFC 6749, 3.2)
const MAX_BASIC = 1024 // characters of an Authorization header: several times a key and its secret

type TokenFields = ReadonlyMap<string, string>

/** Digests have one length, so comparing them does not reveal the secret's length. */
const digestOf = (secret: string | Buffer) => hash('sha256', secret, 'buffer')

interface OauthDeps {
  apps: AppCache
  tokens: Tokens
  keys: SigningKeys
  publicUrl: string
  limiter: Limiter
}

/** OAuth 2.0 client credentials (RFC 6749, 4.4) and the two documents that describe them (RFC 8414, RFC 7517). */
export function oauthRoutes(app: FastifyInstance, deps: OauthDeps): void {
  const { keys, publicUrl, limiter } = deps
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))

  app.post(
    '/oauth/token',
    {
      schema: { hide: true },
      bodyLimit: MAX_FORM_BYTES,
      // Before the body is read: a refused request costs no more than its headers.
      onRequest: (request, reply, done) => {
        reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }) // RFC 6749, 5.1
        const taken = limiter.take(addressKey(request.ip))
        setRateHeaders(reply, 'direccion', limiter.rate, taken)
        if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds, message('problema.tokensByAddress'))
        done()
      },
      // Fastify refuses a malformed Content-Type before any parser, with a 415 that RFC 6749 does not have.
      errorHandler: (error, _request, reply) => {
        if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
        return notAForm(reply)
      },
    },
    (request, reply) => giveToken(request, reply, deps),
  )

  app.get('/.well-known/jwks.json', { schema: { hide: true } }, () => ({ keys: keys.published() }))

  app.get('/.well-known/oauth-authorization-server', { schema: { hide: true } }, () => ({
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/oauth/token`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${publicUrl}/docs`,
  }))
}

async function giveToken(request: FastifyRequest, reply: FastifyReply, { apps, tokens }: OauthDeps) {
  if (!(request.body instanceof URLSearchParams)) return notAForm(reply)
  const form = readFields(request.body)
  if ('fault' in form) return refuse(reply, 400, 'invalid_request', form.fault)
  const credentials = clientCredentials(request.headers.authorization, form)
  if (credentials === 'both') return refuse(reply, 400, 'invalid_request', 'Use Basic or the form, not both.')
  if (!form.has('grant_type')) return refuse(reply, 400, 'invalid_request', 'grant_type is missing.')

  const holder = await apps.find(credentials?.id ?? '')
  const given = digestOf(credentials?.secret ?? '')
  const secret = holder?.secrets.find(({ key }) => timingSafeEqual(digestOf(key.export()), given))
  if (!holder || !secret) {
    reply.header('www-authenticate', 'Basic realm="rodado", charset="UTF-8"')
    return refuse(reply, 401, 'invalid_client', 'The client is unknown or its secret is wrong.')
  }
  if (form.get('grant_type') !== 'client_credentials')
    return refuse(reply, 400, 'unsupported_grant_type', 'grant_type must be client_credentials.')
  if (form.get('scope')) return refuse(reply, 400, 'invalid_scope', 'No scopes are defined: leave scope out.')

  return {
    access_token: await tokens.issue(holder.app.appKey, secret.id),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
  }
}

function readFields(body: URLSearchParams): TokenFields | { fault: string } {
  if (body.size > MAX_FIELDS) return { fault: `The form has more than ${MAX_FIELDS} fields.` }
  const form = new Map<string, string>()
  for (const [name, value] of body) {
    if (value === '') continue // as if it were left out (RFC 6749, 3.2)
    // error_description holds printable ASCII only (RFC 6749, 5.2).
    if (form.has(name)) return { fault: `${/^[\w.-]{1,40}$/.test(name) ? name : 'A field'} is given more than once.` }
    form.set(name, value)
  }
  return form
}

const refuse = (reply: FastifyReply, status: number, error: string, description: string) =>
  reply.code(status).send({ error, error_description: description })

const notAForm = (reply: FastifyReply) => refuse(reply, 400, 'invalid_request', `The body must be ${FORM}.`)

/** The client's id and secret, from Basic (each part form-encoded, RFC 6749, 2.3.1) or from the form. */
function clientCredentials(authorization: string | undefined, form: TokenFields) {
  const id = form.get('client_id')
  const secret = form.get('client_secret')
  if (authorization && authorization.length > MAX_BASIC) return undefined
  const basic = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? '')?.[1]
  if (!basic) return id && secret ? { id, secret } : undefined
  const [name = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  if (secret !== undefined || (id !== undefined && id !== formDecode(name))) return 'both' as const
  return { id: formDecode(name), secret: formDecode(rest.join(':')) }
}

const formDecode = (text: string): string => orUndefined(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text

import type { Content, Header, Parameter, PathItem, Schema } from './document.ts'

const json = (schema: Schema): Content => ({ 'application/json': { schema } })
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const problem: Content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } } }
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const open = { security: [] }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

/** A response with its headers; all have X-Request-Id. */
const response = (description: string, content: Content, headers = {}) => ({
  description,
  headers: { ...requestId, ...headers },
  content,
})
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** The headers that answers carry, by the name they have on the wire. */
export const HEADERS = {
  'X-Request-Id': text('Número de la solicitud: cítelo al pedir ayuda.', '6f1c7a52-1d0f-4a57-9a8e-0b1d5d1f6c1e'),
  'RateLimit-Policy': text('El límite de la app: q solicitudes en w segundos.', '"app";q=200;w=4'),
  RateLimit: text('Lo que queda del límite: r solicitudes; vuelve a estar entero en t segundos.', '"app";r=199;t=1'),
  ETag: text('Versión de esta representación, para If-None-Match e If-Match.', '"Q2pKQ0x8m1vT3n5b7R9aZcE4gHk"'),
  Location: text(
    'Dirección de lo que se creó o se pidió, relativa como todo enlace.',
    '/v3/agencias/ventas@agencia.example',
  ),
  Match: text('Por qué se eligió esta entrada y con qué certeza (0 a 1).', 'rule=alias, score=0.93'),
  'Retry-After': text('Segundos que conviene esperar antes de repetir.', '2'),
  'WWW-Authenticate': text('Los esquemas que se aceptan.', 'Bearer realm="rodado", error="invalid_token"'),
  Accept: text('Los tipos de cuerpo que se admiten.', 'application/json, text/json'),
} satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

/** Conditions that a request may carry, by the name of their component. */
export const CONDITIONS = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag de lo que ya se tiene: si no cambió, la respuesta es 304 sin cuerpo.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETag de lo que se leyó: si entretanto cambió, la respuesta es 412 y nada se modifica.',
    schema: { type: 'string' },
  },
} satisfies Record<string, Parameter>

/** The headers of an answer under /v3, from its status and the operation it belongs to. */
export function headersOf(
  status: number,
  { hasEtag, isBestmatch }: { hasEtag: boolean; isBestmatch: boolean },
): HeaderName[] {
  const always: HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
  const own: HeaderName[] = []
  if (hasEtag && (status === 200 || status === 304)) own.push('ETag')
  if (isBestmatch && status === 200) own.push('Match')
  if (status === 201 || status === 202) own.push('Location')
  if (status === 401) own.push('WWW-Authenticate')
  if (status === 415) own.push('Accept')
  if (status === 429 || status === 503) own.push('Retry-After')
  return [...own, ...always]
}

export const SERVICE_SCHEMAS: Record<string, Schema> = {
  AccessToken: object({
    access_token: {
      type: 'string',
      description: 'El token, un JWT: va en Authorization: Bearer.',
      examples: ['eyJhbGciOiJFUzI1NiIs…'],
    },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Segundos de vida.', examples: [3600] },
  }),
  OauthError: object({
    error: {
      type: 'string',
      enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
      description: 'Código de RFC 6749, sección 5.2.',
    },
    error_description: { type: 'string', description: 'En inglés, para quien programa.' },
  }),
}

/**
 * What the server offers outside /v3. These routes read forms or take nothing, so they have no schema to generate from:
 * they are described here, and a test asks each of them.
 */
export const SERVICE_PATHS: Record<string, PathItem> = {
  '/oauth/token': {
    post: {
      operationId: 'pedirToken',
      tags: ['Autenticación'],
      summary: 'Un token de acceso',
      description:
        'OAuth 2.0, client credentials (RFC 6749, 4.4). AppKey y AppSecret van por Basic o en el formulario, no en ambos.',
      security: [{ Basic: [] }, {}],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['grant_type'],
              properties: {
                grant_type: { type: 'string', enum: ['client_credentials'] },
                client_id: { type: 'string', description: 'El AppKey, si no va por Basic.' },
                client_secret: { type: 'string', description: 'El AppSecret, si no va por Basic.' },
              },
            },
          },
        },
      },
      responses: {
        200: response('El token', json(ref('AccessToken'))),
        400: response('Al pedido le falta o le sobra algo', json(ref('OauthError'))),
        401: response('La app no existe o el secreto no es suyo', json(ref('OauthError')), {
          'WWW-Authenticate': { ...HEADERS['WWW-Authenticate'], description: 'Basic' },
        }),
        413: response('El formulario pasa de 4 KiB', problem),
        415: response('El tipo del cuerpo no se puede leer', problem),
        429: response('Demasiados pedidos desde esta dirección', problem, retryAfter),
      },
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'verServidorDeTokens',
      tags: ['Autenticación'],
      summary: 'Dónde y cómo se piden tokens (RFC 8414)',
      ...open,
      responses: {
        200: response(
          'Metadatos del servidor de autorización',
          json(
            object({
              issuer: { type: 'string', format: 'uri' },
              token_endpoint: { type: 'string', format: 'uri' },
              jwks_uri: { type: 'string', format: 'uri' },
              grant_types_supported: { type: 'array', items: { type: 'string' } },
            }),
          ),
        ),
      },
    },
  },
  '/.well-known/jwks.json': {
    get: {
      operationId: 'verClavesDeTokens',
      tags: ['Autenticación'],
      summary: 'Las claves públicas que verifican un token (RFC 7517)',
      ...open,
      responses: {
        200: response(
          'Claves en uso',
          json(object({ keys: { type: 'array', items: { type: 'object', additionalProperties: true } } })),
        ),
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'verSiVive',
      tags: ['Salud'],
      summary: 'Si el proceso vive',
      ...open,
      responses: {
        200: response('Vive', json(object({ status: { type: 'string', enum: ['live'] } }))),
      },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'verSiAtiende',
      tags: ['Salud'],
      summary: 'Si puede atender ahora',
      ...open,
      responses: {
        200: response('Atiende', json(object({ status: { type: 'string', enum: ['ready'] } }))),
        503: response(
          'No por ahora: la base de datos no responde',
          json(object({ status: { type: 'string', enum: ['not ready'] }, reason: { type: 'string' } })),
          retryAfter,
        ),
      },
    },
  },
}

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPES } from './body.ts'
import { completeDocument } from './openapi/complete.ts'
import type { Document, Parameter, PathItem } from './openapi/document.ts'

interface ApiNames {
  publicUrl: string
  signaturePrefix: string
  webhooks?: Webhooks
}

/** What we send, by topic, and the headers that go with it. */
export interface Webhooks {
  topics: Record<string, PathItem>
  parameters: Record<string, Parameter>
}

const INTRODUCTION =
  'Invitar agencias, publicar sus autos, recibir sus consultas y leer los catálogos del mercado. ' +
  'Cada solicitud bajo /v3 lleva una firma o un token; toda respuesta trae enlaces, y todo rechazo, un problema con su página.'

/** Collects the route schemas into one OpenAPI 3.1 document, as each route is declared. */
export async function describeApi(
  app: FastifyInstance,
  { publicUrl, signaturePrefix, webhooks }: ApiNames,
): Promise<void> {
  const scheme = `${signaturePrefix}-HMAC`
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'API para apps asociadas',
        version: 'v3',
        description: INTRODUCTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      externalDocs: { url: `${publicUrl}/docs`, description: 'La referencia, con la forma de firmar' },
      components: {
        securitySchemes: securitySchemes(scheme, publicUrl),
        ...(webhooks && { parameters: webhooks.parameters as Record<string, never> }),
      },
      security: [{ [scheme]: [] }, { OAuth2: [] }],
      ...(webhooks && { webhooks: webhooks.topics as object }),
    },
    convertConstToEnum: false, // OpenAPI 3.1 has `const`
    refResolver: {
      buildLocalReference: (schema, _baseUri, _fragment, index) => String(schema.$id ?? `schema${index}`),
    },
    transform: ({ schema, url }) => ({ schema: schema?.body ? { consumes: JSON_TYPES, ...schema } : schema, url }),
    transformObject: (made): object => completeDocument((made as { openapiObject: object }).openapiObject as Document),
  })
}

/** GET /openapi.json */
export function openapiRoutes(app: FastifyInstance): void {
  let bytes: Buffer | undefined
  app.get('/openapi.json', { schema: { hide: true }, config: { caching: 'private, no-cache' } }, (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(documentOf(app)))
    return reply.type('application/json').send(bytes)
  })
}

/** The document, complete once every route is declared (`app.ready()`). */
export const documentOf = (app: Pick<FastifyInstance, 'swagger'>): Document => app.swagger() as object as Document

const securitySchemes = (scheme: string, publicUrl: string) => ({
  [scheme]: {
    type: 'http' as const,
    scheme,
    description: `Authorization: ${scheme} {AppKey}:{firma}. La firma es el HMAC-SHA256, con el AppSecret, de la solicitud: vea ${publicUrl}/docs#firmar.`,
  },
  OAuth2: {
    type: 'oauth2' as const,
    description: 'Authorization: Bearer {token}.',
    flows: { clientCredentials: { tokenUrl: `${publicUrl}/oauth/token`, scopes: {} } },
  },
  SitioKey: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'La clave de un sitio del propio mercado (npx rodado sitio create), solo para /interno.',
  },
  Basic: { type: 'http' as const, scheme: 'basic', description: 'AppKey y AppSecret, solo para pedir un token.' },
})

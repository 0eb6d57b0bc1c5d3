import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { JSON_TYPES } from './body.ts'
import { documentFor } from './openapi/audience.ts'
import { completeDocument } from './openapi/complete.ts'
import type { Document, PathItem } from './openapi/document.ts'
import { downConvert } from './openapi/down-convert.ts'

interface ApiNames {
  publicUrl: string
  signaturePrefix: string
  supportUrl?: string | undefined
  supportMail?: string | undefined
  webhooks?: Record<string, PathItem>
}

const INTRODUCTION =
  'Invitar agencias, publicar sus autos, recibir sus consultas y leer los catálogos del mercado. ' +
  'Cada solicitud bajo /v3 lleva una firma o un token; toda respuesta trae enlaces, y todo rechazo, un problema con su página.'

/** Collects the route schemas into one OpenAPI 3.1 document, as each route is declared. */
export async function describeApi(
  app: FastifyInstance,
  { publicUrl, signaturePrefix, supportUrl, supportMail, webhooks }: ApiNames,
): Promise<void> {
  const scheme = `${signaturePrefix}-HMAC`
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'API para apps asociadas',
        version: 'v3',
        description: INTRODUCTION,
        contact: {
          name: 'Soporte',
          url: supportUrl ?? `${publicUrl}/docs`,
          ...(supportMail && { email: supportMail }),
        },
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: publicUrl }],
      externalDocs: { url: `${publicUrl}/docs`, description: 'La referencia, con la forma de firmar' },
      components: { securitySchemes: securitySchemes(scheme, publicUrl) },
      security: [{ [scheme]: [] }, { OAuth2: [] }],
      ...(webhooks && { webhooks: webhooks as object }),
    },
    convertConstToEnum: false, // OpenAPI 3.1 has `const`
    refResolver: {
      buildLocalReference: (schema, _baseUri, _fragment, index) => String(schema.$id ?? `schema${index}`),
    },
    transform: ({ schema, url }) => ({ schema: schema?.body ? { consumes: JSON_TYPES, ...schema } : schema, url }),
    transformObject: (made): object => completeDocument((made as { openapiObject: object }).openapiObject as Document),
  })
}

const JSON_TYPE = 'application/json'
const YAML_TYPE = 'application/yaml' // RFC 9512
const CATALOG = '/.well-known/api-catalog'
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** GET /openapi.json, the same as YAML and as OpenAPI 3.0, /interno/openapi.json, and the catalogue that names them. */
export function openapiRoutes(app: FastifyInstance, publicUrl: string, brand: { current(): ApiBrand }): void {
  readableFromAnyOrigin(app)
  const serve = (path: string, type: string, write: (brand: ApiBrand) => string) => {
    let written: { brand: ApiBrand; bytes: Buffer } | undefined
    app.get(path, { schema: { hide: true }, config: { caching: 'private, no-cache' } }, (_request, reply) => {
      const now = brand.current()
      if (written?.brand !== now) written = { brand: now, bytes: Buffer.from(write(now)) }
      if (path === CATALOG) reply.header('link', `<${CATALOG}>; rel="api-catalog"`)
      return reply.type(type).send(written.bytes)
    })
    // In this scope, because a browser's preflight request needs its headers.
    app.options(path, { schema: { hide: true } }, (_request, reply) =>
      reply.code(204).header('allow', 'GET, HEAD, OPTIONS').send(),
    )
  }
  const partners = (now: ApiBrand) => withBrand(documentFor('partners', documentOf(app)), now, TITLES.partners)
  const site = (now: ApiBrand) => withBrand(documentFor('site', documentOf(app)), now, TITLES.site)
  serve('/openapi.json', JSON_TYPE, (now) => JSON.stringify(partners(now)))
  serve('/openapi.yaml', YAML_TYPE, (now) => stringify(partners(now), { aliasDuplicateObjects: false }))
  serve('/openapi-3.0.json', JSON_TYPE, (now) => JSON.stringify(downConvert(partners(now))))
  serve('/interno/openapi.json', JSON_TYPE, (now) => JSON.stringify(site(now)))
  serve(CATALOG, CATALOG_TYPE, () => JSON.stringify(apiCatalog(publicUrl)))
}

/** What the documents say about the marketplace. */
interface ApiBrand {
  nombre: string
  isNamed: boolean
  support: { url?: string | undefined; mail?: string | undefined }
  legal: { url: string }[]
}

const TITLES = {
  partners: (nombre: string) => `API de ${nombre} para apps asociadas`,
  site: (nombre: string) => `API del sitio de ${nombre}`,
}

/** The first legal link is that of the terms of service. */
function withBrand(document: Document, brand: ApiBrand, title: (nombre: string) => string): Document {
  const { nombre, isNamed, support, legal } = brand
  const { contact, ...info } = document.info
  return {
    ...document,
    info: {
      ...info,
      ...(isNamed && { title: title(nombre) }),
      ...(legal[0] && { termsOfService: legal[0].url }),
      contact: {
        ...contact,
        ...(isNamed && { name: nombre }),
        ...(support.url && { url: support.url }),
        ...(support.mail && { email: support.mail }),
      },
    },
  }
}

/** Lets tools in a browser read the documents; they are public and need no credential. */
function readableFromAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS')
      reply.header('access-control-allow-methods', 'GET, HEAD').header('access-control-allow-headers', '*')
    done()
  })
}

/** The APIs of this server with their descriptions (RFC 9727), as a linkset (RFC 9264). */
function apiCatalog(publicUrl: string) {
  const at = (path: string, type: string) => ({ href: `${publicUrl}${path}`, type })
  const doc = at('/docs', 'text/html')
  return {
    linkset: [
      {
        anchor: `${publicUrl}/v3`,
        'service-desc': [
          at('/openapi.json', JSON_TYPE),
          at('/openapi.yaml', YAML_TYPE),
          at('/openapi-3.0.json', JSON_TYPE),
        ],
        'service-doc': [doc],
        status: [at('/health/ready', JSON_TYPE)],
      },
      {
        anchor: `${publicUrl}/interno/v1`,
        'service-desc': [at('/interno/openapi.json', JSON_TYPE)],
        'service-doc': [doc],
      },
    ],
  }
}

/** The document for all audiences, complete once every route is declared (`app.ready()`). */
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
    description: 'La clave de API de un sitio del propio mercado (npx rodado sitio create), solo para /interno.',
  },
  Basic: { type: 'http' as const, scheme: 'basic', description: 'AppKey y AppSecret, solo para pedir un token.' },
})

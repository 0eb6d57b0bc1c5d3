import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

/** Collects the route schemas into one OpenAPI 3.1 document, as each route is declared. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'API para apps asociadas',
        version: 'v3',
        description: 'Invitar agencias, publicar sus autos, recibir sus consultas y consultar los catálogos.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          firma: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'SVC-HMAC {AppKey}:{firma}: cada solicitud se firma con el AppSecret.',
          },
          token: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } },
          },
        },
      },
      security: [{ firma: [] }, { token: [] }],
    },
    refResolver: {
      buildLocalReference: (schema, _baseUri, _fragment, index) => String(schema.$id ?? `schema${index}`),
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    reply.type('application/json')
    return JSON.stringify(app.swagger())
  })
}

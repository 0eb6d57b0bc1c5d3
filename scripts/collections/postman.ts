import type { Collection, CollectionRequest } from './requests.ts'
import { SIGNING } from './signing.ts'

const SCRIPT = `// Signs every request under /v3, or sends the token if the variable auth is token.
${SIGNING}

const url = pm.variables.replaceIn(pm.request.url.toString())
const target = targetOf(url)
if (/\\/v3([/?]|$)/.test(target)) {
  const body = pm.request.body && pm.request.body.raw ? pm.variables.replaceIn(pm.request.body.raw) : ''
  if (body) pm.request.body.update({ mode: 'raw', raw: body })
  const headers = authHeaders({
    method: pm.request.method,
    target,
    body,
    auth: pm.variables.get('auth'),
    accessToken: pm.variables.get('accessToken'),
    appKey: pm.variables.get('appKey'),
    appSecret: pm.variables.get('appSecret'),
    prefix: pm.variables.get('signaturePrefix'),
  })
  for (const name of Object.keys(headers)) pm.request.headers.upsert({ key: name, value: headers[name] })
}`

/** A collection in Postman's format 2.1. */
export function printPostman({ name, description, variables, folders }: Collection): string {
  const collection = {
    info: {
      name,
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: SCRIPT.split('\n') } }],
    item: folders.map((folder) => ({
      name: folder.name,
      description: folder.description,
      item: folder.requests.map(itemOf),
    })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

const STORE_TOKEN = "pm.collectionVariables.set('accessToken', pm.response.json().access_token)"

function itemOf(given: CollectionRequest) {
  const { name, description, method, path, query, headers, json, form, isBasic, givesToken } = given
  const enabled = query.filter(({ isRequired }) => isRequired)
  const search = enabled.map((each) => `${each.name}=${each.value}`).join('&')
  const contentType = json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]
  return {
    name,
    ...(givesToken && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [STORE_TOKEN] } }] }),
    request: {
      method,
      description,
      ...(isBasic && { auth: { type: 'basic', basic: basicOf('{{appKey}}', '{{appSecret}}') } }),
      header: [
        ...contentType,
        ...headers.map((header) => ({
          key: header.name,
          value: header.value,
          description: header.description,
          disabled: true,
        })),
      ],
      url: {
        raw: `{{baseUrl}}${path}${search && `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: path.split('/').slice(1),
        query: query.map((each) => ({
          key: each.name,
          value: each.value,
          description: each.description,
          disabled: !each.isRequired,
        })),
      },
      ...(json !== undefined && { body: { mode: 'raw', raw: json, options: { raw: { language: 'json' } } } }),
      ...(form && {
        body: { mode: 'urlencoded', urlencoded: Object.entries(form).map(([key, value]) => ({ key, value })) },
      }),
    },
  }
}

const basicOf = (username: string, password: string) => [
  { key: 'username', value: username, type: 'string' },
  { key: 'password', value: password, type: 'string' },
]

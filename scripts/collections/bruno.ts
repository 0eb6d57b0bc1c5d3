import type { Collection, CollectionRequest } from './requests.ts'
import { SIGNING } from './signing.ts'

const SCRIPT = `// Signs every request under /v3, or sends the token if the variable auth is token.
${SIGNING}

const target = targetOf(bru.interpolate(req.getUrl()))
if (/\\/v3([/?]|$)/.test(target)) {
  const raw = req.getBody({ raw: true })
  const body = raw ? bru.interpolate(typeof raw === 'string' ? raw : JSON.stringify(raw)) : ''
  if (body) req.setBody(body, { raw: true })
  const headers = authHeaders({
    method: req.getMethod(),
    target,
    body,
    auth: bru.interpolate('{{auth}}'),
    accessToken: bru.interpolate('{{accessToken}}'),
    appKey: bru.interpolate('{{appKey}}'),
    appSecret: bru.interpolate('{{appSecret}}'),
    prefix: bru.interpolate('{{signaturePrefix}}'),
  })
  for (const name of Object.keys(headers)) req.setHeader(name, headers[name])
}`

/** The files of a Bruno collection, by their path in its folder. */
export function brunoFiles({ name, description, variables, folders }: Collection): Record<string, string> {
  const { appSecret: _secret, ...shown } = variables
  const defaults = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ''))
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`,
    // The defaults are for requests without an environment, whose variables come first.
    'collection.bru': blocks([
      ['vars:pre-request', pairs(defaults)],
      ['script:pre-request', SCRIPT],
      ['docs', description],
    ]),
    'environments/local.bru': `${blocks([['vars', pairs(shown)]])}\nvars:secret [\n  appSecret\n]\n`,
  }
  for (const [at, folder] of folders.entries()) {
    files[`${folder.tag}/folder.bru`] = blocks([
      ['meta', pairs({ name: folder.name, seq: String(at + 1) })],
      ['docs', folder.description],
    ])
    for (const [index, request] of folder.requests.entries())
      files[`${folder.tag}/${request.id}.bru`] = printRequest(request, index + 1)
  }
  return files
}

function printRequest(request: CollectionRequest, seq: number): string {
  const { name, description, method, path, query, headers, json, form, isBasic, givesToken } = request
  const enabled = query.filter(({ isRequired }) => isRequired).map((each) => `${each.name}=${each.value}`)
  const url = `{{baseUrl}}${path}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`
  const body = json !== undefined ? 'json' : form ? 'formUrlEncoded' : 'none'
  const optional = (each: { name: string; value: string }) => [`~${each.name}`, each.value]
  return blocks([
    ['meta', pairs({ name, type: 'http', seq: String(seq) })],
    [method.toLowerCase(), pairs({ url, body, auth: isBasic ? 'basic' : 'none' })],
    [
      'params:query',
      pairs(Object.fromEntries(query.map((each) => (each.isRequired ? [each.name, each.value] : optional(each))))),
    ],
    ['headers', pairs(Object.fromEntries(headers.map(optional)))],
    ['auth:basic', isBasic ? pairs({ username: '{{appKey}}', password: '{{appSecret}}' }) : ''],
    ['body:json', json ?? ''],
    ['body:form-urlencoded', form ? pairs(form) : ''],
    ['script:post-response', givesToken ? "bru.setVar('accessToken', res.body.access_token)" : ''],
    ['docs', description],
  ])
}

const pairs = (members: Record<string, string>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Blocks of the format: a name, and its lines indented; empty ones are left out. */
const blocks = (given: [name: string, text: string][]): string =>
  given
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} {\n${text.replace(/^(?=.)/gm, '  ')}\n}\n`)
    .join('\n')

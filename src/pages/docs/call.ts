import { segment } from '../../http/links.ts'
import {
  type Document,
  type Method,
  nameOf,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from '../../http/openapi/document.ts'
import { sampleOf } from './sample.ts'

export function sampleCall(path: string, method: Method, operation: Operation, document: Document): Call {
  const { schemas } = document.components
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, document))
  const sampleValue = ({ example, schema }: Parameter) => String(example ?? sampleOf(schema, schemas, path))

  const filled = parameters
    .filter(({ in: entry }) => entry === 'path')
    .reduce((target, parameter) => target.replace(`{${parameter.name}}`, segment(sampleValue(parameter))), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(sampleValue(parameter))}`)
  const target = query.length > 0 ? `${filled}?${query.join('&')}` : filled

  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (!type || !content) return { method, target }
  const body = type.endsWith('json')
    ? JSON.stringify(sampleOf(content.schema, schemas, target))
    : form(content.schema, document)
  return { method, target, body }
}

/** The call with curl: signed, unless the operation has other security or none. */
export function sampleCurl(call: Call, { security }: Operation, publicUrl: string, scheme: string): string {
  if (!security) return signedCurl(call, publicUrl, scheme)
  const asks = (scheme: string) => security.some((requirement) => scheme in requirement)
  if (asks('SitioKey'))
    return plainCurl(call, publicUrl, [
      '-H "Authorization: Bearer $SITIO_KEY"',
      ...(call.body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ])
  return plainCurl(call, publicUrl, asks('Basic') ? ['-u "$APP_KEY:$APP_SECRET"'] : [])
}

const form = ({ properties = {}, required = [] }: Schema, { components }: Document): string =>
  required
    .map((name) => `${name}=${encodeURIComponent(String(sampleOf(properties[name] ?? {}, components.schemas, '')))}`)
    .join('&')

interface Call {
  method: Method
  /** Path and query exactly as sent. */
  target: string
  body?: string
}

/** A shell command that signs and sends the call; it needs APP_KEY and APP_SECRET, openssl and curl. */
export function signedCurl({ method, target, body }: Call, publicUrl: string, scheme: string): string {
  const verb = method.toUpperCase()
  const digest = body === undefined ? "''" : '"$DIGEST"'
  const lines = [
    ...(body === undefined
      ? []
      : [
          `CUERPO=${shellQuoted(body)}`,
          `DIGEST="sha-256=$(printf %s "$CUERPO" | openssl dgst -sha256 -binary | base64)"`,
        ]),
    `FECHA=$(LC_ALL=C date -u '+%a, %d %b %Y %T GMT')`,
    `FIRMA=$(printf '${verb}\\n%s\\n%s\\n%s' ${digest} "$FECHA" ${shellQuoted(target)} |`,
    `  openssl dgst -sha256 -hmac "$APP_SECRET" -binary | base64)`,
    '',
    curl(verb, publicUrl + target, [
      `-H "Date: $FECHA"`,
      `-H "Authorization: ${scheme} $APP_KEY:$FIRMA"`,
      ...(body === undefined
        ? []
        : [`-H "Digest: $DIGEST"`, `-H 'Content-Type: application/json'`, `--data-raw "$CUERPO"`]),
    ]),
  ]
  return lines.join('\n')
}

export function plainCurl({ method, target, body }: Call, publicUrl: string, options: string[] = []): string {
  const data = body === undefined ? [] : [`-d ${shellQuoted(body)}`]
  return curl(method.toUpperCase(), publicUrl + target, [...options, ...data])
}

function curl(verb: string, url: string, options: string[]): string {
  const sendsData = options.some((option) => option.startsWith('-d') || option.startsWith('--data'))
  const start = verb === (sendsData ? 'POST' : 'GET') ? 'curl' : `curl -X ${verb}`
  return [`${start} ${shellQuoted(url)}`, ...options].join(' \\\n  ')
}

/** For a shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The object itself, or the component that a reference names. */
export function resolve<T extends object>(item: T | Reference, { components }: Document): T {
  if (!('$ref' in item)) return item
  const [, , kind = ''] = item.$ref.split('/')
  return Reflect.get(Reflect.get(components, kind), nameOf(item)) as T
}

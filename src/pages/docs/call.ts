import type { Document, Method, Operation, Parameter, Schema } from '../../http/openapi/document.ts'
import { type Call, plainCurl, signedCurl } from './curl.ts'
import { resolve } from './resolve.ts'
import { sampleOf } from './sample.ts'

/** A call of an operation with sample values, as a person would try it. */
export function sampleCall(path: string, method: Method, operation: Operation, document: Document): Call {
  const { schemas } = document.components
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, document))
  const sampleValue = ({ example, schema }: Parameter) => String(example ?? sampleOf(schema, schemas, path))

  const filled = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((target, parameter) => target.replace(`{${parameter.name}}`, inPath(sampleValue(parameter))), path)
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

/** That call in a shell: signed, unless the operation asks for something else or for nothing. */
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

/** The required members, as a form has them. */
const form = ({ properties = {}, required = [] }: Schema, { components }: Document): string =>
  required
    .map((name) => `${name}=${encodeURIComponent(String(sampleOf(properties[name] ?? {}, components.schemas, '')))}`)
    .join('&')

/** Mail addresses keep their `@`, as in every href of ours. */
const inPath = (value: string) => encodeURIComponent(value).replaceAll('%40', '@')

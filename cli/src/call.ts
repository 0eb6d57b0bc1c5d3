import { createSigner } from '@rodado/client'
import { TEXT, UsageError } from './command.ts'
import { describeFailure } from './describe-failure.ts'
import { readBody } from './input.ts'
import { addressSource, baseOf, credentialsOf, defineCommand, PARTNER_OPTIONS } from './partner.ts'
import { prettyJson } from './terminal.ts'

const OPTIONS = {
  body: { ...TEXT, short: 'd' },
  header: { ...TEXT, short: 'H', multiple: true },
  accept: TEXT,
  ...PARTNER_OPTIONS,
} as const

/** Sends a signed request and shows the response. */
export const run = defineCommand('METHOD PATH', OPTIONS, async (values, io, given, path) => {
  const { config, err, style } = io
  if (!path.startsWith('/')) throw new UsageError('give a PATH that begins with /.')
  const base = baseOf(config, values)
  const headers = readHeaders([values.header ?? []].flat(), config.prefix)
  if (values.accept) headers.accept = values.accept
  const { appKey, secret: appSecret } = await credentialsOf(config, values)
  const body = values.body === undefined ? undefined : await readBody(values.body, io.input)
  if (body !== undefined) headers['content-type'] ??= 'application/json'

  const method = given.toUpperCase()
  // As fetch sends it, so that the signature fits.
  const { pathname, search, origin } = new URL(base + path)
  const signable = { method, target: pathname + search, body }
  const sign = createSigner({ appKey, appSecret, prefix: config.prefix })
  const request = requestOf(origin + signable.target, {
    method,
    headers: { ...headers, ...(await sign(signable, { date: new Date(), nonce: crypto.randomUUID() })) },
    ...(body !== undefined && { body }),
    redirect: 'manual',
  })
  const response = await fetch(request).catch((error) => {
    throw new Error(describeFailure(base, error, addressSource(config, values)))
  })
  const [text, { status }] = [await response.text(), response]
  const isDone = response.ok || status === 304
  if (!values.json) {
    err.write(`${style(isDone ? 'green' : 'red', `${status} ${response.statusText}`)}\n`)
    for (const [name, value] of response.headers) err.write(style('dim', `${name}: ${value}\n`))
    err.write('\n')
  }
  const parsed = parse(text)
  return {
    json: { status, headers: Object.fromEntries(response.headers), body: parsed },
    text: text && `${typeof parsed === 'string' ? text : prettyJson(parsed, style)}\n`,
    code: isDone ? 0 : 1,
  }
})

/** A method, header or body that HTTP does not allow is a wrong command line, not a server that does not answer. */
function requestOf(url: string, init: RequestInit): Request {
  try {
    return new Request(url, init)
  } catch (error) {
    throw new UsageError(`the request cannot be sent: ${(error as Error).message}`)
  }
}

/** `Name: value`, each; those that the signature makes are refused. */
function readHeaders(given: readonly string[], prefix: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const text of given) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? []
    if (!name) throw new UsageError(`-H takes "Name: value", not "${text}".`)
    const lower = name.toLowerCase()
    if (['authorization', 'date', 'digest'].includes(lower) || lower.startsWith(`x-${prefix.toLowerCase()}-`))
      throw new UsageError(`-H cannot set ${name}: the signature makes it.`)
    headers[lower] = value
  }
  return headers
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

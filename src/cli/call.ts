import { signRequest } from '../auth/signature.ts'
import { defineCommand, TEXT, UsageError } from './command.ts'
import { baseOf, credentialsOf, PARTNER_OPTIONS } from './partner.ts'

const OPTIONS = { body: TEXT, accept: TEXT, ...PARTNER_OPTIONS }

/** Sends a signed request with the credentials of an app in this store. */
export const run = defineCommand('METHOD PATH', OPTIONS, async (values, { config, err }, method, path) => {
  if (!path.startsWith('/')) throw new UsageError('give a PATH that begins with /.')
  const base = baseOf(config, values)
  const signer = { ...(await credentialsOf(config, values)), prefix: config.signaturePrefix }
  const { pathname, search } = new URL(`http://server${path}`) // percent-encoded
  const request = { method: method.toUpperCase(), target: pathname + search, body: values.body }
  const { headers } = signRequest(request, signer, new Date())
  if (values.accept) headers.accept = values.accept

  const response = await fetch(base + request.target, {
    method: request.method,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
  }).catch((error) => {
    throw new Error(
      `${base} does not answer (${error.cause?.code ?? error.message}). Is the server running? Start it with \`npm start\`.`,
    )
  })
  const [body, { status }] = [await response.text(), response]
  if (!values.json) {
    err.write(`${status} ${response.statusText}\n`)
    for (const [name, value] of response.headers) err.write(`${name}: ${value}\n`)
    err.write('\n')
  }
  return {
    json: { status, headers: Object.fromEntries(response.headers), body: parsed(body) },
    text: body && `${pretty(body)}\n`,
    code: response.ok || status === 304 ? 0 : 1,
  }
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const pretty = (text: string): string => {
  const value = parsed(text)
  return typeof value === 'string' ? text : JSON.stringify(value, null, 2)
}

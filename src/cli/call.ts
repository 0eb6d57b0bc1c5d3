import { createHash, createSecretKey } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../auth/signature.ts'
import { type Command, parse, printJson, UsageError } from './command.ts'
import { baseOf, type Credentials, credentialsOf, PARTNER_OPTIONS } from './partner.ts'

/** A signed request as a partner would send it, signed with the secret of an app of this store. */
export const call: Command = {
  usage: `Usage: rodado call METHOD PATH [--body JSON] [--accept TYPE] [--app APPKEY] [--secret SECRET] [--url BASE] [--json]

  Without --app, the newest active app signs. With --secret nothing is read from the store.`,

  async run(argv, { config, out, err }) {
    const { values, positionals } = parse(argv, {
      body: { type: 'string' },
      accept: { type: 'string' },
      ...PARTNER_OPTIONS,
      json: { type: 'boolean' },
    })
    const [method, path, ...more] = positionals
    if (!method || !path?.startsWith('/') || more.length > 0)
      throw new UsageError('give a METHOD and a PATH that begins with /.')

    const credentials = await credentialsOf(config, values)
    const base = new URL(baseOf(config, values))
    const target = new URL(path, base)
    const request = signedRequest(method.toUpperCase(), target, values.body, credentials, config.signaturePrefix)
    if (values.accept) request.headers.accept = values.accept

    const response = await fetch(target, { ...request, redirect: 'manual' }).catch((error) => {
      throw new Error(
        `${base.origin} does not answer (${error.cause?.code ?? error.message}). Is the server running? Start it with \`npm start\`.`,
      )
    })
    const body = await response.text()
    if (values.json) {
      printJson(out, { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(body) })
    } else {
      err.write(`${response.status} ${response.statusText}\n`)
      for (const [name, value] of response.headers) err.write(`${name}: ${value}\n`)
      err.write('\n')
      if (body) out.write(`${pretty(body)}\n`)
    }
    return response.ok || response.status === 304 ? 0 : 1
  },
}

function signedRequest(
  method: string,
  target: URL,
  body: string | undefined,
  { appKey, secret }: Credentials,
  prefix: string,
) {
  const names = signatureNames(prefix)
  const headers: Record<string, string> = { [names.dateHeader]: new Date().toUTCString() }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    headers.digest = `sha-256=${createHash('sha256').update(body).digest('base64')}`
  }
  const text = textToSign({ method, target: target.pathname + target.search, headers }, names)
  headers.authorization = `${names.scheme} ${appKey}:${sign(createSecretKey(secret, 'utf8'), text).toString('base64')}`
  return { method, headers, ...(body !== undefined && { body }) }
}

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

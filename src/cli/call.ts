import { signRequest } from '../auth/signature.ts'
import { type Command, parse, printJson, UsageError } from './command.ts'
import { baseOf, credentialsOf, PARTNER_OPTIONS, PARTNER_USAGE } from './partner.ts'

/** Sends a signed request with the credentials of an app in this store. */
export const command: Command = {
  usage: `Usage: rodado call METHOD PATH [--body JSON] [--accept TYPE] [--json]

${PARTNER_USAGE}`,

  async run(argv, { config, out, err }) {
    const { values, positionals } = parse(argv, {
      body: { type: 'string' },
      accept: { type: 'string' },
      ...PARTNER_OPTIONS,
    })
    const [method, path, ...more] = positionals
    if (!method || !path?.startsWith('/') || more.length > 0)
      throw new UsageError('give a METHOD and a PATH that begins with /.')

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

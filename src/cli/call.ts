import { createHash, createSecretKey } from 'node:crypto'
import { liveSecrets } from '../apps/secrets.ts'
import { findApp, listApps } from '../apps/store.ts'
import { sign, signatureNames, textToSign } from '../auth/signature.ts'
import type { Config } from '../config.ts'
import { type Command, parse, printJson, UsageError, withStore } from './command.ts'

interface Credentials {
  appKey: string
  secret: string
}

/** A signed request as a partner would send it, signed with the secret of an app of this store. */
export const call: Command = {
  usage: `Usage: rodado call METHOD PATH [--body JSON] [--accept TYPE] [--app APPKEY] [--secret SECRET] [--url BASE] [--json]

  Without --app, the newest active app signs. With --secret nothing is read from the store.`,

  async run(argv, { config, out, err }) {
    const { values, positionals } = parse(argv, {
      body: { type: 'string' },
      accept: { type: 'string' },
      app: { type: 'string' },
      secret: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [method, path, ...more] = positionals
    if (!method || !path?.startsWith('/') || more.length > 0)
      throw new UsageError('give a METHOD and a PATH that begins with /.')

    const credentials =
      values.app && values.secret
        ? { appKey: values.app, secret: values.secret }
        : await keptCredentials(config, values.app)
    const base = new URL(values.url ?? config.publicUrl)
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

async function keptCredentials(config: Config, appKey: string | undefined): Promise<Credentials> {
  return withStore(config, async ({ store, seal }) => {
    const app = appKey ? await findApp(store, appKey) : (await listApps(store)).findLast(({ disabled }) => !disabled)
    const [newest] = app ? await liveSecrets(store, seal, app.id) : []
    if (!app || !newest) throw new Error('there is no app to sign with. Make one: npx rodado app create --nombre NAME')
    return { appKey: app.appKey, secret: newest.secret }
  })
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

import { type Client, ConnectionError, createClient, ProblemError } from '@rodado/client'
import { commandsWith, readAddress, TEXT, UsageError } from './command.ts'
import type { Credentials, PartnerConfig } from './config.ts'
import { describeFailure } from './describe-failure.ts'

export const { defineCommand } = commandsWith<PartnerConfig>()

/** Options of the commands that call the API as a partner. */
export const PARTNER_OPTIONS = { app: TEXT, secret: TEXT, url: TEXT }

type Partner = { [Option in keyof typeof PARTNER_OPTIONS]?: string | undefined }

/** The given credentials, or those of an app in the server's own database. */
export async function credentialsOf(config: PartnerConfig, given: Partner): Promise<Credentials> {
  const appKey = given.app ?? config.appKey
  const secret = given.secret ?? ownSecret(config, given.app)
  if (secret === undefined && config.local) return config.local.credentials(appKey)
  if (secret === undefined)
    throw new UsageError('an app is needed: --app and --secret, or RODADO_APP_KEY and RODADO_APP_SECRET.')
  if (!appKey || !secret) throw new UsageError('a secret needs the AppKey it belongs to: --app or RODADO_APP_KEY.')
  return { appKey, secret }
}

/** The secret of the environment, unless --app names another app. */
const ownSecret = ({ appKey, appSecret }: PartnerConfig, app: string | undefined): string | undefined =>
  app === undefined || appKey === undefined || app === appKey ? appSecret : undefined

/** The server's base URL, without a trailing slash. */
export function baseOf(config: PartnerConfig, partner: Partner): string {
  const base = partner.url ?? config.url
  if (!base) throw new UsageError('name the marketplace: --url https://… or RODADO_URL.')
  const { origin, pathname } = new URL(readAddress(addressSource(config, partner), base))
  const path = pathname.replace(/\/+$/, '')
  if (/\/v3$/i.test(path))
    throw new UsageError(`${addressSource(config, partner)} ends in /v3: leave that out, every path begins with it.`)
  return origin + path
}

/** Where the address comes from, for messages. */
export function addressSource({ local }: PartnerConfig, { url }: Partner): string {
  if (url !== undefined) return '--url'
  return local ? 'RODADO_URL or PUBLIC_URL' : 'RODADO_URL'
}

/** A client with the credentials of the command; what fails names the address and what to do. */
export async function withClient<T>(
  config: PartnerConfig,
  partner: Partner,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const baseUrl = baseOf(config, partner)
  const { appKey, secret: appSecret } = await credentialsOf(config, partner)
  try {
    return await work(createClient({ baseUrl, appKey, appSecret, prefix: config.prefix, vendor: config.vendor }))
  } catch (error) {
    throw explainError(error, baseUrl, addressSource(config, partner))
  }
}

/** The error with the server's address, the properties that were refused, and what to do. */
export function explainError(error: unknown, base: string, source = 'RODADO_URL'): unknown {
  if (error instanceof ConnectionError) return new Error(describeFailure(base, error.cause, source), { cause: error })
  if (!(error instanceof ProblemError)) return error
  const address = new URL(error.instance, base)
  return new Error(`${error.message}\n  ${address}${remedy(error, base, source)}`, { cause: error })
}

function remedy({ status, type, retryAfterSeconds, requestId }: ProblemError, base: string, source: string): string {
  if (status === 401)
    return '\n  Check --app and --secret (RODADO_APP_KEY, RODADO_APP_SECRET), and that --url is the marketplace they belong to.'
  if (status === 429) return `\n  Too many requests: try again in ${retryAfterSeconds ?? 60} s.`
  if (status >= 500)
    return `\n  Try again later; if it persists, tell the marketplace${requestId ? ` the request: ${requestId}` : ''}.`
  if (type === '' || (status === 404 && new URL(base).pathname !== '/'))
    return `\n  Check ${source}: it is the marketplace's address, without /v3.`
  return ''
}

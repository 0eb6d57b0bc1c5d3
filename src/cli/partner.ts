import { type Client, createClient } from '@rodado/client'
import type { Config } from '../config.ts'
import { TEXT, UsageError } from './command.ts'
import type { Credentials } from './with-store.ts'

/** Options of the commands that call the API as a partner. */
export const PARTNER_OPTIONS = { app: TEXT, secret: TEXT, url: TEXT }

type Partner = { [Option in keyof typeof PARTNER_OPTIONS]?: string | undefined }

/** The given credentials, or those of an app in this store. */
export async function credentialsOf(config: Config, given: Partner): Promise<Credentials> {
  const appKey = given.app ?? config.rodadoAppKey
  const secret = given.secret ?? ownSecret(config, given.app)
  if (secret !== undefined) {
    if (!appKey || !secret) throw new UsageError('a secret needs the AppKey it belongs to: --app or RODADO_APP_KEY.')
    return { appKey, secret }
  }
  const { credentialsOfOwnApp } = await import('./with-store.ts') // not loaded on a partner's machine, which has no store
  return credentialsOfOwnApp(config, appKey)
}

/** The secret of the environment, unless --app names another app. */
const ownSecret = ({ rodadoAppKey, rodadoAppSecret }: Config, app: string | undefined): string | undefined =>
  app === undefined || rodadoAppKey === undefined || app === rodadoAppKey ? rodadoAppSecret : undefined

/** The server's base URL, without a trailing slash. */
export function baseOf(config: Config, { url }: Partner): string {
  const base = url ?? config.rodadoUrl ?? config.publicUrl
  if (!/^https?:/.test(base) || !URL.canParse(base)) throw new UsageError('--url must be an http or https address.')
  const { origin, pathname } = new URL(base)
  return origin + pathname.replace(/\/+$/, '')
}

/** A client with the credentials of the command. */
export async function clientOf(config: Config, partner: Partner): Promise<Client> {
  const { appKey, secret: appSecret } = await credentialsOf(config, partner)
  const { signaturePrefix: prefix, vendor } = config
  return createClient({ baseUrl: baseOf(config, partner), appKey, appSecret, prefix, vendor })
}

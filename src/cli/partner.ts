import { type Client, createClient } from '@rodado/client'
import { liveSecrets } from '../apps/secrets.ts'
import { findApp, listApps } from '../apps/store.ts'
import type { Config } from '../config.ts'
import { withStore } from './command.ts'

/** How a command that speaks for a partner is told whose it is, and where. */
export const PARTNER_OPTIONS = {
  app: { type: 'string' },
  secret: { type: 'string' },
  url: { type: 'string' },
} as const

export const PARTNER_USAGE = `  --app APPKEY, --secret SECRET   whose it is; without --secret, an app of this store, the newest one by default
  --url BASE                      where the server is; PUBLIC_URL by default`

export interface Partner {
  app?: string | undefined
  secret?: string | undefined
  url?: string | undefined
}

export interface Credentials {
  appKey: string
  secret: string
}

/** The credentials that were given; otherwise those of an app of this store. */
export async function credentialsOf(config: Config, { app: appKey, secret }: Partner): Promise<Credentials> {
  if (appKey && secret) return { appKey, secret }
  return withStore(config, async ({ store, seal }) => {
    const app = appKey ? await findApp(store, appKey) : (await listApps(store)).findLast(({ disabled }) => !disabled)
    const [newest] = app ? await liveSecrets(store, seal, app.id) : []
    if (!app || !newest) throw new Error('there is no app to sign with. Make one: npx rodado app create --nombre NAME')
    return { appKey: app.appKey, secret: newest.secret }
  })
}

export const baseOf = (config: Config, { url }: Partner): string => url ?? config.publicUrl

/** A client for the app that a command speaks for. */
export async function clientOf(config: Config, partner: Partner): Promise<Client> {
  const { appKey, secret: appSecret } = await credentialsOf(config, partner)
  const { signaturePrefix: prefix, vendor } = config
  return createClient({ baseUrl: baseOf(config, partner), appKey, appSecret, prefix, vendor })
}

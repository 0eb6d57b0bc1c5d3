import type { MatchValues, PartnerConfig } from '@rodado/cli'
import type { Config } from '../config.ts'

/** The configuration of the commands for partners: this server, its apps and its catalogue by default. */
export function partnerConfig(config: Config): PartnerConfig {
  const { rodadoUrl, publicUrl, rodadoAppKey, rodadoAppSecret, signaturePrefix: prefix, vendor } = config
  let match: MatchValues | undefined
  return {
    url: rodadoUrl ?? publicUrl,
    appKey: rodadoAppKey,
    appSecret: rodadoAppSecret,
    prefix,
    vendor,
    local: {
      async credentials(appKey) {
        const { credentialsOfOwnApp } = await import('./with-store.ts') // loaded late: most commands have credentials
        return credentialsOfOwnApp(config, appKey)
      },
      async match(kind, values) {
        match ??= (await import('./local-bestmatch.ts')).matchLocally(config)
        return match(kind, values)
      },
    },
  }
}

import { readFileSync } from 'node:fs'
import type { MatchValues } from './bestmatch/match.ts'
import { UsageError } from './command.ts'

export interface Credentials {
  appKey: string
  secret: string
}

/** What the commands for partners need to know. */
export interface PartnerConfig {
  /** The marketplace's address: RODADO_URL. */
  url: string | undefined
  /** RODADO_APP_KEY and RODADO_APP_SECRET. */
  appKey: string | undefined
  appSecret: string | undefined
  /** The marketplace's SIGNATURE_PREFIX and VENDOR. */
  prefix: string
  vendor: string
  /** What only a server's own command line can do, without calling the API. */
  local?: {
    /** The credentials of an app in its database, by default the newest. */
    credentials(appKey: string | undefined): Promise<Credentials>
    /** Matches values against its own catalogue. */
    match: MatchValues
  }
}

/** Reads the environment; RODADO_APP_SECRET_FILE names a file instead of the secret. */
export function readPartnerConfig(env: Record<string, string | undefined>): PartnerConfig {
  const text = (name: string) => env[name]?.trim() || undefined
  const file = text('RODADO_APP_SECRET_FILE')
  return {
    url: text('RODADO_URL'),
    appKey: text('RODADO_APP_KEY'),
    appSecret: text('RODADO_APP_SECRET') ?? (file && readSecret(file)),
    prefix: text('SIGNATURE_PREFIX') ?? 'SVC',
    vendor: text('VENDOR') ?? 'service',
  }
}

function readSecret(file: string): string {
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`RODADO_APP_SECRET_FILE cannot be read: ${(error as Error).message}.`)
  }
  if (!secret) throw new UsageError(`RODADO_APP_SECRET_FILE names an empty file: ${file}.`)
  return secret
}

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type BrandSource, defaultBrand } from './brand/brand.ts'

/** The countries whose tax numbers and words are known. All but BR have a catalogue here (catalogue/README.md); BR needs CATALOGUE_DIR. */
// biome-ignore format: one line is easier to read than eighteen
export const COUNTRIES = ['AR', 'BO', 'BR', 'CL', 'CO', 'CR', 'DO', 'EC', 'GT', 'HN', 'MX', 'NI', 'PA', 'PE', 'PY', 'SV', 'UY', 'VE'] as const

export type Country = (typeof COUNTRIES)[number]

/** The key that signs emails, and where its public part is published. */
export interface Dkim {
  domain: string
  selector: string
  /** In PEM. */
  key: string
}

/** The settings of the operator, read once from the environment. */
export type Config = ReturnType<typeof readConfig>

/** Names every fault of the environment at once, so that an operator corrects them together. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Reads and checks the whole environment; throws a ConfigError that names every fault. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const faults: string[] = []
  const given = withSecretFiles(env, faults)

  /** An absent or blank variable has its default; one that does not parse is a fault. */
  function read<T>(name: string, allowed: string, parse: (value: string) => T | undefined, otherwise: T): T {
    const value = given[name]?.trim()
    if (!value) return otherwise
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    const shown = SECRET.has(name) ? 'the value given' : JSON.stringify(value)
    faults.push(`${name} must be ${allowed}; ${shown} is not.`)
    return otherwise
  }

  const whole = <T>(name: string, min: number, max: number, otherwise: number | T) =>
    read(name, `a whole number from ${min} to ${max}`, (value) => wholeNumber(value, min, max), otherwise)
  const oneOf = <T extends string>(name: string, choices: readonly T[], otherwise: T) =>
    read(name, `one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value), otherwise)
  const matching = <T>(name: string, allowed: string, pattern: RegExp, otherwise: string | T) =>
    read(name, allowed, (value) => (pattern.test(value) ? value : undefined), otherwise)
  const text = <T>(name: string, allowed: string, otherwise: string | T) => matching(name, allowed, /./, otherwise)
  const web = (name: string) => read(name, 'an http or https address', webUrl, undefined)

  /** Sign-in of the staff at the marketplace's own provider; undefined where nothing of it is set. */
  function readOidc() {
    const issuer = read('OIDC_ISSUER', OIDC_ISSUER_FORM, oidcIssuer, undefined)
    const clientId = text('OIDC_CLIENT_ID', 'a client id', undefined)
    const clientSecret = text('OIDC_CLIENT_SECRET', 'a client secret', undefined)
    const groups = read('OIDC_GROUPS', OIDC_GROUPS_FORM, oidcGroups, undefined)
    const groupsClaim = text('OIDC_GROUPS_CLAIM', 'the name of a claim', 'groups')
    if (issuer && clientId && clientSecret && groups) return { issuer, clientId, clientSecret, groups, groupsClaim }
    if (issuer || clientId || clientSecret || groups)
      faults.push('OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_GROUPS are set together, or none of them.')
    return undefined
  }

  const host = text('HOST', 'an address or host name', '127.0.0.1')
  const port = whole('PORT', 0, 65_535, 3000)
  const config = {
    host,
    port,
    publicUrl: read('PUBLIC_URL', 'an http or https address without a path', origin, `http://${inUrl(host)}:${port}`),
    databaseReplicaUrls: read('DATABASE_REPLICA_URLS', REPLICAS_FORM, replicaUrls, []),
    replicaMaxLag: whole('REPLICA_MAX_LAG', 1, 60, 2),
    databaseUrl: read('DATABASE_URL', DATABASE_FORM, databaseUrl, undefined),
    databaseDirectUrl: read('DATABASE_DIRECT_URL', DATABASE_FORM, databaseUrl, undefined),
    pgPool: whole('PG_POOL', 2, 1_000, 20),
    pgStatementTimeout: whole('PG_STATEMENT_TIMEOUT', 1, 3_600, 30),
    pgLockTimeout: whole('PG_LOCK_TIMEOUT', 1, 3_600, 10),
    autoMigrate: oneOf('AUTO_MIGRATE', ['si', 'no'], given.DATABASE_URL?.trim() ? 'no' : 'si') === 'si',
    dataDir: resolve(text('DATA_DIR', 'a folder', './data')),
    photosUrl: read('PHOTOS_URL', PHOTOS_FORM, photosUrl, undefined),
    masterKey: read('MASTER_KEY', KEY_FORM, masterKey, undefined),
    masterKeyPrevious: read('MASTER_KEY_PREVIOUS', KEY_FORM, masterKey, undefined),
    backupKey: read('BACKUP_KEY', BACKUP_KEY_FORM, backupKey, undefined),
    smtpUrl: read('SMTP_URL', SMTP_FORM, smtpUrl, undefined),
    mailFrom: matching('MAIL_FROM', 'a mail address, alone or as Name <address>', MAILBOX, undefined),
    dkimDomain: matching('DKIM_DOMAIN', 'a domain', DOMAIN, undefined),
    dkimSelector: matching('DKIM_SELECTOR', 'a label of a domain', /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, undefined),
    dkimKey: read('DKIM_KEY', 'an RSA private key in PEM', privateKey, undefined),
    bounceAddress: matching('BOUNCE_ADDRESS', 'a mail address', BARE_ADDRESS, undefined),
    bounceImapUrl: read('BOUNCE_IMAP_URL', IMAP_FORM, imapUrl, undefined),
    supportUrl: web('SUPPORT_URL'),
    supportMail: matching('SUPPORT_MAIL', 'a mail address', MAILBOX, undefined),
    timeZone: read('TIME_ZONE', ZONE_FORM, timeZone, 'America/Argentina/Buenos_Aires'),
    country: oneOf('COUNTRY', COUNTRIES, 'AR'),
    catalogueDir: read('CATALOGUE_DIR', 'a folder', (value) => resolve(value), undefined),
    vendor: matching('VENDOR', 'lower-case letters, digits and hyphens', /^[a-z][a-z0-9-]{0,30}$/, 'service'),
    signaturePrefix: matching('SIGNATURE_PREFIX', 'capital letters and digits', /^[A-Z][A-Z0-9]{0,15}$/, 'SVC'),
    role: oneOf('ROLE', ['all', 'api', 'worker'], 'all'),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    metricsHost: text('METRICS_HOST', 'an address or host name', '127.0.0.1'),
    metricsPort: whole('METRICS_PORT', 0, 65_535, undefined),
    metricsToken: matching('METRICS_TOKEN', TOKEN_FORM, /^[\x21-\x7e]{16,}$/, undefined),
    tracing: isTraced(env),
    tracesUrl: isTraced(env) ? tracesUrlOf(env) : undefined,
    oidc: readOidc(),
    trustProxy: read('TRUST_PROXY', 'a comma-separated list of addresses or CIDR ranges', cidrs, []),
    allowPrivateCallbacks: read('ALLOW_PRIVATE_CALLBACKS', CALLBACK_RANGES, callbackRanges, []),
    drainSeconds: whole('DRAIN_SECONDS', 0, 600, undefined),
    ratePerSecond: whole('RATE_PER_SECOND', 1, 1_000_000, 50),
    rateBurst: whole('RATE_BURST', 1, 10_000_000, 200),
    invitesPerDay: whole('INVITES_PER_DAY', 0, 1_000_000, 200),
    retentionDays: whole('RETENTION_DAYS', 90, MAX_DAYS, 365),
    auditDays: whole('AUDIT_DAYS', 30, MAX_DAYS, 1_825),
    historyDays: whole('HISTORY_DAYS', 90, MAX_DAYS, 730),
    expiredDays: whole('EXPIRED_DAYS', 1, MAX_DAYS, 90),
    usageDays: whole('USAGE_DAYS', 90, MAX_DAYS, 730),
    archivedDays: whole('ARCHIVED_DAYS', 90, MAX_DAYS, 730),
    systemd: systemdOf(env),
    // Server and credentials of the commands for partners.
    rodadoUrl: web('RODADO_URL'),
    rodadoAppKey: text('RODADO_APP_KEY', 'an AppKey', undefined),
    rodadoAppSecret: text('RODADO_APP_SECRET', 'an AppSecret', undefined),
  }

  if (config.databaseUrl && !given.MASTER_KEY?.trim() && !env.MASTER_KEY_FILE?.trim())
    faults.push('MASTER_KEY is required with DATABASE_URL: make one with `openssl rand -hex 32` and keep it safe.')
  if (config.databaseReplicaUrls.length > 0 && !config.databaseUrl)
    faults.push('DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded store has no replicas.')
  if (config.databaseDirectUrl && !config.databaseUrl)
    faults.push('DATABASE_DIRECT_URL needs DATABASE_URL: without it the embedded PostgreSQL is used.')
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (config.tracing && protocol?.trim() && protocol.trim() !== 'http/protobuf')
    faults.push('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: use that port of the collector (4318).')
  const { dkimDomain: domain, dkimSelector: selector, dkimKey: key, ...others } = config
  const dkim: Dkim | undefined = domain && selector && key ? { domain, selector, key } : undefined
  if (!dkim && (domain || selector || key))
    faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are set together or not at all.')
  if (config.rateBurst < config.ratePerSecond)
    faults.push(`RATE_BURST (${config.rateBurst}) must not be below RATE_PER_SECOND (${config.ratePerSecond}).`)
  if (faults.length > 0) throw new ConfigError(faults)
  // The embedded store serves one process, which has no balancer that could use another node meanwhile.
  const drainSeconds = config.drainSeconds ?? (config.databaseUrl ? 10 : 0)
  // What these settings give it; `main.ts` replaces it by what is stored.
  const brand: BrandSource = defaultBrand(config)
  return { ...others, dkim, drainSeconds, brand }
}

/** Traces are off unless a standard variable of OpenTelemetry says where to send them; its packages read the others. */
function isTraced(env: Record<string, string | undefined>): boolean {
  const given = (name: string) => env[name]?.trim().toLowerCase() ?? ''
  if (given('OTEL_SDK_DISABLED') === 'true' || given('OTEL_TRACES_EXPORTER') === 'none') return false
  const names = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  return names.some((name) => given(name) !== '')
}

/** The address that spans are sent to. The packages of OpenTelemetry read it themselves; we need it because no callback may reach it. */
function tracesUrlOf(env: Record<string, string | undefined>): string {
  const given = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || ''
  return webUrl(given) ?? 'http://localhost:4318'
}

const OIDC_ISSUER_FORM = 'an https address, or http on this machine'
const OIDC_GROUPS_FORM = 'a comma-separated list of group=personal or group=lectura'

/** Errors do not repeat the values of these. Each can also be given as NAME_FILE, the path of a file that holds it. */
const SECRET = new Set([
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'BACKUP_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'SMTP_URL',
  'PHOTOS_URL',
  'METRICS_TOKEN',
  'RODADO_APP_SECRET',
  'DKIM_KEY',
  'BOUNCE_IMAP_URL',
  'OIDC_CLIENT_SECRET',
])

/** The environment with the contents of the files that NAME_FILE names, without line ends. */
function withSecretFiles(
  env: Record<string, string | undefined>,
  faults: string[],
): Record<string, string | undefined> {
  const given = { ...env }
  for (const name of SECRET) {
    const file = env[`${name}_FILE`]?.trim()
    if (!file) continue
    if (env[name]?.trim()) {
      faults.push(`${name} and ${name}_FILE are both set. Set one of them.`)
      continue
    }
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text) given[name] = text
      else faults.push(`${name}_FILE names an empty file: ${file}.`)
    } catch (error) {
      faults.push(`${name}_FILE cannot be read: ${(error as Error).message}.`)
    }
  }
  return given
}

const DATABASE_FORM = 'a postgres:// address, with / # ? of a password as %2F %23 %3F'
const MAX_DAYS = 36_500
export const CALLBACK_RANGES =
  'a comma-separated list of addresses or CIDR ranges, each alone or with a port: 10.1.0.0/16, 10.1.2.3:8443, [fd00::/8]:8443'
const KEY_FORM = '32 bytes as 64 hex digits or base64'
const BACKUP_KEY_FORM = 'a key of age, secret (AGE-SECRET-KEY-1…) or public (age1…)'
const SMTP_FORM =
  'an smtp:// or smtps:// address, with ?tls=opcional to allow sending without TLS, and % of a password as %25'
const PHOTOS_FORM =
  's3://KEY:SECRET@host/bucket, with ?region=… and ?tls=no as needed and % of the secret as %25, or file:///folder'
const REPLICAS_FORM = 'a comma-separated list of postgres:// addresses, each with one host'
const ZONE_FORM = 'an IANA time zone, such as America/Bogota'
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
const BARE_ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/
const IMAP_FORM = 'an imaps:// or imap:// address with user and password (% as %25), imaps://user:password@host/INBOX'
const MAILBOX = /^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/
const TOKEN_FORM = 'at least 16 visible ASCII characters without spaces'

function wholeNumber(value: string, min: number, max: number): number | undefined {
  const number = Number(value)
  return /^\d{1,10}$/.test(value) && number >= min && number <= max ? number : undefined
}

/** What systemd sets for a unit of `Type=notify`; no setting of the operator. */
function systemdOf({ NOTIFY_SOCKET, WATCHDOG_USEC }: Record<string, string | undefined>) {
  return { notify: Boolean(NOTIFY_SOCKET), watchdogMs: Number(WATCHDOG_USEC ?? 0) / 1000 }
}

function url(value: string, protocols: string[]): URL | undefined {
  if (!URL.canParse(value)) return undefined
  const parsed = new URL(value)
  return protocols.includes(parsed.protocol) && parsed.hostname !== '' && hasDecodableUser(parsed) ? parsed : undefined
}

/** False if user or password has a `%` that is not written as `%25`. */
function hasDecodableUser({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

/**
 * Checks the form that pg parses. `new URL` accepts neither several hosts (`postgres://a,b/db`, for fail-over) nor a user
 * without a host: the first host, or localhost, is checked.
 */
function databaseUrl(value: string): string | undefined {
  const [, start, host = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^,/?#]*)[^/?#]*(.*)$/s.exec(value) ?? []
  return start && value !== start && URL.canParse(`${start}${host || 'localhost'}${rest}`) ? value : undefined
}

function origin(value: string): string | undefined {
  const parsed = url(value, ['http:', 'https:'])
  return parsed?.pathname === '/' && !parsed.search && !parsed.hash && !parsed.username ? parsed.origin : undefined
}

function oidcIssuer(value: string): string | undefined {
  const parsed = url(value, ['http:', 'https:'])
  if (parsed?.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)) return undefined
  return parsed && value
}

/** In the order of the list, which decides for somebody in several groups. */
function oidcGroups(value: string) {
  const entries = value.split(',').map((entry) => /^\s*(.+?)\s*=\s*(personal|lectura)\s*$/.exec(entry))
  const groups = entries.map((entry) => entry && { group: entry[1] ?? '', rol: entry[2] as 'personal' | 'lectura' })
  return groups.every((each) => each !== null) ? groups : undefined
}

const webUrl = (value: string) => url(value, ['http:', 'https:'])?.href

/** Only `?tls=opcional` allows sending without TLS: nodemailer's own options in the URL would override ours. */
function smtpUrl(value: string): string | undefined {
  const options = url(value, ['smtp:', 'smtps:'])?.searchParams
  if (!options || !['opcional', null].includes(options.get('tls'))) return undefined
  return ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => options.has(name)) ? undefined : value
}

/** Host and port of the mail server in SMTP_URL; the default port is nodemailer's. */
export function mailServerOf(smtpUrl: string): { host: string; port: number } {
  const { protocol, hostname, port } = new URL(smtpUrl)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (MAIL_PORTS[protocol] ?? 587) }
}

const MAIL_PORTS: Record<string, number> = { 'smtps:': 465, 'imap:': 143, 'imaps:': 993 }

function photosUrl(value: string): string | undefined {
  if (/^file:\/\/\/./.test(value)) return value
  const parsed = url(value, ['s3:'])
  const names = [...(parsed?.searchParams.keys() ?? [])]
  const isKnown = names.every((name) => name === 'region' || name === 'tls')
  return parsed?.username && parsed.password && parsed.pathname.length > 1 && isKnown ? value : undefined
}

/** Where the requests of an `s3://` address go: by https unless it says `?tls=no`. */
export function s3Endpoint(photosUrl: string): URL {
  const { host, pathname, searchParams } = new URL(photosUrl)
  return new URL(`${searchParams.get('tls') === 'no' ? 'http' : 'https'}://${host}${pathname}`)
}

const imapUrl = (value: string) => (url(value, ['imaps:', 'imap:'])?.username ? value : undefined)

function privateKey(value: string): string | undefined {
  try {
    // nodemailer signs with RSA; with any other key emails would be sent without a signature.
    return createPrivateKey(value).asymmetricKeyType === 'rsa' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a host is this machine by its name or address. */
export const isLoopback = (host: string): boolean =>
  host === '::1' || (isIP(host) === 4 ? host.startsWith('127.') : /(^|\.)localhost$/i.test(host))

function masterKey(value: string): Buffer | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  return bytes.length === 32 ? bytes : undefined
}

/** Accepts a key, or the whole file that age-keygen writes, with its comments. */
function backupKey(value: string): string | undefined {
  const [key = '', ...rest] = value.split(/\s*\n\s*/).filter((line) => line && !line.startsWith('#'))
  return rest.length === 0 && /^(age1[0-9a-z]{50,}|AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{50,})$/.test(key) ? key : undefined
}

function timeZone(value: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Parses one entry of ALLOW_PRIVATE_CALLBACKS: a range with or without a port. IPv6 with a port needs brackets. */
export function parseCallbackRange(text: string): { cidr: string; port: number | undefined } | undefined {
  if (isRange(text)) return { cidr: text, port: undefined }
  const [, ipv6, ipv4, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/.exec(text) ?? []
  const cidr = ipv6 ?? ipv4 ?? ''
  const port = wholeNumber(digits ?? '', 1, 65_535)
  if (port === undefined || !isRange(cidr) || cidr.includes(':') !== (ipv6 !== undefined)) return undefined
  return { cidr, port }
}

/** Parses a comma-separated list whose entries all pass. */
const listOf = (isValid: (entry: string) => unknown) => (value: string) => {
  const entries = value.split(',').map((entry) => entry.trim())
  return entries.every(isValid) ? entries : undefined
}

export const callbackRanges = listOf(parseCallbackRange)

const cidrs = listOf(isRange)

const replicaUrls = listOf(databaseUrl)

function isRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || wholeNumber(bits, 0, family === 4 ? 32 : 128) !== undefined
}

/** The host in a URL for a browser on this machine: `localhost` if the server listens on every address. */
function inUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

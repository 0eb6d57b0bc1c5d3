import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Config, mailServerOf, parseCallbackRange, s3Endpoint } from '../config.ts'
import { t } from '../i18n/messages.tsx'
import { getOrInsert } from '../memoize.ts'
import { databaseHosts } from '../store/failover.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** A private range that callbacks may reach, on one port or on all of them. */
export interface AllowedRange {
  range: Range
  port: number | undefined
}

/** Reads entries of ALLOW_PRIVATE_CALLBACKS; one address is a range of one. */
export const readRanges = (entries: readonly string[]): AllowedRange[] =>
  entries.flatMap((entry) => {
    const parsed = parseCallbackRange(entry)
    return parsed ? [{ range: rangeOf(parsed.cidr), port: parsed.port }] : []
  })

function rangeOf(cidr: string): Range {
  if (cidr.includes('/')) return ipaddr.parseCIDR(cidr)
  const address = ipaddr.parse(cidr)
  return [address, address.toByteArray().length * 8]
}

/** True for IPv4 in dotted decimal form and IPv6 in any form. */
const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * Classifies an address and port: public, in a range that the operator allows, or blocked. An IPv6 address that contains
 * an IPv4 address gets the stricter class of the two, since a gateway may forward to the latter.
 */
export function classify(
  text: string,
  port: number,
  allowed: readonly AllowedRange[],
): 'public' | 'allowed' | 'blocked' {
  if (!isAddress(text)) return 'blocked'
  const ranges = allowed.filter((each) => each.port === undefined || each.port === port).map(({ range }) => range)
  const kinds = candidateAddresses(ipaddr.parse(text)).map((address) => {
    if (isIn(ranges, address)) return 'allowed'
    return isPublic(address) ? 'public' : 'blocked'
  })
  if (kinds.includes('blocked')) return 'blocked'
  return kinds.includes('allowed') ? 'allowed' : 'public'
}

/** Azure's host agent: a public address that the machine's own host answers. */
const SPECIAL = new Set(['168.63.129.16'])
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR('2000::/3')

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  // The library calls every unnamed range unicast; of IPv6 only 2000::/3 is assigned.
  return address instanceof ipaddr.IPv6 ? isIn([GLOBAL_UNICAST], address) : !SPECIAL.has(address.toString())
}

const isIn = (ranges: readonly Range[], address: Address): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** An IPv4 address written as IPv6: the operating system or the network's NAT64 connects to that. */
const IPV4_MAPPED = [ipaddr.parseCIDR('::ffff:0:0/96'), ipaddr.parseCIDR('64:ff9b::/96')]

/** Ranges that embed an IPv4 address, and its position in bytes; an `inverted` one has its bits inverted. */
const IPV4_EMBEDDED: { range: Range; offset: number; inverted?: true }[] = [
  { range: ipaddr.parseCIDR('::/96'), offset: 12 }, // IPv4-compatible (RFC 4291)
  { range: ipaddr.parseCIDR('::ffff:0:0:0/96'), offset: 12 }, // IPv4-translated (RFC 2765)
  { range: ipaddr.parseCIDR('64:ff9b:1::/48'), offset: 12 }, // a network's own NAT64 (RFC 8215)
  { range: ipaddr.parseCIDR('2002::/16'), offset: 2 }, // 6to4 (RFC 3056)
  { range: ipaddr.parseCIDR('2001::/32'), offset: 4 }, // Teredo's server (RFC 4380)
  { range: ipaddr.parseCIDR('2001::/32'), offset: 12, inverted: true }, // and its client
]
const ISATAP = /^0[02]005efe$/ // RFC 5214: the first half of an interface's id, in any network

/** The bytes of each address that a text may mean, as texts to compare; none if it is no address. */
const bytesOf = (text: string): string[] =>
  isAddress(text) ? candidateAddresses(ipaddr.parse(text)).map((address) => address.toByteArray().join('.')) : []

/** The addresses that a connection may reach: itself, and each IPv4 address in it. */
function candidateAddresses(address: Address): Address[] {
  if (address instanceof ipaddr.IPv4 || address.range() === 'loopback') return [address] // ::1 is not 0.0.0.1
  const bytes = address.toByteArray()
  if (isIn(IPV4_MAPPED, address)) return [ipv4At(bytes, 12)]
  const embedded = IPV4_EMBEDDED.filter(({ range }) => isIn([range], address)).map(({ offset, inverted }) =>
    ipv4At(inverted ? bytes.map((byte) => byte ^ 0xff) : bytes, offset),
  )
  if (ISATAP.test(Buffer.from(bytes.slice(8, 12)).toString('hex'))) embedded.push(ipv4At(bytes, 12))
  return [address, ...embedded]
}

const ipv4At = (bytes: number[], offset: number): Address => new ipaddr.IPv4(bytes.slice(offset, offset + 4))

/** The addresses of `localhost` (RFC 6761). */
const LOOPBACKS = ['127.0.0.1', '::1']
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

export type CallbackConfig = Pick<Config, 'allowPrivateCallbacks'> & OwnServicesConfig

/** Where callbacks may lead besides the public internet, and what they may never reach. */
export interface CallbackRules {
  allowed: readonly AllowedRange[]
  own: OwnServices
}

/** The rules for one app: what the operator allows all apps, and those allowed for this one. */
export const callbackRules = (config: CallbackConfig, appRanges: readonly string[]): CallbackRules => ({
  allowed: readRanges([...config.allowPrivateCallbacks, ...appRanges]),
  own: ownServices(config),
})

/**
 * Why a callback may not be configured; undefined if it may. The address of a name is known only
 * when connecting (`mayConnect`), so http with a name is accepted if any range is allowed. `URL` has already normalised
 * hexadecimal, octal and shortened addresses.
 */
export function refuseTarget(callback: URL, rules: CallbackRules): string | undefined {
  const { protocol, username, password, port } = callback
  if (protocol !== 'https:' && protocol !== 'http:') return t('problema.fault.https')
  if (username || password) return t('problema.fault.userInfo')
  if (port === '0') return t('problema.fault.port')

  const literals = literalsOf(callback)
  const kinds = literals.map((address) => kindOf(address, portOf(callback), rules))
  if (kinds.length > 0 && kinds.every((kind) => kind === 'blocked')) return t('problema.fault.privateAddress')
  const mayBeAllowed = kinds.length > 0 ? kinds.includes('allowed') : rules.allowed.length > 0
  if (protocol === 'http:' && !mayBeAllowed) return t('problema.fault.https')
  return undefined
}

/** True if we may connect: to a public address by https only, to an allowed private one by http too. */
export function mayConnect(address: string, at: { protocol: string; port: number }, rules: CallbackRules): boolean {
  const kind = kindOf(address, at.port, rules)
  return kind === 'allowed' || (kind === 'public' && at.protocol === 'https:')
}

/** The port of a URL, which omits its scheme's default. */
export const portOf = ({ protocol, port }: { protocol: string; port: string }): number =>
  Number(port) || (PORTS[protocol] ?? 0)

const kindOf = (address: string, port: number, { allowed, own }: CallbackRules) =>
  own.include(address, port) ? 'blocked' : classify(address, port, allowed)

/** The literal addresses of a URL; none if it has a name that must be resolved. */
function literalsOf({ hostname }: URL): string[] {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  if (isAddress(host)) return [host]
  return /(^|\.)localhost$/.test(host) ? LOOPBACKS : []
}

type OwnServicesConfig = Pick<
  Config,
  'port' | 'metricsPort' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrls' | 'smtpUrl' | 'bounceImapUrl'
> &
  Pick<Config, 'oidc' | 'tracesUrl' | 'photosUrl'>

/** The services of this installation. No callback may reach them, whatever ranges are allowed. */
interface OwnServices {
  /** Resolves the names of our services on that port again; `include` then knows their addresses. */
  refresh(port: number): Promise<void>
  include(address: string, port: number): boolean
}

interface Service {
  host: string
  port: number
  /** In the form of `bytesOf`. */
  addresses: string[]
  /**
   * A web service, such as the sign-in provider. It may share a public address with receivers, so only private ones are
   * closed, and a delivery does not depend on resolving its name.
   */
  isWeb: boolean
}

const WEB_NAMES_MS = 60_000

const known = new WeakMap<OwnServicesConfig, OwnServices>()

const ownServices = (config: OwnServicesConfig): OwnServices =>
  getOrInsert(known, config, () => makeOwnServices(config))

function makeOwnServices(config: OwnServicesConfig): OwnServices {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls } = config
  const databases = [databaseUrl, databaseDirectUrl, ...databaseReplicaUrls].flatMap(databaseHosts)
  const mail = [config.smtpUrl, config.bounceImapUrl].flatMap((url) => (url ? [mailServerOf(url)] : []))
  const photos = config.photosUrl?.startsWith('s3:') ? s3Endpoint(config.photosUrl).href : undefined
  const web = [config.oidc?.issuer, config.tracesUrl, photos].flatMap((url) => (url ? [new URL(url)] : []))
  const services: Service[] = [
    ...[...databases, ...mail].map(({ host, port }) => ({ host, port, addresses: bytesOf(host), isWeb: false })),
    ...web.map((url) => {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      return { host, port: portOf(url), addresses: bytesOf(host), isWeb: true }
    }),
  ]
  const named = services.filter(({ host }) => isIP(host) === 0)
  let webResolvedMs = Number.NEGATIVE_INFINITY
  let webNames: Promise<unknown> = Promise.resolve()

  return {
    // The names are the operator's, so the system resolver is safe here. It resolves them as database connections do.
    async refresh(port) {
      const resolve = async (service: Service) => {
        const found = await lookup(service.host, { all: true })
        service.addresses = found.flatMap(({ address }) => bytesOf(address))
      }
      const due = named.filter((service) => service.port === port && !service.isWeb).map(resolve)
      // Deliveries share the port of web services: their names are resolved once a minute.
      if (performance.now() - webResolvedMs > WEB_NAMES_MS) {
        webResolvedMs = performance.now()
        const ofWeb = named.filter(({ isWeb }) => isWeb)
        webNames = Promise.all(ofWeb.map((service) => resolve(service).catch(() => undefined)))
      }
      await Promise.all([...due, webNames])
    },

    // config.port is read at each call: with PORT=0 it is known only once the server listens.
    include(address, port) {
      const isOurs = port === config.port || port === config.metricsPort
      const isPublicAddress = classify(address, port, []) === 'public'
      const onPort = services.filter((service) => service.port === port && !(service.isWeb && isPublicAddress))
      if (!isOurs && onPort.length === 0) return false
      const targets = bytesOf(address)
      const ownAddresses = thisMachine()
      const isHere = targets.some((target) => isLocal(target, ownAddresses))
      if (isOurs && isHere) return true
      return onPort.some(({ addresses }) =>
        addresses.some((each) => targets.includes(each) || (isHere && isLocal(each, ownAddresses))),
      )
    },
  }
}

const thisMachine = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).flatMap(({ address }) => bytesOf(address))))

const IPV6_LOOPBACK = bytesOf('::1').join()
const IPV6_UNSPECIFIED = '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0'

/** All of 127.0.0.0/8 is this machine, and so are the "any" addresses 0.0.0.0 and ::. */
const isLocal = (bytes: string, ours: Set<string>): boolean =>
  /^(127|0)\.\d+\.\d+\.\d+$/.test(bytes) || bytes === IPV6_LOOPBACK || bytes === IPV6_UNSPECIFIED || ours.has(bytes)

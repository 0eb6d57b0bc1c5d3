import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Config, mailServerOf } from '../config.ts'
import { databaseHosts } from '../store/failover.ts'
import { type AllowedRange, bytesOf, classify, isAddress, readRanges } from './addresses.ts'

/** The addresses of `localhost` (RFC 6761). */
const LOOPBACKS = ['127.0.0.1', '::1']
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

export type CallbackConfig = Pick<Config, 'allowPrivateCallbacks'> & OwnServicesConfig

/** Where callbacks may lead besides the public internet, and what they may never reach. */
export interface CallbackRules {
  allowed: readonly AllowedRange[]
  own: OwnServices
}

/** The rules for one app: what the operator allows all apps, and the ranges granted to this one. */
export const callbackRules = (config: CallbackConfig, granted: readonly string[]): CallbackRules => ({
  allowed: readRanges([...config.allowPrivateCallbacks, ...granted]),
  own: ownServices(config),
})

/**
 * Why a callback may not be configured, in Spanish for partners; undefined if it may. The address of a name is known only
 * when connecting (`mayConnect`), so http with a name is accepted if any range is allowed. `URL` has already normalised
 * hexadecimal, octal and shortened addresses.
 */
export function refuseTarget(callback: URL, rules: CallbackRules): string | undefined {
  const { protocol, username, password, port } = callback
  if (protocol !== 'https:' && protocol !== 'http:') return 'Debe ser una dirección https.'
  if (username || password) return 'No puede llevar usuario ni clave; para eso están los encabezados propios.'
  if (port === '0') return 'El puerto 0 no existe.'

  const literals = literalsOf(callback)
  const kinds = literals.map((address) => kindOf(address, portOf(callback), rules))
  if (kinds.length > 0 && kinds.every((kind) => kind === 'closed'))
    return 'Esta dirección es privada o reservada: no se le pueden enviar notificaciones.'
  const mayBeOpened = kinds.length > 0 ? kinds.includes('opened') : rules.allowed.length > 0
  if (protocol === 'http:' && !mayBeOpened) return 'Debe ser una dirección https.'
  return undefined
}

/** True if we may connect: to a public address by https only, to an allowed private one by http too. */
export function mayConnect(address: string, at: { protocol: string; port: number }, rules: CallbackRules): boolean {
  const kind = kindOf(address, at.port, rules)
  return kind === 'opened' || (kind === 'public' && at.protocol === 'https:')
}

/** The port of a URL, which omits its scheme's default. */
export const portOf = ({ protocol, port }: { protocol: string; port: string }): number =>
  Number(port) || (PORTS[protocol] ?? 0)

const kindOf = (address: string, port: number, { allowed, own }: CallbackRules) =>
  own.include(address, port) ? 'closed' : classify(address, port, allowed)

/** The literal addresses of a URL; none if it has a name that must be resolved. */
function literalsOf({ hostname }: URL): string[] {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  if (isAddress(host)) return [host]
  return /(^|\.)localhost$/.test(host) ? LOOPBACKS : []
}

export type OwnServicesConfig = Pick<Config, 'port' | 'metricsPort' | 'databaseUrl' | 'smtpUrl'>

/** The services of this installation. No callback may reach them, whatever ranges are allowed. */
export interface OwnServices {
  /** Resolves the names of our services on that port again; `include` then knows their addresses. */
  refresh(port: number): Promise<void>
  include(address: string, port: number): boolean
}

interface Service {
  host: string
  port: number
  /** In the form of `bytesOf`. */
  addresses: string[]
}

const known = new WeakMap<OwnServicesConfig, OwnServices>()

export function ownServices(config: OwnServicesConfig): OwnServices {
  const found = known.get(config) ?? makeOwnServices(config)
  known.set(config, found)
  return found
}

function makeOwnServices(config: OwnServicesConfig): OwnServices {
  const hosts = [...databaseHosts(config.databaseUrl), ...(config.smtpUrl ? [mailServerOf(config.smtpUrl)] : [])]
  const services: Service[] = hosts.map(({ host, port }) => ({ host, port, addresses: bytesOf(host) }))
  const named = services.filter(({ host }) => isIP(host) === 0)

  return {
    // The names are the operator's, so the system resolver is safe here. It resolves them as database connections do.
    async refresh(port) {
      const due = named.filter((service) => service.port === port)
      await Promise.all(
        due.map(async (service) => {
          const found = await lookup(service.host, { all: true })
          service.addresses = found.flatMap(({ address }) => bytesOf(address))
        }),
      )
    },

    // config.port is read at each call: with PORT=0 it is known only once the server listens.
    include(address, port) {
      const isOurs = port === config.port || port === config.metricsPort
      const onPort = services.filter((service) => service.port === port)
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

const [IPV6_LOOPBACK, IPV6_UNSPECIFIED] = [bytesOf('::1').join(), '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0']

/** All of 127.0.0.0/8 is this machine, and so are the "any" addresses 0.0.0.0 and ::. */
const isLocal = (bytes: string, ours: Set<string>): boolean =>
  /^(127|0)\.\d+\.\d+\.\d+$/.test(bytes) || bytes === IPV6_LOOPBACK || bytes === IPV6_UNSPECIFIED || ours.has(bytes)

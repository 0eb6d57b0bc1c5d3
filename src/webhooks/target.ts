import type { Config } from '../config.ts'
import { type AllowedRange, classify, isAddress, readRanges } from './addresses.ts'
import { type OwnServices, type OwnServicesConfig, ownServices } from './own-services.ts'

/** What a name that is always this machine stands for (RFC 6761). */
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
 * Why a callback may not be configured, in words for partners; undefined when it may. A literal is known here and now;
 * where a name leads is only known when it is connected to (`mayConnect`), so http under a name passes as soon as any
 * range is allowed. The URL has brought hexadecimal, octal and shortened addresses into their plain form.
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

/** Whether we may talk to an address and port: a public one by https alone, an allowed private one by http too. */
export function mayConnect(address: string, at: { protocol: string; port: number }, rules: CallbackRules): boolean {
  const kind = kindOf(address, at.port, rules)
  return kind === 'opened' || (kind === 'public' && at.protocol === 'https:')
}

/** The port of a URL, which leaves out its scheme's own. */
export const portOf = ({ protocol, port }: { protocol: string; port: string }): number =>
  Number(port) || (PORTS[protocol] ?? 0)

const kindOf = (address: string, port: number, { allowed, own }: CallbackRules) =>
  own.include(address, port) ? 'closed' : classify(address, port, allowed)

/** The addresses that a URL names outright; none where a name has to be looked up. */
function literalsOf({ hostname }: URL): string[] {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  if (isAddress(host)) return [host]
  return /(^|\.)localhost$/.test(host) ? LOOPBACKS : []
}

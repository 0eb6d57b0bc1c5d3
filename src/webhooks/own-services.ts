import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Config, mailServerOf } from '../config.ts'
import { databaseHosts } from '../store/hosts.ts'
import { bytesOf } from './addresses.ts'

export type OwnServicesConfig = Pick<Config, 'port' | 'metricsPort' | 'databaseUrl' | 'smtpUrl'>

/** The services of this installation. No callback may reach them, whatever ranges are allowed. */
export interface OwnServices {
  /** Resolves the names of our services on that port anew; `include` then knows their addresses. */
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

/** Our own services as that configuration names them. */
export function ownServices(config: OwnServicesConfig): OwnServices {
  const found = known.get(config) ?? makeOwnServices(config)
  known.set(config, found)
  return found
}

function makeOwnServices(config: OwnServicesConfig): OwnServices {
  // Every database that the configuration names belongs here.
  const hosts = [...databaseHosts(config.databaseUrl), ...(config.smtpUrl ? [mailServerOf(config.smtpUrl)] : [])]
  const services: Service[] = hosts.map(({ host, port }) => ({ host, port, addresses: bytesOf(host) }))
  const named = services.filter(({ host }) => isIP(host) === 0)

  return {
    // The names are the operator's, so the system may look them up: search domains and the hosts file count as they do
    // for the database's own connections.
    async refresh(port) {
      const due = named.filter((service) => service.port === port)
      await Promise.all(
        due.map(async (service) => {
          const found = await lookup(service.host, { all: true })
          service.addresses = found.flatMap(({ address }) => bytesOf(address))
        }),
      )
    },

    // config.port is read here and now: with PORT=0 it is known only once the server listens.
    include(address, port) {
      const isOurs = port === config.port || port === config.metricsPort
      const there = services.filter((service) => service.port === port)
      if (!isOurs && there.length === 0) return false
      const targets = bytesOf(address)
      const ours = thisMachine()
      const isHere = targets.some((target) => isLocal(target, ours))
      if (isOurs && isHere) return true
      return there.some(({ addresses }) =>
        addresses.some((each) => targets.includes(each) || (isHere && isLocal(each, ours))),
      )
    },
  }
}

/** The addresses of this machine's interfaces. */
const thisMachine = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).flatMap(({ address }) => bytesOf(address))))

const [IPV6_LOOPBACK, IPV6_UNSPECIFIED] = [bytesOf('::1').join(), '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0']

/** All of 127.0.0.0/8 is this machine, and so is what stands for "any address" (0.0.0.0 and ::). */
const isLocal = (bytes: string, ours: Set<string>): boolean =>
  /^(127|0)\.\d+\.\d+\.\d+$/.test(bytes) || bytes === IPV6_LOOPBACK || bytes === IPV6_UNSPECIFIED || ours.has(bytes)

import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Range } from '../addresses.ts'
import { mayConnect } from '../target.ts'
import { openResolver } from './resolve.ts'

/** Why nothing was sent, or nothing came back; `explain` has the words for it. */
export class NotSent extends Error {
  readonly code: string

  constructor(
    code:
      | 'closed-address'
      | 'connect-timeout'
      | 'timeout'
      | 'cut'
      | 'closed'
      | 'not-http'
      | 'long-headers'
      | 'bad-header',
  ) {
    super(code)
    this.code = code
  }
}

export interface ConnectorOptions {
  /** What ALLOW_PRIVATE_CALLBACKS opens. */
  opened: readonly Range[]
  /** How long connecting may take. */
  connectMs: number
  /** Certificates to trust instead of the usual ones. */
  ca?: string | undefined
}

/** Who hears what comes in on a connection; a piece is written over once it was heard. */
export const HEARERS = new WeakMap<Socket, (piece: Buffer) => void>()

const LONGEST_PIECE = 65_536

/**
 * All connections are read into one buffer, which is looked at before anything else is read. As streams, each would ask
 * for 64 KiB to put a short answer in, and give them back: 6 µs of a delivery.
 */
const onread = {
  buffer: Buffer.allocUnsafeSlow(LONGEST_PIECE),
  callback(this: Socket, length: number, buffer: Uint8Array): boolean {
    HEARERS.get(this)?.((buffer as Buffer).subarray(0, length))
    return true
  },
}

/**
 * Connects only to where a callback may lead. A name is resolved here and only its permitted addresses are tried, and
 * the address that the socket then has is looked at once more: whatever a name server says a second time, and whatever
 * the address looks like, it is this one that is talked to (decisions, 8).
 */
export function openConnector({ opened, connectMs, ca }: ConnectorOptions): buildConnector.connector {
  const resolve = openResolver()
  const lookupFor =
    (protocol: string): LookupFunction =>
    (name, { all }, callback) => {
      resolve(name).then(
        (found) => {
          const open = found.filter((address) => mayConnect(address, protocol, opened))
          const [first] = open
          if (!first) return callback(new NotSent('closed-address'), '')
          if (!all) return callback(null, first, isIP(first))
          callback(
            null,
            open.map((address) => ({ address, family: isIP(address) })),
          )
        },
        (error) => callback(error, ''),
      )
    }
  const connectorFor = (protocol: string) =>
    buildConnector({ timeout: 0, lookup: lookupFor(protocol), onread, ...(ca && { ca }) })
  const connectors: Record<string, buildConnector.connector> = {
    'http:': connectorFor('http:'),
    'https:': connectorFor('https:'),
  }

  return (options, callback) => {
    const { hostname, protocol } = options
    if (isIP(hostname) && !mayConnect(hostname, protocol, opened)) {
      callback(new NotSent('closed-address'), null)
      return
    }
    const socket = connectors[protocol]?.(options, (...ended) => {
      clearTimeout(timer)
      const [, connected] = ended
      if (!connected || mayConnect(connected.remoteAddress ?? '', protocol, opened)) return callback(...ended)
      connected.destroy()
      callback(new NotSent('closed-address'), null)
    }) as { destroy(error: Error): void } | undefined
    const timer = setTimeout(() => socket?.destroy(new NotSent('connect-timeout')), connectMs)
  }
}

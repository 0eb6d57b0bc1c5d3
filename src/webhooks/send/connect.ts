import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { type CallbackRules, mayConnect, portOf } from '../target.ts'
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
  /** Where callbacks may lead. */
  rules: CallbackRules
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

/** How many connectors are kept: one for each scheme and port, so that a partner who uses many ports fills no memory. */
const MOST_CONNECTORS = 64

/**
 * Connects only to where a callback may lead. A name is resolved here and only its permitted addresses are tried, and
 * the address that the socket then has is checked once more: whatever a name server says a second time, and whatever
 * the address looks like, it is this one that is talked to (decisions, 8).
 */
export function openConnector({ rules, connectMs, ca }: ConnectorOptions): buildConnector.connector {
  const resolve = openResolver()
  const connectors = new Map<string, buildConnector.connector>()

  const lookupFor =
    (at: Place): LookupFunction =>
    (name, { all }, callback) => {
      resolve(name).then(
        (found) => {
          const open = found.filter((address) => mayConnect(address, at, rules))
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

  /** Node gives a lookup no port, and which addresses are permitted depends on it. */
  function connectorFor(at: Place): buildConnector.connector {
    const key = `${at.protocol}${at.port}`
    const known = connectors.get(key)
    if (known) return known
    const made = buildConnector({ timeout: 0, lookup: lookupFor(at), onread, ...(ca && { ca }) })
    const [oldest] = connectors.keys()
    if (oldest !== undefined && connectors.size >= MOST_CONNECTORS) connectors.delete(oldest)
    connectors.set(key, made)
    return made
  }

  return (options, callback) => {
    const { hostname, protocol } = options
    const at = { protocol, port: portOf(options) }
    let socket: { destroy(error: Error): void } | undefined
    let isOver = false
    const fail = (code: 'closed-address' | 'connect-timeout') => end(new NotSent(code), null)
    const end: buildConnector.Callback = (...ended) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      callback(...ended)
    }
    const timer = setTimeout(() => {
      if (socket) socket.destroy(new NotSent('connect-timeout'))
      else fail('connect-timeout')
    }, connectMs)

    function open(): void {
      if (isOver) return
      if (isIP(hostname) && !mayConnect(hostname, at, rules)) return fail('closed-address')
      socket = connectorFor(at)(options, (...ended) => {
        const [, connected] = ended
        if (!connected || mayConnect(connected.remoteAddress ?? '', at, rules)) return end(...ended)
        connected.destroy()
        fail('closed-address')
      }) as typeof socket
    }
    // Where a name of ours cannot be resolved, nobody can tell whether this is its address.
    rules.own.refresh(at.port).then(open, () => fail('closed-address'))
  }
}

interface Place {
  protocol: string
  port: number
}

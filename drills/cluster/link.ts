import { once } from 'node:events'
import { type AddressInfo, createServer, connect as netConnect, type Socket } from 'node:net'
import type { Defer } from '../cleanup.ts'

/** A TCP connection to a port that can be cut off as a network does: nothing arrives, and nobody is told. */
export interface Link {
  port: number
  cut(): void
  restore(): void
  /** Whether the client of that connection, by its port at the target, is still there. */
  isOpen(port: number): boolean
}

/** Forwards a new local port. */
export async function openLink(defer: Defer, target: number): Promise<Link> {
  const sockets = new Set<Socket>()
  /** Clients that connected while it was cut. The target must not see them: it would wait for what they send. */
  const waiting = new Set<Socket>()
  let isCut = false
  const join = (near: Socket) => {
    const far = netConnect(target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => void other.write(bytes)).on('end', () => other.end())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (!isCut) return join(near.resume())
    waiting.add(near)
    near.on('error', () => undefined).on('close', () => waiting.delete(near))
  })
  defer(() => {
    for (const socket of [...sockets, ...waiting]) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of sockets) socket.resume()
      for (const near of waiting) join(near.resume())
      waiting.clear()
    },
    isOpen: (port) => [...sockets].some(({ localPort, remotePort }) => localPort === port && remotePort === target),
  }
}

import { once } from 'node:events'
import { type AddressInfo, createServer, connect as netConnect, type Socket } from 'node:net'
import type { Connection } from '../../src/store/failover.ts'

/** A proxy to the database that tests can cut. */
export interface DatabaseProxy {
  connection: Connection
  cut(): void
  /** Forwards nothing; connections stay open and wait. */
  stall(): void
  restore(): void
  /** How often the connection pool has sent something that it awaits an answer to. */
  roundTrips(): number
  close(): Promise<void>
}

const DEFAULT_PORT = 5432
const POOL = 'rodado' // the application_name of src/store/db.ts

/** Forwards a local port to the database; while cut, it drops connections and refuses new ones. */
export async function openDatabaseProxy(connection: Connection): Promise<DatabaseProxy> {
  const url = connection.connectionString ? new URL(connection.connectionString) : undefined
  const host = url?.searchParams.get('host') ?? url?.hostname ?? connection.host ?? 'localhost'
  const port = Number(url?.port || connection.port || DEFAULT_PORT)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  let isCut = false
  let isStalled = false

  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = host.startsWith('/') ? netConnect(`${host}/.s.PGSQL.${port}`) : netConnect(port, host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    const read = readMessages((applicationName, type) => {
      if (applicationName === POOL && (type === 'S' || type === 'Q')) roundTrips++ // Sync and Query
    })
    near.on('data', read)
    near.on('data', (bytes) => void far.write(bytes)).on('end', () => far.end())
    far.on('data', (bytes) => void near.write(bytes)).on('end', () => near.end())
    if (isStalled) for (const socket of [near, far]) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const local = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }

  return {
    connection: url ? throughUrl(url, local) : { ...connection, ...local },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    roundTrips: () => roundTrips,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Finds the messages in the bytes of a PostgreSQL client; the first has no type and names the application. */
function readMessages(onMessage: (applicationName: string, type: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let applicationName: string | undefined
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const type = applicationName === undefined ? '' : rest.toString('latin1', 0, 1)
      if (rest.length < type.length + 4) return
      const end = type.length + rest.readUInt32BE(type.length)
      if (rest.length < end) return
      if (applicationName !== undefined) onMessage(applicationName, type)
      else applicationName = /application_name\0([^\0]*)/.exec(rest.toString('latin1', 0, end))?.[1] ?? ''
      rest = rest.subarray(end)
    }
  }
}

function throughUrl(url: URL, { host, port }: { host: string; port: number }): Connection {
  const through = new URL(url)
  through.searchParams.delete('host')
  through.hostname = host
  through.port = String(port)
  return { connectionString: through.href }
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from './receiver.ts'

type Served = Buffer | ((response: ServerResponse) => void)

/** A partner's server of photos, by https, whose files a test sets. */
export interface PhotoServer {
  url: string
  port: number
  files: Map<string, Served>
  /** Paths of the requests so far. */
  requests: string[]
  close(): Promise<void>
}

export async function openPhotoServer(): Promise<PhotoServer> {
  const files = new Map<string, Served>()
  const requests: string[] = []
  const server = createServer({ key: certificate('key'), cert: certificate('cert') }, ({ url = '' }, response) => {
    requests.push(url)
    const served = files.get(url)
    if (typeof served === 'function') served(response)
    // The type is that of a photo whatever the file is: only its content counts.
    else if (served) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(served)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    files,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

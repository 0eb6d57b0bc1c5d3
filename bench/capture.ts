import { request } from 'node:http'

/** An answer as the bare server will send it again. */
export interface Captured {
  target: string
  status: number
  /** Name, value, name, value … in the order they came. */
  headers: string[]
  body: Buffer
}

/** What node:http writes by itself, in either server. */
const OF_NODE = new Set(['date', 'connection', 'keep-alive'])

/** Asks once, and keeps status, headers and body as they came over the wire. */
export function capture(port: number, target: string, headers: Record<string, string>): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const kept = response.rawHeaders.filter((_, index) => {
          const name = response.rawHeaders[index - (index % 2)] ?? ''
          return !OF_NODE.has(name.toLowerCase())
        })
        resolve({ target, status: response.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

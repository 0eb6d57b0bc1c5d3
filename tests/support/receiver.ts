import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'

/** A received delivery. */
export interface Received {
  path: string
  headers: Record<string, string | undefined>
  body: string
  /** The payload's own id. */
  id: string
}

/** What a receiver does with a delivery. */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Keeps the connection open without a response, until released. */
  | 'hang'
  /** Cuts the connection. */
  | 'reset'
  /** Sends 200 and then an endless body. */
  | 'endless'
  /** Sends something that is not HTTP. */
  | 'babble'

/** A real webhook receiver controlled by the test. */
export interface Receiver {
  /** For `Callback`; a path may be appended. */
  url: string
  received: Received[]
  /** The number of connections so far, and of hanging calls. */
  connections(): number
  hanging(): number
  /** Sets the behaviour: constant, or a function of the delivery; `turn` counts the deliveries with that id from 1. */
  answer(how: Answer | ((delivery: Received, turn: number) => Answer | Promise<Answer>)): void
  /** The received deliveries, once there are so many; optionally of one path. */
  waitFor(count: number, path?: string): Promise<Received[]>
  /** Accepts everything again and releases hanging calls. */
  release(): void
  close(): Promise<void>
}

/** A file of the test servers' certificate: `cert` or `key`. */
export const certificate = (name: string): string =>
  readFileSync(new URL(`./certificate/${name}.pem`, import.meta.url), 'utf8')

/** The certificate of a receiver with `tls`. */
export const receiverCa = (): string => certificate('cert')

/** The event that every new callback gets (docs/decisions/webhooks.md). */
const isVerification = (body: string): boolean => body.includes('"Webhook":{"href":"/v3/appnotificaciones/')

interface ReceiverOptions {
  tls?: boolean
  /** Treats verifications like any event. Otherwise they get 200 and are not recorded, as few tests are about them. */
  verifications?: boolean
}

export async function openReceiver({ tls = false, verifications = false }: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  const turns = new Map<string, number>()
  const hanging = new Set<ServerResponse>()
  let answer: Exclude<Parameters<Receiver['answer']>[0], Answer> = () => 200
  let connections = 0

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    if (!verifications && isVerification(body)) return give(200, response)
    const headers = request.headers as Received['headers']
    const delivery = { path: request.url ?? '', headers, body, id: headers['webhook-id'] ?? '' }
    received.push(delivery)
    const turn = (turns.get(delivery.id) ?? 0) + 1
    turns.set(delivery.id, turn)
    give(await answer(delivery, turn), response)
  }

  function give(how: Answer, response: ServerResponse): void {
    if (how === 'reset') return void response.socket?.resetAndDestroy()
    if (how === 'babble') return void response.socket?.end('220 mail.test ESMTP\r\n')
    if (how === 'endless') return sendForEver(response)
    if (how === 'hang') {
      hanging.add(response)
      return void response.once('close', () => hanging.delete(response))
    }
    const { status, headers = {}, body = '' } = typeof how === 'number' ? { status: how } : how
    response.writeHead(status, headers).end(body)
  }

  const keys = { key: certificate('key'), cert: certificate('cert') }
  // Some tests close the connection in the middle.
  const hear = (request: IncomingMessage, response: ServerResponse) =>
    void listen(request, response).catch(() => undefined)
  const server: Server = tls ? createSecureServer(keys, hear) : createServer(hear)
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    hanging: () => hanging.size,
    answer: (how) => {
      answer = typeof how === 'function' ? how : () => how
    },
    async waitFor(count, path) {
      const found = () => received.filter((delivery) => path === undefined || delivery.path === path)
      await until(() => found().length >= count)
      return found()
    },
    release() {
      answer = () => 200
      for (const response of hanging) response.writeHead(200).end()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendForEver(response: ServerResponse): void {
  const words = 'x'.repeat(16_384)
  response.writeHead(200)
  const more = () => {
    while (!response.destroyed && response.write(words));
  }
  response.on('drain', more)
  more()
}

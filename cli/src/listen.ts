import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, ProblemError, type Topic, verifyWebhook, WebhookError, type WebhookEvent } from '@rodado/client'
import { printJson, readAddress, splitList, TEXT, UsageError, untilInterrupted } from './command.ts'
import { eventLine } from './event-line.ts'
import { defineCommand, PARTNER_OPTIONS, withClient } from './partner.ts'
import type { Style } from './terminal.ts'
import { readTopic, TOPICS } from './topics.ts'

/** Marks webhooks that a killed `rodado listen` left behind. */
const DESCRIPTION = 'rodado listen'
const MAX_BYTES = 1_048_576
const FORWARD_MS = 15_000 // the server waits as long for a receiver

const OPTIONS = {
  port: { ...TEXT, default: '4000' },
  topic: { ...TEXT, values: ['todos', ...TOPICS] },
  firma: TEXT,
  'forward-to': TEXT,
  ...PARTNER_OPTIONS,
}

/** A receiver on this machine that verifies each delivery and prints it. */
export const run = defineCommand('', OPTIONS, async (values, io) => {
  const { config, out, err, style } = io
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new UsageError('--port must be from 0 to 65535.')
  const given = values['forward-to']
  const forwardTo = given === undefined ? undefined : readAddress('--forward-to', given)
  const topics = values.topic === undefined ? [] : topicList(values.topic)
  if (topics.length === 0 && values.firma === undefined)
    throw new UsageError('say what to verify with: --topic configures webhooks, --firma names the Secret of one.')

  const secrets = values.firma === undefined ? [] : [values.firma]
  const show = (delivery: Delivery) =>
    values.json ? printJson(out, delivery) : out.write(`${lineOf(delivery, style)}\n`)
  const server = createServer((request, response) => {
    receive(request, response, { secrets, forwardTo, show }).catch((error) => {
      err.write(`rodado listen: ${(error as Error).message}\n`)
      response.destroy()
    })
  })
  const signal = untilInterrupted(out)
  const localUrl = await open(server, port)
  const listen = async () => {
    err.write(`Listening at ${localUrl}${forwardTo ? `, forwarding to ${forwardTo}` : ''}; Ctrl-C ends.\n`)
    if (!signal.aborted) await once(signal, 'abort')
  }
  try {
    if (topics.length === 0) await listen()
    else
      await withClient(config, values, async (client) => {
        const configured: Topic[] = []
        try {
          for (const topic of topics) {
            const { Secret } = await configure(client, topic, localUrl, err)
            configured.push(topic)
            if (Secret) secrets.push(Secret)
          }
          await listen()
        } finally {
          for (const topic of configured) await remove(client, topic, localUrl).catch(() => undefined)
        }
      })
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return 0
})

/** Listens on this machine only; returns the address. */
async function open(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error) => {
    throw new Error(`cannot listen on port ${port} (${error.code}). Choose another with --port.`)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const topicList = (text: string): Topic[] => (text === 'todos' ? TOPICS : splitList(text).map(readTopic))

async function configure(client: Client, topic: Topic, Callback: string, err: NodeJS.WritableStream) {
  const ask = () => client.configurarWebhook({ topic }, { Callback, Description: DESCRIPTION })
  try {
    return await ask().catch(async (error) => {
      if (!(error instanceof ProblemError) || error.status !== 409) throw error
      if ((await client.verWebhook({ topic })).Description !== DESCRIPTION)
        throw new Error(
          `${topic} already has another address. Remove it first, or listen with its Secret: --firma SECRET.`,
        )
      err.write(`${topic} still pointed to an earlier \`rodado listen\`; it points here now.\n`)
      await client.eliminarWebhook({ topic })
      return ask()
    })
  } catch (error) {
    if (error instanceof ProblemError && error.errors.Callback)
      throw new Error(
        `the server sends nothing to ${Callback}. One on this machine needs ALLOW_PRIVATE_CALLBACKS=127.0.0.1; with any other, use rodado events --follow --forward-to URL.`,
      )
    throw error
  }
}

/** If another listener has reconfigured the webhook since, it stays. */
async function remove(client: Client, topic: Topic, here: string): Promise<void> {
  if ((await client.verWebhook({ topic })).Callback === here) await client.eliminarWebhook({ topic })
}

/** A received delivery and its response. */
interface Delivery {
  /** Why the verification failed, or null. */
  fault: string | null
  attempt: string | null
  /** The status that was returned. */
  status: number
  event: WebhookEvent | null
}

interface Receiving {
  secrets: readonly string[]
  forwardTo: string | undefined
  show(delivery: Delivery): void
}

async function receive(request: IncomingMessage, response: ServerResponse, receiving: Receiving): Promise<void> {
  const { secrets, forwardTo, show } = receiving
  const body = await bodyOf(request)
  const attempt = String(request.headers['webhook-attempt'] ?? '') || null
  try {
    const event = await verifyWebhook(request.headers, body, secrets)
    const { status, text, headers } = forwardTo ? await forward(forwardTo, request, body) : ACCEPTED
    response.writeHead(status, headers).end(text)
    show({ fault: null, attempt, status, event })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.writeHead(401).end(error.message)
    show({ fault: error.code, attempt, status: 401, event: null })
  }
}

const ACCEPTED = { status: 204, text: '', headers: {} }

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error('a request of over 1 MiB was cut off: no webhook is that long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Forwards the request byte for byte, so that its signature stays valid; 502 if nothing answers. */
async function forward(url: string, { headers }: IncomingMessage, body: Buffer) {
  const passed = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)) as [string, string][]
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: passed,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    })
    const headers = [...answer.headers].filter(([name]) => RETURNED_HEADERS.has(name))
    return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(headers) }
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message
    return { status: 502, text: `${url} does not answer: ${cause}`, headers: {} }
  }
}

/** Headers of the connection, which are not forwarded. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])

/** Response headers that the server uses or shows. */
const RETURNED_HEADERS = new Set(['retry-after', 'content-type'])

function lineOf({ fault, attempt, status, event }: Delivery, style: Style): string {
  if (!event) return `${style('red', `✗ ${status}`)}  ${fault}`
  const again = attempt && attempt !== '1' ? `  (attempt ${attempt})` : ''
  return `${style(status < 300 ? 'green' : 'yellow', `✓ ${status}`)}  ${eventLine(event, style)}${again}`
}

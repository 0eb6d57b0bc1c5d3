import { type buildConnector, Client } from 'undici'
import type { Config } from '../config.ts'
import { type CallbackConfig, callbackRules } from '../webhooks/callback-rules.ts'
import { userAgentOf } from '../webhooks/headers.ts'
import { NoResponse, openConnector, readInSlices } from '../webhooks/send/connect.ts'
import { codeOf } from '../webhooks/send/explain.ts'
import type { PhotoError } from './errors.ts'

export const MAX_PHOTO_BYTES = 15_000_000
const MAX_REDIRECTS = 3
const MAX_HEADER_BYTES = 16_384
/** In all: a file in chunks of a byte, or interim responses without end, would keep the process busy for `totalMs`. */
const MAX_RESPONSE_BYTES = MAX_PHOTO_BYTES + 1_000_000
/** Beyond so many, chunks have so many bytes on average: each costs CPU time, however small. */
const MAX_SMALL_CHUNKS = 10_000
const SMALL_BYTES = 64
const TIMES = { connectMs: 5_000, totalMs: 12_000 }

/** The file, or why there is none; `final` if another attempt cannot succeed. */
type Downloaded = { bytes: Buffer } | { error: PhotoError; final?: true }

export interface DownloaderOptions {
  config: CallbackConfig & Pick<Config, 'publicUrl'>
  /** A test's own certificate and shorter times. */
  ca?: string | undefined
  times?: Partial<typeof TIMES>
}

export type Download = (url: string, signal: AbortSignal) => Promise<Downloaded>

/**
 * Downloads photos. The address is checked like that of a callback, also after a redirect: image hosts redirect, so up to
 * three are followed. Each download has a connection of its own, because partners may use any number of hosts.
 */
export function openDownloader({ config, ca, times }: DownloaderOptions): Download {
  const { connectMs, totalMs } = { ...TIMES, ...times }
  const connect = bounded(openConnector({ rules: callbackRules(config, []), connectMs, ca }))
  const headers = { accept: 'image/jpeg, image/png, image/webp', 'user-agent': userAgentOf(config.publicUrl) }

  return async (url, stopped) => {
    const timeout = AbortSignal.timeout(totalMs)
    const signal = AbortSignal.any([stopped, timeout])
    let target = new URL(url)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const result = await get(target, { connect, headers, signal }).catch((error: Error): Downloaded => {
        if (timeout.aborted) return { error: 'tiempo' }
        return failureOf(error)
      })
      if (!('redirect' in result)) return result
      const next = URL.canParse(result.redirect, target) ? new URL(result.redirect, target) : undefined
      if (!next || !/^https?:$/.test(next.protocol)) return { error: 'redirecciones', final: true }
      target = next
    }
    return { error: 'redirecciones', final: true }
  }
}

const bounded =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result
      if (socket)
        readInSlices(socket, () => {
          if (socket.bytesRead > MAX_RESPONSE_BYTES) socket.destroy(new NoResponse('long-response'))
        })
      callback(...result)
    })

interface GetOptions {
  connect: buildConnector.connector
  headers: Record<string, string>
  signal: AbortSignal
}

async function get(
  { origin, pathname, search }: URL,
  { connect, headers, signal }: GetOptions,
): Promise<Downloaded | { redirect: string }> {
  const client = new Client(origin, { connect, maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0 })
  try {
    const {
      statusCode,
      headers: received,
      body,
    } = await client.request({
      method: 'GET',
      path: pathname + search,
      headers,
      signal,
    })
    body.on('error', () => undefined) // of a body that is not read to its end
    const location = [received.location].flat()[0]
    if (statusCode >= 300 && statusCode < 400 && location) return { redirect: location }
    if (statusCode !== 200) return { error: `respuesta-${statusCode}` }
    if (Number(received['content-length']) > MAX_PHOTO_BYTES) return { error: 'pesada', final: true }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_PHOTO_BYTES || chunks.length > MAX_SMALL_CHUNKS + size / SMALL_BYTES)
        return { error: 'pesada', final: true }
      chunks.push(chunk)
    }
    return size === 0 ? { error: 'vacia', final: true } : { bytes: Buffer.concat(chunks, size) }
  } finally {
    client.destroy().catch(() => undefined)
  }
}

const RESOLVING = /^(query|getaddrinfo)/

/** One code for every fault of an address, so that nobody can find out which names exist in our network. */
function failureOf(error: Error): Downloaded {
  const code = codeOf(error)
  if (code === 'long-response') return { error: 'pesada', final: true }
  if (code === 'blocked-address') return { error: 'direccion', final: true }
  if (RESOLVING.test((error as NodeJS.ErrnoException).syscall ?? '')) return { error: 'direccion' }
  return { error: code === 'connect-timeout' ? 'tiempo' : 'conexion' }
}

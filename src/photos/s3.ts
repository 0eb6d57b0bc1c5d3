import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { s3Endpoint } from '../config.ts'
import { FOREVER } from '../http/finish-response.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { PhotoStorage } from './photo.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2
const RETRY_MS = 50

/**
 * A bucket of an S3-compatible store: `s3://KEY:SECRET@host/bucket/prefix?region=…`, by https unless `?tls=no`. The bucket is
 * part of the path, which every such store understands. aws4fetch signs the requests: the SDK of AWS is 40 times as large.
 */
export function openS3(photosUrl: string, timeoutMs = TIMEOUT_MS): PhotoStorage {
  const { username, password, searchParams } = new URL(photosUrl)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? 'us-east-1',
    service: 's3',
  })
  const base = s3Endpoint(photosUrl).href.replace(/\/$/, '')

  /** The signal goes to fetch itself: Node forgets that of a Request, which aws4fetch would make of it. */
  async function send(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(await client.sign(url, init), { signal })
      const isBusy = response.status >= 500 || response.status === 429
      if (!isBusy || attempt === RETRIES) return response
      await response.body?.cancel()
      await pause(RETRY_MS * 2 ** attempt, undefined, { signal })
    }
  }

  /** The body of the answer; undefined where there is no such thing. */
  async function call(
    name: string,
    init: RequestInit & { method: string },
    signal?: AbortSignal,
  ): Promise<Buffer | undefined> {
    const limited = signal ? withTimeLimit(signal, timeoutMs) : AbortSignal.timeout(timeoutMs)
    const response = await send(`${base}/${name}`, init, limited)
    const answer = Buffer.from(await response.arrayBuffer())
    if (response.ok) return answer
    const [, code] = /<Code>(\w+)</.exec(answer.toString()) ?? []
    // AWS denies a key without s3:ListBucket to know that a copy is missing. `rodado doctor` finds a key that may not read.
    if (response.status === 404 || (init.method === 'GET' && code === 'AccessDenied')) return undefined
    throw new Error(`The store of PHOTOS_URL answered ${response.status} to ${init.method}${code ? `: ${code}` : ''}.`)
  }

  return {
    async put(name, bytes, type, signal) {
      const headers = { 'content-type': type, 'cache-control': FOREVER }
      const stored = await call(name, { method: 'PUT', body: new Uint8Array(bytes), headers }, signal)
      if (!stored) throw new Error('The bucket of PHOTOS_URL does not exist.')
    },
    get: (name) => call(name, { method: 'GET' }),
    // The answer to HEAD has no code, so that a denied one is missing too.
    has: async (name, signal) => (await call(name, { method: 'HEAD' }, signal).catch(() => undefined)) !== undefined,
    async remove(name) {
      await call(name, { method: 'DELETE' })
    },
  }
}

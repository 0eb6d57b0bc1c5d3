import { AwsClient } from 'aws4fetch'
import { s3Endpoint } from '../config.ts'
import type { PhotoStorage } from './photo.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2

/**
 * A bucket of an S3-compatible store: `s3://KEY:SECRET@host/bucket/prefix?region=…`, by https unless `?tls=no`. The bucket is
 * part of the path, which every such store understands. aws4fetch signs the requests: the SDK of AWS is 40 times as large.
 */
export function openS3(photosUrl: string): PhotoStorage {
  const { username, password, searchParams } = new URL(photosUrl)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? 'us-east-1',
    service: 's3',
    retries: RETRIES,
  })
  const base = s3Endpoint(photosUrl).href.replace(/\/$/, '')

  async function call(method: string, name: string, body?: Buffer, headers: Record<string, string> = {}) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await client.fetch(`${base}/${name}`, {
      method,
      headers,
      signal,
      ...(body && { body: new Uint8Array(body) }),
    })
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new Error(`The store of PHOTOS_URL answered ${response.status} to ${method}.`)
  }

  return {
    async put(name, bytes, type) {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
      const response = await call('PUT', name, bytes, headers)
      await response.body?.cancel()
      if (!response.ok) throw new Error('The bucket of PHOTOS_URL does not exist.')
    },
    async get(name) {
      const response = await call('GET', name)
      if (response.ok) return Buffer.from(await response.arrayBuffer())
      await response.body?.cancel()
      return undefined
    },
    // A key without s3:ListBucket gets 403 for what is missing.
    has: async (name) => (await call('HEAD', name).catch(() => undefined))?.ok ?? false,
    async remove(name) {
      await (await call('DELETE', name)).body?.cancel()
    },
  }
}

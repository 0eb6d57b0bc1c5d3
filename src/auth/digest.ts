import { hash } from 'node:crypto'

const ALGORITHMS = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

const MAX_PARTS = 10 // RFC 3230 and its registry know fewer algorithms

/**
 * Whether a `Digest` header (RFC 3230) is true of the bytes. It may name several algorithms;
 * each one that we know must hold, and one at least must be known. The bytes are hashed once for each algorithm,
 * however often it is named.
 */
export function digestHolds(header: string, bytes: Buffer): boolean {
  const parts = header.split(',', MAX_PARTS + 1)
  if (parts.length > MAX_PARTS) return false
  const digests = new Map<string, string>()
  for (const part of parts) {
    const at = part.indexOf('=')
    const algorithm = ALGORITHMS.get(part.slice(0, at).trim().toLowerCase())
    if (at < 0 || !algorithm) continue
    const digest = digests.get(algorithm) ?? hash(algorithm, bytes, 'base64')
    if (digest !== part.slice(at + 1).trim()) return false
    digests.set(algorithm, digest)
  }
  return digests.size > 0
}

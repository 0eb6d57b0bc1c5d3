import { hash } from 'node:crypto'

const ALGORITHMS: Record<string, string> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

/**
 * Whether a `Digest` header (RFC 3230) is true of the bytes. It may name several algorithms;
 * each one that we know must hold, and one at least must be known.
 */
export function digestHolds(header: string, bytes: Buffer): boolean {
  let known = 0
  for (const part of header.split(',')) {
    const at = part.indexOf('=')
    const algorithm = ALGORITHMS[part.slice(0, at).trim().toLowerCase()]
    if (at < 0 || !algorithm) continue
    if (hash(algorithm, bytes, 'base64') !== part.slice(at + 1).trim()) return false
    known++
  }
  return known > 0
}

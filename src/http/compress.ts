import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { itself, memoize } from '../memoize.ts'
import { qualityParameter } from './accept.ts'

export type Encoding = 'br' | 'gzip'

/** Answers up to this size travel as they are: compressing them costs more than it saves. */
const COMPRESS_OVER_BYTES = 1024

export const isWorthCompressing = (bytes: Buffer): boolean => bytes.length > COMPRESS_OVER_BYTES

/** Bytes that are sent again and again are compressed once, and well; 6 and up cost twice the time for 2 % of the size. */
const WELL = { brotli: 5, gzip: 6 }
/** What is made for one answer is compressed for that answer alone: a page of 7 KB took 200 µs at 5, and is a tenth larger. */
const LIGHTLY = { brotli: 2, gzip: 4 }

const [brotliAside, gzipAside] = [promisify(brotliCompress), promisify(gzip)]

/** Up to this size compressing takes less than handing it to another thread, and the answer back. */
const AT_ONCE_UP_TO_BYTES = 65_536

const MOST_WAYS = 1_000

/** The encoding that an `Accept-Encoding` header takes best, brotli before gzip; undefined: as it is. */
export const chooseEncoding = (accept: string | undefined): Encoding | undefined =>
  accept === undefined ? undefined : bestOf(accept)

/** Clients write it in a few dozen ways, each of them always in the same. */
const bestOf = memoize(readBest, itself, MOST_WAYS)

function readBest(accept: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, qualityParameter(parameters))
  }
  const weight = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const [br, gz, identity] = [weight('br'), weight('gzip'), weights.get('identity') ?? 0]
  if (br > 0 && br >= gz && br >= identity) return 'br'
  return gz > 0 && gz >= identity ? 'gzip' : undefined
}

/** `once`: these bytes are sent once. */
export async function compress(bytes: Buffer, encoding: Encoding, once = false): Promise<Buffer> {
  const { brotli, gzip: level } = once ? LIGHTLY : WELL
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  if (bytes.length <= AT_ONCE_UP_TO_BYTES)
    return encoding === 'gzip' ? gzipSync(bytes, { level }) : brotliCompressSync(bytes, { params })
  return encoding === 'gzip' ? gzipAside(bytes, { level }) : brotliAside(bytes, { params })
}

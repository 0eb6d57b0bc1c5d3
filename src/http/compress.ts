import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { qualityParameter } from './negotiate.ts'

export type Encoding = 'br' | 'gzip'

/** Answers up to this size travel as they are: compressing them costs more than it saves. */
const COMPRESS_OVER_BYTES = 1024

export const isWorthCompressing = (bytes: Buffer): boolean => bytes.length > COMPRESS_OVER_BYTES

const BROTLI_QUALITY = 5 // the knee: quality 6 and up cost twice the time for 2 % of the size

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** The encoding that an `Accept-Encoding` header takes best, brotli before gzip; undefined: as it is. */
export function chooseEncoding(accept: string | undefined): Encoding | undefined {
  if (accept === undefined) return undefined
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

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? deflate(bytes)
    : brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

import type { FeedPosition } from '../store/feed.ts'
import { invalid } from './problems.ts'

const HIGHEST = { xid: 2n ** 64n - 1n, position: 2n ** 63n - 1n } // what xid8 and bigint hold

/** A place in the feed as clients keep it; what it is made of is our business. */
export const encodeCursor = ({ xid, position }: FeedPosition): string =>
  Buffer.from(`${xid}.${position}`).toString('base64url')

/** The place that a cursor names; 400 where we never gave it. */
export function decodeCursor(cursor: string): FeedPosition {
  const [, xid, position] = /^(\d{1,20})\.(\d{1,19})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const place = xid !== undefined && position !== undefined ? { xid, position } : undefined
  if (!place || encodeCursor(place) !== cursor || !isHeld(place))
    throw invalid({ cursor: ['Debe ser uno que dio next, o fin.'] })
  return place
}

const isHeld = ({ xid, position }: FeedPosition) => BigInt(xid) <= HIGHEST.xid && BigInt(position) <= HIGHEST.position

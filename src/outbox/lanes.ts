import type { Carrier } from './carrier.ts'
import type { Claimed } from './outbox.ts'

/** The rows in a worker's hands, by lane: one lane after the other gets its turn, and none more than its share. */
export interface LanesAtHand<Row extends Claimed> {
  put(rows: Row[]): void
  /** The next row to carry, if there are hands for it. */
  next(): Row | undefined
  /** A row that `next` gave has ended; after how long, where it was tried. */
  ended(row: Row, ms?: number): void
  /** How many more of a lane should be taken. */
  room(lane: number): number
  /** Rows that are carried or wait for it. */
  atHand(): number
  carrying(): number
  /** Takes out what was not begun. */
  empty(): Row[]
}

interface Lane<Row> {
  waiting: Row[]
  carrying: number
  /** How long an attempt takes, on average; the last ones count most. */
  paceMs: number | undefined
}

const AHEAD_MS = 500 // as many are taken as the lane may need until the next are there
const LAST_COUNTS = 0.2

/** A lane that is quick has rows waiting here, so that none of its hands waits for the database. */
export function openLanes<Row extends Claimed>({ inFlight, lanes: told }: Carrier<Row>): LanesAtHand<Row> {
  const hands = Math.min(told?.inFlight ?? inFlight, inFlight)
  const lanes = new Map<number, Lane<Row>>()
  /** Those with something to carry and a hand for it, in the order of their turns. */
  const ready = new Set<number>()
  let carrying = 0
  let waiting = 0

  const laneOf = (id: number): Lane<Row> => {
    let lane = lanes.get(id)
    if (!lane) lanes.set(id, (lane = { waiting: [], carrying: 0, paceMs: undefined }))
    return lane
  }

  function line(id: number, { waiting, carrying }: Lane<Row>): void {
    ready.delete(id)
    if (waiting.length > 0 && carrying < hands) ready.add(id)
    if (waiting.length + carrying === 0) lanes.delete(id)
  }

  const depth = ({ paceMs }: Lane<Row>): number =>
    told && paceMs !== undefined ? Math.max(hands, Math.min(told.ahead.lane, (hands * AHEAD_MS) / paceMs)) : hands

  return {
    put(rows) {
      for (const row of rows) {
        const lane = laneOf(row.lane)
        lane.waiting.push(row)
        if (lane.carrying < hands) ready.add(row.lane)
      }
      waiting += rows.length
    },
    next() {
      if (carrying >= inFlight) return undefined
      const [id] = ready
      const lane = id === undefined ? undefined : lanes.get(id)
      const row = lane?.waiting.shift()
      if (id === undefined || !lane || !row) return undefined
      waiting--
      carrying++
      lane.carrying++
      line(id, lane)
      return row
    },
    ended({ lane: id }, ms) {
      const lane = laneOf(id)
      carrying--
      lane.carrying--
      if (ms !== undefined)
        lane.paceMs = lane.paceMs === undefined ? ms : lane.paceMs + LAST_COUNTS * (ms - lane.paceMs)
      line(id, lane)
    },
    room(id) {
      const lane = lanes.get(id)
      if (!lane) return hands
      const deep = Math.floor(depth(lane))
      const has = lane.waiting.length + lane.carrying
      // Not one by one: half of them at least, as long as there is something to carry.
      return lane.waiting.length > 0 && has > deep / 2 ? 0 : Math.max(0, deep - has)
    },
    atHand: () => carrying + waiting,
    carrying: () => carrying,
    empty() {
      const rows = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      ready.clear()
      waiting = 0
      return rows
    },
  }
}

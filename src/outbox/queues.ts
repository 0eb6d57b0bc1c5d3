import type { Carrier } from './handler.ts'
import type { Claimed } from './outbox.ts'

/** The rows in a worker's hands, by lane: one lane after the other gets its turn, and none more than its share. */
export interface LanesAtHand<Row extends Claimed> {
  put(rows: Row[]): void
  /** The next row to carry, if there are hands for it. */
  next(): Row | undefined
  /** A row that `next` gave has ended; after how long, where it was tried. */
  ended(row: Row, ms?: number): void
  /** How many more of a lane could be taken. */
  room(lane: number): number
  /** Whether it is time to: not one by one, as long as there is something to carry. */
  isLow(lane: number): boolean
  /** Rows that are carried or wait for it. */
  atHand(): number
  carrying(): number
  /** Takes out what was not begun. */
  empty(): Row[]
}

interface Lane<Row> {
  id: number
  waiting: Row[]
  party: Party<Row> | undefined
  carrying: number
  /** How long an attempt takes, on average; the last ones count most. */
  paceMs: number | undefined
  /** Whether it stands in line for its turn, or is held until its party has a hand free. */
  inLine: boolean
}

/** Whoever has several lanes, and those of them that wait for a hand of his. */
interface Party<Row> {
  carrying: number
  held: Lane<Row>[]
}

const AHEAD_MS = 500 // as many are taken as the lane may need until the next are there
const LAST_COUNTS = 0.2

/** A lane that is quick has rows waiting here, so that none of its hands waits for the database. */
export function openLanes<Row extends Claimed>({ inFlight, lanes: told }: Carrier<Row>): LanesAtHand<Row> {
  const hands = Math.min(told?.inFlight ?? inFlight, inFlight)
  const partyHands = told?.party?.inFlight ?? inFlight
  const lanes = new Map<number, Lane<Row>>()
  const parties = new Map<number, Party<Row>>()
  /** Lanes with a waiting row and a free slot, in the order of their turns. */
  let ready: Lane<Row>[] = []
  let carrying = 0
  let waiting = 0

  const laneOf = (id: number): Lane<Row> => {
    let lane = lanes.get(id)
    if (!lane) {
      lane = { id, waiting: [], party: partyOf(id), carrying: 0, paceMs: undefined, inLine: false }
      lanes.set(id, lane)
    }
    return lane
  }

  function partyOf(lane: number): Party<Row> | undefined {
    const id = told?.party?.of(lane)
    if (id === undefined) return undefined
    let party = parties.get(id)
    if (!party) parties.set(id, (party = { carrying: 0, held: [] }))
    return party
  }

  /** The next lane whose turn it is; those of a party that has its hands full are put aside until one is free. */
  function turn(): Lane<Row> | undefined {
    for (let lane = ready.shift(); lane; lane = ready.shift()) {
      if (!lane.party || lane.party.carrying < partyHands) {
        lane.inLine = false
        return lane
      }
      lane.party.held.push(lane)
    }
    return undefined
  }

  /** Where there is something to carry and a hand for it, it stands in line; where there is nothing left, it is forgotten. */
  function line(lane: Lane<Row>): void {
    if (lane.inLine) return
    if (lane.waiting.length + lane.carrying === 0) lanes.delete(lane.id)
    if (lane.waiting.length === 0 || lane.carrying >= hands) return
    lane.inLine = true
    ready.push(lane)
  }

  /** Behind the others, so that nobody keeps all the hands he once had. */
  function release(party: Party<Row>): void {
    ready.push(...party.held)
    party.held = []
  }

  const depth = ({ paceMs }: Lane<Row>): number =>
    told && paceMs !== undefined ? Math.max(hands, Math.min(told.ahead.lane, (hands * AHEAD_MS) / paceMs)) : hands

  return {
    put(rows) {
      for (const row of rows) {
        const lane = laneOf(row.lane)
        lane.waiting.push(row)
        line(lane)
      }
      waiting += rows.length
    },
    next() {
      if (carrying >= inFlight) return undefined
      const lane = turn()
      const row = lane?.waiting.shift()
      if (!lane || !row) return undefined
      waiting--
      carrying++
      lane.carrying++
      if (lane.party) lane.party.carrying++
      line(lane)
      return row
    },
    ended({ lane: id }, ms) {
      const lane = laneOf(id)
      carrying--
      lane.carrying--
      if (lane.party) {
        lane.party.carrying--
        if (lane.party.held.length > 0) release(lane.party)
      }
      if (ms !== undefined)
        lane.paceMs = lane.paceMs === undefined ? ms : lane.paceMs + LAST_COUNTS * (ms - lane.paceMs)
      line(lane)
    },
    room(id) {
      const lane = lanes.get(id)
      return lane ? Math.max(0, Math.floor(depth(lane)) - lane.waiting.length - lane.carrying) : hands
    },
    isLow(id) {
      const lane = lanes.get(id)
      return !lane || lane.waiting.length === 0 || lane.waiting.length + lane.carrying <= depth(lane) / 2
    },
    atHand: () => carrying + waiting,
    carrying: () => carrying,
    empty() {
      const rows = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      for (const lane of lanes.values()) lane.inLine = false
      for (const party of parties.values()) party.held = []
      ready = []
      waiting = 0
      return rows
    },
  }
}

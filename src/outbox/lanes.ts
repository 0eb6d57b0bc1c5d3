import type { Carrier } from './carrier.ts'
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
  waiting: Row[]
  party: Party | undefined
  carrying: number
  /** How long an attempt takes, on average; the last ones count most. */
  paceMs: number | undefined
}

/** Whoever has several lanes, and those of them that wait for a hand of his. */
interface Party {
  carrying: number
  held: Set<number>
}

const AHEAD_MS = 500 // as many are taken as the lane may need until the next are there
const LAST_COUNTS = 0.2

/** A lane that is quick has rows waiting here, so that none of its hands waits for the database. */
export function openLanes<Row extends Claimed>({ inFlight, lanes: told }: Carrier<Row>): LanesAtHand<Row> {
  const hands = Math.min(told?.inFlight ?? inFlight, inFlight)
  const partyHands = told?.party?.inFlight ?? inFlight
  const lanes = new Map<number, Lane<Row>>()
  const parties = new Map<number, Party>()
  /** Those with something to carry and a hand for it, in the order of their turns. */
  const ready = new Set<number>()
  let carrying = 0
  let waiting = 0

  const laneOf = (id: number): Lane<Row> => {
    let lane = lanes.get(id)
    if (!lane) lanes.set(id, (lane = { waiting: [], party: partyOf(id), carrying: 0, paceMs: undefined }))
    return lane
  }

  function partyOf(lane: number): Party | undefined {
    const id = told?.party?.of(lane)
    if (id === undefined) return undefined
    let party = parties.get(id)
    if (!party) parties.set(id, (party = { carrying: 0, held: new Set() }))
    return party
  }

  /** The next lane whose turn it is; those of a party that has its hands full are put aside until one is free. */
  function turn(): [number, Lane<Row>] | undefined {
    for (const id of ready) {
      const lane = lanes.get(id)
      if (!lane) continue
      if (!lane.party || lane.party.carrying < partyHands) return [id, lane]
      ready.delete(id)
      lane.party.held.add(id)
    }
    return undefined
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
      const [id = 0, lane] = turn() ?? []
      const row = lane?.waiting.shift()
      if (!lane || !row) return undefined
      waiting--
      carrying++
      lane.carrying++
      if (lane.party) lane.party.carrying++
      line(id, lane)
      return row
    },
    ended({ lane: id }, ms) {
      const lane = laneOf(id)
      carrying--
      lane.carrying--
      if (lane.party) {
        lane.party.carrying--
        for (const held of lane.party.held) ready.add(held)
        lane.party.held.clear()
      }
      if (ms !== undefined)
        lane.paceMs = lane.paceMs === undefined ? ms : lane.paceMs + LAST_COUNTS * (ms - lane.paceMs)
      line(id, lane)
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
      ready.clear()
      for (const { held } of parties.values()) held.clear()
      waiting = 0
      return rows
    },
  }
}

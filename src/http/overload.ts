import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { tooManyRequests, unavailable } from './problems.ts'

const RESOLUTION_MS = 10
const LOOK_EVERY_MS = 500
const LONGEST_LAG_MS = 400 // behind by this much all the time, refusing some is kinder than serving all late
/**
 * Requests under way at once: more do not make the database faster, and at a few hundred writes a second, which is what is
 * left while most is refused, the last of them waits a second. What is answered from memory is never under way for long.
 */
const MOST_AT_ONCE = 400
/** From here on nobody may hold more than a share, so that one who floods does not take the place of the others. */
const CROWDED = MOST_AT_ONCE / 2
const SHARE = MOST_AT_ONCE / 4
const RETRY_SECONDS = 1

/** Who is let in while there is more to do than can be done. */
export interface Overload<Who extends { id: number }> {
  /** Whether whoever comes now is refused with 503. */
  isRefusing(): boolean
  /**
   * Counts a request until it is answered, once it is known whose it is and its body has come: whoever sends that a byte
   * at a time takes no place. While it is crowded, 429 for whoever holds more than a share.
   */
  enter(who: Who, reply: FastifyReply): void
  /** Whose key that is, where it was proven a moment ago and its holder has all of a share now: `enter` would refuse. */
  crowding(authorization: string | undefined): Who | undefined
}

/** 503 to everybody. */
export const full = () => unavailable('El servidor está sobrecargado. Vuelva a intentar en unos segundos.')

/** 429 to whoever holds more than a share. */
export const overShare = () =>
  tooManyRequests(RETRY_SECONDS, 'Hay demasiadas solicitudes en curso a la vez. Espere las respuestas.')

/** What somebody holds while it is crowded, and the keys by which it is known at once whose a request is. */
interface Holding<Who> {
  who: Who
  places: number
  keys: Set<string>
}

/**
 * Refuses while the process cannot keep up: by the requests under way, and by the lag of the event loop. Of the lag it
 * goes by the median, not the mean: one long pause (a start, a large list printed for the first time) is not overload, a
 * queue that never empties is.
 */
export function refuseOverload<Who extends { id: number }>(app: FastifyInstance): Overload<Who> {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  lag.enable()
  let [overloaded, wasLate] = [false, false]
  const look = setInterval(() => {
    const late = lag.percentile(50) / 1e6 > LONGEST_LAG_MS
    overloaded = late && wasLate // one pause of half a second is the only sample of its time, and its median
    wasLate = late
    lag.reset()
  }, LOOK_EVERY_MS).unref()

  let atOnce = 0
  const held = new Map<number, Holding<Who>>()
  const byKey = new Map<string, Holding<Who>>()
  const isRefusing = () => overloaded || atOnce >= MOST_AT_ONCE

  /** Only looked at while it is crowded, so that it costs nothing otherwise. */
  function takeShare(who: Who, reply: FastifyReply): void {
    const mine = held.get(who.id) ?? { who, places: 0, keys: new Set() }
    if (mine.places >= SHARE) throw overShare()
    mine.places++
    held.set(who.id, mine)
    const { authorization } = reply.request.headers
    if (isWholeProof(authorization)) {
      mine.keys.add(authorization)
      byKey.set(authorization, mine)
    }
    onceGone(reply, () => {
      if (--mine.places > 0) return
      held.delete(who.id)
      for (const key of mine.keys) byKey.delete(key)
    })
  }

  app.addHook('onRequest', (_request, _reply, done) => done(isRefusing() ? full() : undefined))
  app.addHook('onClose', async () => {
    clearInterval(look)
    lag.disable()
  })

  return {
    isRefusing,
    enter(who, reply) {
      if (reply.request.raw.socket.destroyed) return // whoever asked has gone, and nothing would tell of it again
      if (atOnce >= MOST_AT_ONCE) throw full()
      if (atOnce >= CROWDED) takeShare(who, reply)
      atOnce++
      onceGone(reply, () => {
        atOnce--
      })
    },
    crowding(authorization = '') {
      if (atOnce < CROWDED || byKey.size === 0) return undefined
      const holding = byKey.get(authorization)
      return holding && holding.places >= SHARE ? holding.who : undefined
    },
  }
}

/** A key or token says all of who asks; of a signature anybody may write the beginning. */
const isWholeProof = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^bearer /i.test(authorization)

/**
 * What is to be done for each connection when it closes with answers still owed: mostly one thing, for pipelines more. A
 * list and not a Set, which leaves more behind than it holds when it is filled and emptied with every request.
 */
const owed = new WeakMap<Socket, (() => void)[]>()

/**
 * Frees a place once, when its answer is given or its connection closed: an answer that waits behind another of the same
 * connection is never told of the end.
 */
export function onceGone(reply: FastifyReply, free: () => void): void {
  const { socket } = reply.request.raw
  const waiting = owed.get(socket) ?? expectEnd(socket)
  waiting.push(free)
  reply.raw.once('close', () => {
    const at = waiting.indexOf(free)
    if (at < 0) return
    waiting.splice(at, 1)
    free()
  })
}

function expectEnd(socket: Socket): (() => void)[] {
  const waiting: (() => void)[] = []
  owed.set(socket, waiting)
  socket.once('close', () => {
    for (const free of waiting.splice(0)) free()
  })
  return waiting
}

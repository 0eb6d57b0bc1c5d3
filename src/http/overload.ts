import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { tooManyRequests, unavailable } from './problems.ts'

const RESOLUTION_MS = 10
const LOOK_EVERY_MS = 500
const LONGEST_LAG_MS = 400 // behind by this much all the time, refusing some is kinder than serving all late
/**
 * Requests under way at once: at a thousand writes a second the last of them waits half a second, and whoever comes on
 * top would wait longer than they like. What is answered from memory is never under way for long.
 */
const MOST_AT_ONCE = 600
/** From here on nobody may hold more than a share, so that one who floods does not take the place of the others. */
const CROWDED = MOST_AT_ONCE / 2
const SHARE = MOST_AT_ONCE / 4
const RETRY_SECONDS = 1

/** Who is let in while there is more to do than can be done. */
export interface Overload {
  /** Whether whoever comes now is refused with 503. */
  isRefusing(): boolean
  /**
   * Counts a request until it is answered, once it is known whose it is and its body has come: whoever sends that a byte
   * at a time takes no place. While it is crowded, 429 for whoever holds more than a share.
   */
  enter(id: number, reply: FastifyReply): void
}

const full = () => unavailable('El servidor está sobrecargado. Vuelva a intentar en unos segundos.')

/**
 * Refuses while the process cannot keep up: by the requests under way, and by the lag of the event loop. Of the lag it
 * goes by the median, not the mean: one long pause (a start, a large list printed for the first time) is not overload, a
 * queue that never empties is.
 */
export function refuseOverload(app: FastifyInstance): Overload {
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
  const held = new Map<number, number>()
  const isRefusing = () => overloaded || atOnce >= MOST_AT_ONCE

  /** Only looked at while it is crowded, so that it costs nothing otherwise. */
  function takeShare(id: number, reply: FastifyReply): void {
    const mine = held.get(id) ?? 0
    if (mine >= SHARE)
      throw tooManyRequests(RETRY_SECONDS, 'Hay demasiadas solicitudes en curso a la vez. Espere las respuestas.')
    held.set(id, mine + 1)
    onceGone(reply, () => {
      const left = (held.get(id) ?? 1) - 1
      if (left > 0) held.set(id, left)
      else held.delete(id)
    })
  }

  app.addHook('onRequest', (_request, _reply, done) => done(isRefusing() ? full() : undefined))
  app.addHook('onClose', async () => {
    clearInterval(look)
    lag.disable()
  })

  return {
    isRefusing,
    enter(id, reply) {
      if (reply.request.raw.socket.destroyed) return // whoever asked has gone, and nothing would tell of it again
      if (atOnce >= MOST_AT_ONCE) throw full()
      if (atOnce >= CROWDED) takeShare(id, reply)
      atOnce++
      onceGone(reply, () => {
        atOnce--
      })
    },
  }
}

/** What is to be done for each connection when it closes with answers still owed. */
const owed = new WeakMap<Socket, Set<() => void>>()

/**
 * Frees a place once, when its answer is given or its connection closed: an answer that waits behind another of the same
 * connection is never told of the end.
 */
function onceGone(reply: FastifyReply, free: () => void): void {
  const { socket } = reply.request.raw
  const waiting = owed.get(socket) ?? expectEnd(socket)
  waiting.add(free)
  reply.raw.once('close', () => {
    if (waiting.delete(free)) free()
  })
}

function expectEnd(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>()
  owed.set(socket, waiting)
  socket.once('close', () => {
    for (const free of waiting) free()
    waiting.clear()
  })
  return waiting
}

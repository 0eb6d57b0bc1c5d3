import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { tooManyRequests, unavailable } from './problems.ts'

const RESOLUTION_MS = 10
const CHECK_EVERY_MS = 500
const MAX_LAG_MS = 400 // refusing some requests is better than serving all of them this late
/** Requests in progress in one API, /v3 or /interno. More would only wait longer for the database. */
const MAX_IN_PROGRESS = 400
/** From here on each client is limited to a share, so that one that floods does not displace the others. */
const CROWDED = MAX_IN_PROGRESS / 2
const SHARE = MAX_IN_PROGRESS / 4
const RETRY_SECONDS = 1

interface LoadShedding {
  /** True if the client has its whole share in progress: `admit` would refuse it. */
  isOverShare(clientId: number): boolean
  /** Counts a request until it is answered; 503 at the limit, 429 above the client's share. */
  admit(clientId: number, reply: FastifyReply): void
}

export const overShare = () =>
  tooManyRequests(RETRY_SECONDS, 'Hay demasiadas solicitudes en curso a la vez. Espere las respuestas.')

const overloaded = () => unavailable('El servidor está sobrecargado. Vuelva a intentar en unos segundos.')

/**
 * Answers 503 in the first hook of a request while the process cannot keep up: too many requests in progress, or an event
 * loop that lags. The median of the lag decides, not the mean, because one long pause is not overload.
 */
export function shedLoad(app: FastifyInstance): LoadShedding {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  lag.enable()
  let [isLagging, wasLate] = [false, false]
  const timer = setInterval(() => {
    const isLate = lag.percentile(50) / 1e6 > MAX_LAG_MS
    isLagging = isLate && wasLate // one late period is not enough: it may be a single long pause
    wasLate = isLate
    lag.reset()
  }, CHECK_EVERY_MS).unref()

  let inProgress = 0
  /** Requests by client; only those admitted above `CROWDED` count. */
  const shares = new Map<number, number>()
  const isOverShare = (clientId: number) => inProgress >= CROWDED && (shares.get(clientId) ?? 0) >= SHARE

  function takeShare(clientId: number, reply: FastifyReply): void {
    if (isOverShare(clientId)) throw overShare()
    shares.set(clientId, (shares.get(clientId) ?? 0) + 1)
    onceAnswered(reply, () => {
      const left = (shares.get(clientId) ?? 1) - 1
      if (left > 0) shares.set(clientId, left)
      else shares.delete(clientId)
    })
  }

  app.addHook('onRequest', (_request, _reply, done) =>
    done(isLagging || inProgress >= MAX_IN_PROGRESS ? overloaded() : undefined),
  )
  app.addHook('onClose', async () => {
    clearInterval(timer)
    lag.disable()
  })

  return {
    isOverShare,
    admit(clientId, reply) {
      if (reply.request.raw.socket.destroyed) return // its close event has passed, so nothing would release the slot
      if (inProgress >= MAX_IN_PROGRESS) throw overloaded()
      if (inProgress >= CROWDED) takeShare(clientId, reply)
      inProgress++
      onceAnswered(reply, () => {
        inProgress--
      })
    },
  }
}

const pendingBySocket = new WeakMap<Socket, (() => void)[]>()

/**
 * Calls `release` once, when the response or its connection closes. A pipelined response that waits behind another one
 * emits no `close` when the connection ends, so the socket's event is needed too.
 */
export function onceAnswered(reply: FastifyReply, release: () => void): void {
  const { socket } = reply.request.raw
  const pending = pendingBySocket.get(socket) ?? releaseOnClose(socket)
  pending.push(release)
  reply.raw.once('close', () => {
    const index = pending.indexOf(release)
    if (index < 0) return
    pending.splice(index, 1)
    release()
  })
}

function releaseOnClose(socket: Socket): (() => void)[] {
  const pending: (() => void)[] = []
  pendingBySocket.set(socket, pending)
  socket.once('close', () => {
    for (const release of pending.splice(0)) release()
  })
  return pending
}

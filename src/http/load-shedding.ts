import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { message } from '../i18n/messages.tsx'
import { getOrInsert } from '../memoize.ts'
import { sendEarlyProblem } from './early-problem.ts'
import { pathOf } from './negotiation.ts'
import { type Problem, tooManyRequests, unavailable } from './problems.ts'

declare module 'fastify' {
  interface FastifyInstance {
    earlyRefusals: ReturnType<typeof createEarlyRefusals>
  }
}

const RESOLUTION_MS = 10
const CHECK_EVERY_MS = 500
const MAX_LAG_MS = 400 // refusing some requests is better than serving all of them this late
/** Requests in progress in one API, /v3 or /interno. More would only wait longer for the database. */
const MAX_IN_PROGRESS = 400
/** From here on each client is limited to a share, so that one that floods does not displace the others. */
const SHARES_FROM = MAX_IN_PROGRESS / 2
const SHARE = MAX_IN_PROGRESS / 4
/** Remembered for one client. Requests with further tokens are refused later, by `admit`. */
const MAX_TOKENS = 8
const RETRY_SECONDS = 1

const BEARER = /^bearer /i

interface Share<Client> {
  client: Client
  requests: number
  tokens: Set<string>
}

export const overShare = () => tooManyRequests(RETRY_SECONDS, message('problema.inProgress'), 'solicitudes-en-curso')

export const overloaded = () => unavailable(message('problema.overloaded'), 'sobrecargado')

/**
 * Refuses requests while the process cannot keep up, most of them before Fastify: too many requests in progress, or an
 * event loop that lags. The median of the lag decides, not the mean, because one long pause is not overload.
 * `refuse` counts a request of a client over its share, and gives the answer.
 */
export function shedLoad<Client extends { id: number }>(
  app: FastifyInstance,
  refuse: (client: Client, raw: IncomingMessage) => Problem,
) {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isLagging = false
  let wasLate = false
  function checkLag(): void {
    const isLate = lag.percentile(50) / 1e6 > MAX_LAG_MS
    isLagging = isLate && wasLate // one late period is not enough: it may be a single long pause
    wasLate = isLate
    lag.reset()
  }
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    lag.enable() // not earlier: while the process starts it serves nobody
    timer = setInterval(checkLag, CHECK_EVERY_MS).unref()
  })

  let inProgress = 0
  /** By client; only requests admitted above `SHARES_FROM` count. */
  const shares = new Map<number, Share<Client>>()
  /** Shares by bearer token, which identifies the client before authentication. */
  const byToken = new Map<string, Share<Client>>()
  const isFull = () => isLagging || inProgress >= MAX_IN_PROGRESS
  const exceeds = (share: Share<Client> | undefined): share is Share<Client> =>
    inProgress >= SHARES_FROM && (share?.requests ?? 0) >= SHARE
  const isOverShare = (clientId: number) => exceeds(shares.get(clientId))

  function takeShare(client: Client, reply: FastifyReply): void {
    if (isOverShare(client.id)) throw overShare()
    const share = getOrInsert(shares, client.id, () => ({ client, requests: 0, tokens: new Set<string>() }))
    share.requests++
    const { authorization } = reply.request.headers
    if (authorization && BEARER.test(authorization) && share.tokens.size < MAX_TOKENS) {
      share.tokens.add(authorization)
      byToken.set(authorization, share)
    }
    onClosed(reply, () => {
      if (--share.requests > 0) return
      shares.delete(client.id)
      for (const token of share.tokens) byToken.delete(token)
    })
  }

  app.earlyRefusals.add(app.prefix, (raw) => {
    if (isFull()) return overloaded()
    const share = byToken.get(raw.headers.authorization ?? '')
    return exceeds(share) ? refuse(share.client, raw) : undefined
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    lag.disable()
  })

  return {
    /** True if the client has its whole share in progress: `admit` would refuse it. */
    isOverShare,
    /** Counts a request until it is answered; 503 at the limit, 429 above the client's share. */
    admit(client: Client, reply: FastifyReply): void {
      if (reply.request.raw.socket.destroyed) return // its close event has passed, so nothing would release the slot
      if (isFull()) throw overloaded()
      if (inProgress >= SHARES_FROM) takeShare(client, reply)
      inProgress++
      onClosed(reply, () => {
        inProgress--
      })
    },
  }
}

const pendingBySocket = new WeakMap<Socket, (() => void)[]>()

/** A pipelined response that waits behind another emits no `close`, so the socket's event is needed too. */
export function onClosed(reply: FastifyReply, release: () => void): void {
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

type RefusalCheck = (raw: IncomingMessage) => Problem | undefined

interface EarlyRefusalsDeps {
  log: Pick<FastifyBaseLogger, 'warn'>
  publicUrl: string
  metrics: Registry
}

const LOG_EVERY_MS = 1_000

/**
 * Refuses requests before Fastify handles them: under a flood, each must cost far less than serving it would. Logs one line a
 * second for all refusals of a status: a line for each would be a large part of their cost.
 */
export function createEarlyRefusals({ log, publicUrl, metrics }: EarlyRefusalsDeps) {
  const refusals: { prefix: string; refusal: RefusalCheck }[] = []
  const refused = new Counter({
    name: 'rodado_http_shed_total',
    help: 'Requests refused because of overload, by status.',
    labelNames: ['status'],
    registers: [metrics],
  })
  const counts = new Map<number, number>()
  function writeLog(): void {
    for (const [status, count] of counts) log.warn({ status, count }, 'requests refused because of overload')
    counts.clear()
  }

  return {
    add: (prefix: string, refusal: RefusalCheck): void => void refusals.push({ prefix: `${prefix}/`, refusal }),
    answer(raw: IncomingMessage, response: ServerResponse): boolean {
      const path = pathOf(raw.url ?? '')
      const problem = refusals.find(({ prefix }) => `${path}/`.startsWith(prefix))?.refusal(raw)
      if (!problem) return false
      sendEarlyProblem(response, { problem, publicUrl, request: raw })
      refused.inc({ status: problem.status })
      if (counts.size === 0) setTimeout(writeLog, LOG_EVERY_MS).unref()
      counts.set(problem.status, (counts.get(problem.status) ?? 0) + 1)
      return true
    },
  }
}

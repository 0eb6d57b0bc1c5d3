import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { callerFor } from '../../tests/support/caller.ts'

const BYTE_MS = 1_000
const ASK_MS = 50
/** Longer than the server's limit for a whole request. */
const TIMEOUT_MS = 80_000
const LONG_BODY = 100_000

/** After how long clients were cut off, first and last; undefined if none was. */
export interface CutOff {
  firstS: number | undefined
  lastS: number | undefined
}

export interface SlowClients {
  /** Clients whose connection was accepted. */
  connected: number
  headers: CutOff
  bodies: CutOff
  /** Connections still open at the end. */
  left: number
  requests: number
  /** Other requests that were not served meanwhile. */
  wrong: number
  p99: number
}

/** Clients that never finish a request (slowloris), half of them the headers and half the body, and one normal caller. */
export async function runSlowClients(
  url: string,
  app: { key: string; secret: string },
  clients: number,
): Promise<SlowClients> {
  const { hostname, port } = new URL(url)
  const caller = callerFor(url, app.key, app.secret)
  const began = performance.now()
  const cut: Record<'headers' | 'body', number[]> = { headers: [], body: [] }
  const open = new Set<Socket>()
  let connected = 0

  function begin(kind: 'headers' | 'body'): void {
    const head = `POST /v3/agencias HTTP/1.1\r\nHost: ${hostname}\r\n`
    const signed = caller.signed('POST', '/v3/agencias', { headers: { 'content-type': 'application/json' } })
    const lines = Object.entries({ ...signed, 'content-length': LONG_BODY })
    const whole = `${head}${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    let connectedMs = began
    let timer: NodeJS.Timeout | undefined
    // With so many clients some wait for their connection. A byte sent before the request would not be HTTP.
    const socket = connect(Number(port), hostname, () => {
      connected++
      connectedMs = performance.now()
      socket.write(kind === 'headers' ? `${head}X-Slow: ` : whole)
      timer = setInterval(() => socket.write('a'), BYTE_MS)
    })
    open.add(socket)
    socket.resume().on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      open.delete(socket)
      cut[kind].push((performance.now() - connectedMs) / 1_000)
    })
  }
  for (let each = 0; each < clients; each++) begin(each % 2 === 0 ? 'headers' : 'body')

  const times: number[] = []
  let wrong = 0
  while (open.size > 0 && performance.now() - began < TIMEOUT_MS) {
    const sentMs = performance.now()
    const answer = await caller.get('/v3/colores').catch(() => undefined)
    times.push(performance.now() - sentMs)
    if (answer?.status !== 200) wrong++
    await pause(ASK_MS)
  }
  const left = open.size
  const [headers, bodies] = [cutOffOf(cut.headers), cutOffOf(cut.body)]
  for (const socket of open) socket.destroy()
  times.sort((a, b) => a - b)
  return {
    connected,
    headers,
    bodies,
    left,
    requests: times.length,
    wrong,
    p99: times[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN,
  }
}

const cutOffOf = (cutS: readonly number[]): CutOff => ({
  firstS: cutS.length > 0 ? Math.min(...cutS) : undefined,
  lastS: cutS.length > 0 ? Math.max(...cutS) : undefined,
})

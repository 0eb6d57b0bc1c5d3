import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { callerFor } from '../../tests/support/caller.ts'

const BYTE_MS = 1_000
const ASK_MS = 50
/** Past what the server allows for a whole request, and its next look after that. */
const TIMEOUT_MS = 80_000
const LONG_BODY = 100_000

/** How long those of a kind were borne with, the shortest and the longest; none where none was cut off. */
export interface CutOff {
  firstS: number | undefined
  lastS: number | undefined
}

export interface SlowClients {
  /** Clients whose connection was taken: one that was refused was not cut off. */
  connected: number
  headers: CutOff
  bodies: CutOff
  /** Connections that were still open at the end. */
  left: number
  asked: number
  /** Others who were not served meanwhile. */
  wrong: number
  p99: number
}

/** Clients that never finish (slowloris): half of them with their headers, half with their body; and one who asks as usual. */
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
    // Not before: of so many at once some wait for their connection, and a byte before the request would be no HTTP.
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
    const asked = performance.now()
    const answer = await caller.get('/v3/colores').catch(() => undefined)
    times.push(performance.now() - asked)
    if (answer?.status !== 200) wrong++
    await pause(ASK_MS)
  }
  const left = open.size
  const [headers, bodies] = [cutOffOf(cut.headers), cutOffOf(cut.body)]
  for (const socket of open) socket.destroy()
  times.sort((a, b) => a - b)
  return {
    ...{ connected, headers, bodies, left, asked: times.length, wrong },
    p99: times[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN,
  }
}

const cutOffOf = (cutS: readonly number[]): CutOff => ({
  firstS: cutS.length > 0 ? Math.min(...cutS) : undefined,
  lastS: cutS.length > 0 ? Math.max(...cutS) : undefined,
})

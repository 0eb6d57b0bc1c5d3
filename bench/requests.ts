import { type Captured, capture } from './capture.ts'
import type { Prepared } from './client/connection.ts'
import { bearer, type Credential, SIGNATURES, signature } from './credentials.ts'
import type { Installation } from './installation.ts'

/** A GET, as partners send it. */
export interface Asked {
  name: string
  title: string
  /** Path and query; several are asked in turn. */
  targets: readonly string[]
  /** `none`: what it is believed by stands in the headers. */
  credential?: 'signature' | 'token' | 'none'
  headers?: Record<string, string>
  /** The client has the answer already and asks whether it changed: 304. */
  conditional?: true
  /** A server that understands fewer of the values refuses the others with 400, at no less cost. */
  mayRefuse?: true
  /** Comes through a proxy, from another address each time: pages are limited by address. */
  forwarded?: true
  target: number
}

/** Asks our server for every target once, and refuses to measure anything but the answer that was meant. */
export async function captureAnswers(asked: Asked, installation: Installation, port: number): Promise<Captured[]> {
  const credential = await credentialFor(asked, installation, port)
  const answers: Captured[] = []
  for (const target of asked.targets) {
    const headers = { ...asked.headers, ...credential(target, 0) }
    const plain = await capture(port, target, headers)
    const conditional = { ...headers, 'if-none-match': etagOf(plain) }
    const answer = asked.conditional ? await capture(port, target, conditional) : plain
    const meant = asked.conditional ? 304 : 200
    if (answer.status !== meant && !(asked.mayRefuse && answer.status === 400))
      throw new Error(`GET ${target} answered ${answer.status} instead of ${meant}.`)
    answers.push(answer)
  }
  return answers
}

/** The requests of a round, byte for byte: the same ones go to both servers. Made anew for each, so that no date grows old. */
export async function prepareRequests(asked: Asked, answers: Captured[], installation: Installation, port: number) {
  const credential = await credentialFor(asked, installation, port)
  return Array.from({ length: Math.max(SIGNATURES, answers.length) }, (_, turn): Prepared => {
    const answer = answers[turn % answers.length] as Captured
    const fields = {
      host: '127.0.0.1',
      'user-agent': 'rodado-bench',
      accept: 'application/json',
      ...asked.headers,
      ...(asked.conditional && { 'if-none-match': etagOf(answer) }),
      ...(asked.forwarded && { 'x-forwarded-for': `10.1.${turn >> 8}.${turn & 255}` }),
      ...credential(answer.target, turn),
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    return { bytes: `GET ${answer.target} HTTP/1.1\r\n${lines.join('')}\r\n`, status: answer.status }
  })
}

async function credentialFor({ credential }: Asked, installation: Installation, port: number): Promise<Credential> {
  if (credential === 'none') return () => ({})
  return credential === 'token' ? bearer(installation, port) : signature(installation, new Date())
}

function etagOf({ headers }: Captured): string {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'etag')
  return headers[at + 1] ?? ''
}

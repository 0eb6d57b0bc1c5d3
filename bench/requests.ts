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
  credential?: 'signature' | 'token'
  headers?: Record<string, string>
  /** The client has the answer already and asks whether it changed: 304. */
  conditional?: true
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
    if (answer.status !== meant) throw new Error(`GET ${target} answered ${answer.status} instead of ${meant}.`)
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
      ...credential(answer.target, turn),
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    return { bytes: `GET ${answer.target} HTTP/1.1\r\n${lines.join('')}\r\n`, status: answer.status }
  })
}

async function credentialFor({ credential }: Asked, installation: Installation, port: number): Promise<Credential> {
  return credential === 'token' ? bearer(installation, port) : signature(installation, new Date())
}

const etagOf = ({ headers }: Captured): string => headers[headers.indexOf('etag') + 1] ?? ''

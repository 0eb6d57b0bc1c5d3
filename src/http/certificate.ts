import { isIP } from 'node:net'
import { connect } from 'node:tls'

const TIMEOUT_MS = 5_000

interface Certificate {
  expiresAt: Date
  /** Why clients will refuse it; null if they accept it. */
  fault: string | null
}

/** Connects to an https address as a partner would, and reads the certificate; undefined for http. */
export function readCertificate(address: string): Promise<Certificate | undefined> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'https:') return Promise.resolve(undefined)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    // Accepted at first, so that the reason and the date of a bad certificate can be reported. Nothing is sent.
    const options = { host, port: Number(port) || 443, rejectUnauthorized: false, timeout: TIMEOUT_MS }
    const socket = connect({ ...options, ...(isIP(host) === 0 && { servername: host }) }, () => {
      const expiresAt = new Date(socket.getPeerCertificate().valid_to)
      const { authorizationError } = socket
      const fault = authorizationError instanceof Error ? authorizationError.message : (authorizationError ?? null)
      socket.destroy()
      resolve({ expiresAt, fault: fault === null ? null : String(fault) })
    })
    socket.once('timeout', () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)))
    socket.once('error', reject)
  })
}

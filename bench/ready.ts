import type { ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 2
const PATIENCE_MS = 60_000

/** Waits until the server on that port answers /health/ready with 200; one that ended instead is an error. */
export async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isReady(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended before it was ready.')
    if (performance.now() > deadline) throw new Error(`The server was not ready after ${PATIENCE_MS} ms.`)
    await pause(POLL_MS)
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    })
      .on('error', () => resolve(false))
      .end()
  })
}

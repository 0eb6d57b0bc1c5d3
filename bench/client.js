// The process that sends the load. Each message from its parent is an order: requests to send to a port, over and over,
// for a while. It fails on the first answer with an unexpected status.
import { Client } from 'undici'

/** Connections by port: the next order reuses them, so that opening them is not part of every figure. */
const clients = new Map()

function connectionsTo(port, count) {
  const open = clients.get(port) ?? []
  while (open.length < count) open.push(new Client(`http://127.0.0.1:${port}`, { pipelining: 1 }))
  clients.set(port, open)
  return open.slice(0, count)
}

/** Sends one request after the other on a connection until `next` gives none. */
function sendAll(client, next) {
  return new Promise((resolve, reject) => {
    let current
    const proceed = () => {
      current = next()
      if (current) client.dispatch(current, handler)
      else resolve()
    }
    const handler = {
      onRequestStart() {},
      onResponseStart(_controller, status) {
        if (!current.expected.includes(status))
          reject(new Error(`${current.method} ${current.path} answered ${status}, expected ${current.expected}.`))
      },
      onResponseData() {},
      onResponseEnd: proceed,
      onResponseError: (_controller, error) => reject(error),
    }
    proceed()
  })
}

/** Every connection finishes its last request: no answer is left uncounted. */
async function load({ port, connections, durationMs, requests, once }) {
  const open = connectionsTo(port, connections)
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const deadline = began + durationMs
  let sent = 0
  const next = () => {
    if (performance.now() >= deadline || (once && sent === requests.length)) return undefined
    return requests[sent++ % requests.length]
  }
  await Promise.all(open.map((client) => sendAll(client, next)))
  const { user, system } = process.cpuUsage(cpuBefore)
  return { answered: sent, elapsedMicros: (performance.now() - began) * 1000, cpuMicros: user + system }
}

process.on('message', (order) => {
  load(order).then(
    (outcome) => process.send(outcome),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send('ready')

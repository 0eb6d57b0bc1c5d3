// Posts signed bodies with undici, without a database: `undici-loop.js URL SECRET FILE CONNECTIONS`. Its parent says how
// many of the bodies in the file to send; they have the headers and signatures of ours.
import { createHmac, createSecretKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const [url = '', secret = '', file = '', connections = ''] = process.argv.slice(2)
const { origin, pathname: path } = new URL(url)
const key = createSecretKey(secret, 'utf8')
const bodies = JSON.parse(readFileSync(file, 'utf8'))
const pool = new Pool(origin, { connections: Number(connections) })

const hmac = (text) => createHmac('sha256', key).update(text).digest('base64')

async function post({ id, topic, body }) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'bare',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-attempt': '1',
      'webhook-signature': `v1,${hmac(`${id}.${timestamp}.${body}`)}`,
      'notification-hook-id': id,
      'notification-timestamp': timestamp,
      'notification-topic': topic,
      'notification-signature': hmac(`${id}\n${timestamp}\n${topic}`),
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
    body,
  })
  await answer.dump()
  if (statusCode !== 200) throw new Error(`The receiver answered ${statusCode}.`)
}

async function run(count) {
  let sent = 0
  const slot = async () => {
    while (sent < count) await post(bodies[sent++ % bodies.length])
  }
  await Promise.all(Array.from({ length: Number(connections) }, slot))
}

process.on('message', async (order) => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage()
    return process.send(user + system)
  }
  await run(order)
  process.send('done')
})
process.on('disconnect', () => process.exit())
process.send('ready')

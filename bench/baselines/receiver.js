// Receives webhooks: `receiver.js PORT`. Its parent says how many distinct ones to expect; it answers when all have
// come, with the moments of the first and the last, and the milliseconds each took since the `enviado=…` in its body.
import { createServer } from 'node:http'

let ids = new Set()
let expected = Number.POSITIVE_INFINITY
let first = 0
let took = []

const now = () => performance.timeOrigin + performance.now()

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.end('{"ok":true}')
    const id = request.headers['webhook-id']
    if (ids.has(id) || ids.size === expected) return
    ids.add(id)
    const at = now()
    if (ids.size === 1) first = at
    const sent = /enviado=([\d.]+)/.exec(Buffer.concat(chunks).toString())?.[1]
    if (sent) took.push(at - Number(sent))
    if (ids.size === expected) process.send({ first, last: at, took })
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send('ready'))

process.on('message', (order) => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage()
    return process.send(user + system)
  }
  if (order === 'count') return process.send(ids.size)
  ids = new Set()
  took = []
  expected = order.expected
  process.send('ready')
})
process.on('disconnect', () => process.exit())

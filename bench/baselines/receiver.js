// Takes webhooks and does nothing with them: `receiver.js PORT`. Its parent may ask it to tell when so many have come,
// and how long each took since the `Enviado` in it.
import { createServer } from 'node:http'

let received = 0
let expected = Number.POSITIVE_INFINITY
let timed = false
let took = []

const now = () => performance.timeOrigin + performance.now()

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.end('{"ok":true}')
    if (timed) took.push(now() - JSON.parse(Buffer.concat(chunks).toString()).Enviado)
    if (++received === expected) process.send({ took })
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send('ready'))

process.on('message', (order) => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage()
    return process.send(user + system)
  }
  received = 0
  took = []
  expected = order.expected
  timed = order.timed
  process.send('ready')
})
process.on('disconnect', () => process.exit())

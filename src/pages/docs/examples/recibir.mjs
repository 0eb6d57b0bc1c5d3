// SECRET=… node recibir.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET, PORT = 4000 } = process.env
const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice(6), 'base64') : Buffer.from(SECRET)

function isOurs({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false // alguien repite un aviso viejo
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  const given = signatures.split(' ').map((each) => Buffer.from(each.replace('v1,', ''), 'base64'))
  return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected))
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // lo que se firma son los bytes, no lo que significan
  if (!isOurs(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end() // enseguida; el trabajo viene después
  console.log(`${body}`) // un mismo Id puede llegar dos veces: cuente una
}).listen(PORT)

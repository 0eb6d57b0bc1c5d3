// The least that node:http can do: `bare.js ANSWERS PORT` sends, by address, the answers that were captured from the
// server beside it: the same status, body and headers. It checks nothing and knows nothing.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', port = ''] = process.argv.slice(2)
const captured = JSON.parse(readFileSync(file, 'utf8'))
const answers = new Map(
  captured.map(({ target, status, headers, body }) => [target, { status, headers, body: Buffer.from(body, 'base64') }]),
)

createServer((request, response) => {
  const answer = answers.get(request.url)
  if (!answer) return response.end() // the knock at the door
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}).listen(Number(port), '127.0.0.1')

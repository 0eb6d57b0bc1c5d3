// A bare node:http server: `bare.js ANSWERS PORT` sends, by path, the status, headers and body that ours has answered.
// It checks nothing.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', port = ''] = process.argv.slice(2)
const captured = JSON.parse(readFileSync(file, 'utf8'))
const answers = new Map(
  captured.map(({ target, status, headers, body }) => [target, { status, headers, body: Buffer.from(body, 'base64') }]),
)

createServer((request, response) => {
  const answer = answers.get(request.url)
  if (!answer) return response.end() // /health/ready
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}).listen(Number(port), '127.0.0.1')

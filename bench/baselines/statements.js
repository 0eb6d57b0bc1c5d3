// The least that an answer from the database can cost in Node: `statements.js ANSWERS PORT` asks PostgreSQL, for an
// address, the very statements that our server asks for it, prepared alike, and sends what ours sent. It checks nothing.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

const [file = '', port = ''] = process.argv.slice(2)
const { connection, answers } = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({ ...connection, max: 20, idleTimeoutMillis: 0 }) // as many as ours has, kept while others have their turns
for (const answer of Object.values(answers)) answer.body = Buffer.from(answer.body, 'base64')

createServer(async (request, response) => {
  const answer = answers[request.url]
  if (!answer) return response.end() // the knock at the door
  for (const statement of answer.statements) await pool.query(statement)
  response.writeHead(200, answer.headers)
  response.end(answer.body)
}).listen(Number(port), '127.0.0.1')

// What a page's statements cost by themselves: `asks.js STATEMENTS PORT` asks PostgreSQL those of page 3, one after the other,
// when it is asked for `/3`, and says how many microseconds of CPU that took it, the request itself not counted. At any other
// address it says which process of PostgreSQL works for it, and which for others.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { deserialize } from 'node:v8'
import pg from 'pg'

const [file = '', port = ''] = process.argv.slice(2)
const { connection, pages } = deserialize(readFileSync(file))
const client = new pg.Client(connection)
await client.connect()

createServer(async (request, response) => {
  const statements = pages[Number(request.url.slice(1))]
  if (!statements) {
    const { rows } = await client.query(`select pid from pg_stat_activity where backend_type = 'client backend'`)
    const others = rows.map(({ pid }) => pid).filter((pid) => pid !== client.processID)
    return response.end(JSON.stringify({ own: client.processID, others }))
  }
  const before = process.cpuUsage()
  for (const statement of statements) await client.query(statement)
  const { user, system } = process.cpuUsage(before)
  response.end(String(user + system))
}).listen(Number(port), '127.0.0.1')

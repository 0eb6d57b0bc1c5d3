// The bare statement: `upsert.js FILE` puts a batch of the rows in a file into the table when its parent says which.
// It checks and matches nothing, and the rows come ready as they are kept.
import { readFileSync } from 'node:fs'
import pg from 'pg'

const [file = ''] = process.argv.slice(2)
const { connection, text, batches } = JSON.parse(readFileSync(file, 'utf8'))
const client = new pg.Client(connection)
await client.connect()

process.on('message', async (order) => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage()
    return process.send(user + system)
  }
  const { agenciaId, pass, batch } = order
  await client.query({ text, values: [batches[pass][batch], agenciaId], name: 'upsert' })
  process.send('done')
})
process.on('disconnect', () => process.exit())
process.send('ready')

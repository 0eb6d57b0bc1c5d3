// The bare statement: `upsert.js FILE` puts the rows of a file into the table, a batch each, when its parent says which.
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
  const { agenciaId, pass } = order
  for (const batch of batches[pass]) await client.query({ text, values: [batch, agenciaId], name: 'upsert' })
  process.send('done')
})
process.on('disconnect', () => process.exit())
process.send('ready')

import pg from 'pg'

/**
 * A connection of one's own, for what takes longer than a statement of the store may. An interruption ends PostgreSQL
 * under it: whoever waits for an answer is told, and between two questions it is no reason for the bench to fall.
 */
export async function openClient(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

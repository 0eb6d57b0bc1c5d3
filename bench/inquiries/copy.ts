import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** What node-postgres keeps to itself: how rows go over the wire after COPY … FROM STDIN. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  stream: Socket
}

const CHUNK_CHARACTERS = 262_144

/** Sends rows (lines of COPY's text format) as fast as PostgreSQL takes them. */
export function copyIn(client: pg.Client, statement: string, lines: Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | undefined
    const query = {
      submit: (wire: Wire) => wire.query(statement),
      handleCopyInResponse: (wire: Wire) => void send(wire, lines).catch((error) => wire.stream.destroy(error)),
      handleError(error: Error) {
        failed = error
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failed ? reject(failed) : resolve()),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

async function send(wire: Wire, lines: Iterable<string>): Promise<void> {
  let chunk = ''
  const flush = async () => {
    wire.sendCopyFromChunk(Buffer.from(chunk))
    chunk = ''
    if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
  }
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length > CHUNK_CHARACTERS) await flush()
  }
  if (chunk) await flush()
  wire.endCopyFrom()
}

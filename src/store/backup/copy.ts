import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** The part of node-postgres's connection that COPY needs; it is not in its types. */
interface PgConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: Socket
}

const CHUNK_BYTES = 256 * 1024

/** COPY … TO STDOUT in large chunks; returns the number of rows. An error of `take` ends the connection. */
export function copyOut(client: pg.Client, statement: string, take: (chunk: Buffer) => Promise<void>): Promise<number> {
  let rows: Buffer[] = []
  let size = 0
  let taken = Promise.resolve()
  let broken: unknown

  function flush(connection: PgConnection): void {
    if (size === 0) return
    const chunk = Buffer.concat(rows, size)
    rows = []
    size = 0
    // Read nothing more until this is written: a store is larger than memory.
    connection.stream.pause()
    taken = taken.then(() => take(chunk))
    taken.then(
      () => connection.stream.resume(),
      (error) => {
        broken ??= error
        connection.stream.destroy()
      },
    )
  }

  let connection: PgConnection | undefined
  return runCopy(client, {
    submit(opened) {
      connection = opened
      opened.query(statement)
    },
    handleCopyData({ chunk }, opened) {
      rows.push(Buffer.from(chunk)) // the connection reuses its buffer
      size += chunk.length
      if (size >= CHUNK_BYTES) flush(opened)
    },
  })
    .then(async (count) => {
      if (connection) flush(connection)
      await taken
      return count
    })
    .catch((error) => {
      throw broken ?? error
    })
}

/** Sends chunks to COPY … FROM STDIN; returns the number of rows. An error of `chunks` fails the statement. */
export function copyIn(client: pg.Client, statement: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  let broken: unknown
  const send = async (connection: PgConnection) => {
    try {
      for await (const chunk of chunks) {
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      broken = error
      connection.sendCopyFail('the file could not be read')
    }
  }
  return runCopy(client, {
    submit: (connection) => connection.query(statement),
    handleCopyInResponse: (connection) => void send(connection),
  }).catch((error) => {
    throw broken ?? error
  })
}

interface CopyHandlers {
  submit(connection: PgConnection): void
  handleCopyData?(message: { chunk: Buffer }, connection: PgConnection): void
  handleCopyInResponse?(connection: PgConnection): void
}

/** Runs one COPY statement; returns the rows that PostgreSQL counted. */
function runCopy(client: pg.Client, handlers: CopyHandlers): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    const query = {
      ...handlers,
      handleError: reject,
      handleCommandComplete({ text }: { text: string }) {
        count = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
      },
      handleReadyForQuery: () => resolve(count),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

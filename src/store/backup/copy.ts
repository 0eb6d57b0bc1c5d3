import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** What node-postgres keeps to itself: how rows go over the wire after COPY. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: Socket
}

const CHUNK_BYTES = 256 * 1024

/**
 * Gives the rows of COPY … TO STDOUT in large chunks, as fast as `take` has them; how many rows there were. An error of
 * `take` ends the connection: there is no other way not to be sent the rest.
 */
export function copyOut(client: pg.Client, statement: string, take: (chunk: Buffer) => Promise<void>): Promise<number> {
  let rows: Buffer[] = []
  let size = 0
  let taken = Promise.resolve()
  let broken: unknown

  function flush(wire: Wire): void {
    if (size === 0) return
    const chunk = Buffer.concat(rows, size)
    rows = []
    size = 0
    // Nothing more is read until this is written: a store is larger than memory.
    wire.stream.pause()
    taken = taken.then(() => take(chunk))
    taken.then(
      () => wire.stream.resume(),
      (error) => {
        broken ??= error
        wire.stream.destroy()
      },
    )
  }

  let wire: Wire | undefined
  return converse(client, {
    submit(opened) {
      wire = opened
      opened.query(statement)
    },
    handleCopyData({ chunk }, opened) {
      rows.push(Buffer.from(chunk)) // its bytes are the connection's, which uses them again
      size += chunk.length
      if (size >= CHUNK_BYTES) flush(opened)
    },
  })
    .then(async (count) => {
      if (wire) flush(wire)
      await taken
      return count
    })
    .catch((error) => {
      throw broken ?? error
    })
}

/** Sends what `chunks` has to COPY … FROM STDIN; how many rows were taken. An error of `chunks` undoes the statement. */
export function copyIn(client: pg.Client, statement: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  let broken: unknown
  const send = async (wire: Wire) => {
    try {
      for await (const chunk of chunks) {
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
      }
      wire.endCopyFrom()
    } catch (error) {
      broken = error
      wire.sendCopyFail('the file could not be read')
    }
  }
  return converse(client, {
    submit: (wire) => wire.query(statement),
    handleCopyInResponse: (wire) => void send(wire),
  }).catch((error) => {
    throw broken ?? error
  })
}

interface Part {
  submit(wire: Wire): void
  handleCopyData?(message: { chunk: Buffer }, wire: Wire): void
  handleCopyInResponse?(wire: Wire): void
}

/** One COPY from its statement to the end of the conversation; the rows that PostgreSQL counted. */
function converse(client: pg.Client, part: Part): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    const query = {
      ...part,
      handleError: reject,
      handleCommandComplete({ text }: { text: string }) {
        count = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
      },
      handleReadyForQuery: () => resolve(count),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

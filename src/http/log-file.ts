import { write, writeSync } from 'node:fs'

const CHUNK_BYTES = 65_536
const FLUSH_MS = 500
const RETRY_MS = 5
const MOST_WAITING = 256 // 16 MiB; a reader that has stopped must not take the server's memory
const MOST_RETRIES_AT_END = 200

/** Where lines go: gathered in memory and written together, because a write for each costs more than making it. */
export interface LogFile {
  write(line: string): void
  /** Writes what is left, at once: for the end of the process, when no write that is under way will be heard of. */
  end(): void
}

/**
 * Appends lines to a file or pipe. They are encoded straight into a buffer that is handed to the system as it is;
 * pino's own destination joins strings and encodes them anew, which cost a tenth of a request.
 */
export function openLogFile(fd: number): LogFile {
  let filling = Buffer.allocUnsafe(CHUNK_BYTES)
  let length = 0
  const queue: Buffer[] = [] // full ones, behind the one being written
  let writing = false
  const timer = setInterval(flush, FLUSH_MS).unref()

  function flush(): void {
    if (length > 0) {
      queue.push(filling.subarray(0, length))
      filling = Buffer.allocUnsafe(CHUNK_BYTES)
      length = 0
    }
    if (!writing) writeNext()
  }

  function writeNext(): void {
    const [next] = queue
    writing = next !== undefined
    if (!next) return
    write(fd, next, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(writeNext, RETRY_MS)
      queue.shift() // also where the output is closed or full: those lines are lost, and the server goes on
      if (!error && written < next.length) queue.unshift(next.subarray(written))
      writeNext()
    })
  }

  return {
    write(line) {
      if (queue.length >= MOST_WAITING) return
      if (length + line.length * 3 > CHUNK_BYTES) flush() // a character is three bytes of UTF-8 at most
      if (line.length * 3 > CHUNK_BYTES) return void queue.push(Buffer.from(line))
      length += filling.write(line, length)
    },
    end() {
      clearInterval(timer)
      if (length > 0) queue.push(filling.subarray(0, length))
      length = 0
      for (const bytes of queue.splice(writing ? 1 : 0)) writeAll(fd, bytes)
    },
  }
}

/** A pipe that is full for a moment is waited for, and one that stays full is not. */
function writeAll(fd: number, bytes: Buffer): void {
  let written = 0
  for (let tries = 0; written < bytes.length && tries < MOST_RETRIES_AT_END; ) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      tries++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

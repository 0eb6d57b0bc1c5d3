import { destination, type LoggerOptions, stdTimeFunctions } from 'pino'

/** PostgreSQL's errors about values, which quote the value; so does JSON.parse. */
const DATA_EXCEPTION = /^22...$/

/** Only the members that help: others may hold credentials of a connection, or a row with personal data. */
function err(error: NodeJS.ErrnoException) {
  const { name: type, message, code, stack } = error
  if (!(error instanceof SyntaxError) && !DATA_EXCEPTION.test(code ?? '')) return { type, message, code, stack }
  const unquoted = message.replace(/".*"/s, '"…"')
  return { type, message: unquoted, code, stack: stack?.replace(message, () => unquoted) }
}

export const LOG_OPTIONS: LoggerOptions = { base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err } }

const BUFFER_BYTES = 65_536
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024 // lines beyond it are lost: a reader that stopped must not fill the memory
const FLUSH_MS = 500

/** Buffers lines and writes them asynchronously; pino flushes the rest when the process exits. */
export function logDestination(fd: number) {
  const stream = destination({
    dest: fd,
    sync: false,
    minLength: BUFFER_BYTES,
    maxWrite: 2 * BUFFER_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_MS,
    contentMode: 'buffer',
  })
  // Given strings, sonic-boom measures all that it has buffered again for every line.
  const write = stream.write.bind(stream) as unknown as (bytes: Buffer) => boolean
  stream.write = (line) => write(Buffer.from(line))
  // Lines are lost on a full disk or a closed pipe. At exit `flushSync` would retry them for ever.
  stream.on('error', () => {
    stream.flushSync = () => undefined
  })
  return stream
}

import { type LoggerOptions, symbols } from 'pino'

/** PostgreSQL's errors about values, which quote the value; so does JSON.parse. */
const DATA_EXCEPTION = /^22...$/

/** Of an error, what helps: its other members may hold a connection's keys, or the row that a person is in. */
function err(error: NodeJS.ErrnoException) {
  const { name: type, message, code, stack } = error
  if (!(error instanceof SyntaxError) && !DATA_EXCEPTION.test(code ?? '')) return { type, message, code, stack }
  const unquoted = message.replace(/".*"/s, '"…"')
  return { type, message: unquoted, code, stack: stack?.replace(message, () => unquoted) }
}

/** How a line looks, wherever it is written. The time is written once a millisecond, and most of it once a second: it was the dearest part of a line. */
export function logForm(nowMs: () => number): LoggerOptions {
  let [lastMs, lastTime] = [Number.NaN, '']
  let [lastSecond, secondWritten] = [Number.NaN, '']
  function timestamp(): string {
    const now = nowMs()
    if (now === lastMs) return lastTime
    const second = Math.floor(now / 1000)
    if (second !== lastSecond)
      [lastSecond, secondWritten] = [second, new Date(second * 1000).toISOString().slice(0, -4)]
    lastMs = now
    return (lastTime = `,"time":"${secondWritten}${String(Math.floor(now) - second * 1000).padStart(3, '0')}Z"`)
  }
  return { base: null, timestamp, serializers: { err } }
}

/** What pino writes lines to, and what it writes of the time: both by the names it gives them for this. */
interface Inside {
  [symbols.streamSym]: { write(line: string): void }
  [symbols.timeSym](): string
  isLevelEnabled(level: string): boolean
}

const LEVELS = { info: 30, warn: 40 }

/** Writes a line whose members, each with a comma before it, are printed already. */
export type EncodedBody = (level: keyof typeof LEVELS, members: string) => void

/** For lines whose members are known and that come by the thousand: pino, which knows none, takes ten times as long. */
export function printerOf(log: object): EncodedBody {
  const inside = log as Inside
  const { [symbols.streamSym]: stream, [symbols.timeSym]: time } = inside
  return (level, members) => {
    if (inside.isLevelEnabled(level)) stream.write(`{"level":${LEVELS[level]}${time()}${members}}\n`)
  }
}

import { invalid, Problem } from './problems.ts'

/** NUL and halves of surrogate pairs, which no text of ours can hold; JSON.stringify writes both as escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/
const SUSPECT = /\\u(?:0000|d[89a-f])/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body, which is UTF-8 (RFC 8259, 8.1). */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid({ _: ['El cuerpo no está en UTF-8.'] })
  }
}

const MAX_DEPTH = 32 // decisions, 14, "Bodies"

const [QUOTE, BACKSLASH] = ['"', '\\'].map((char) => char.charCodeAt(0))
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((char) => char.charCodeAt(0))

/** Refuses JSON that nests too deep. It reads the text once, before anything recursive sees the value. */
export function checkDepth(text: string, what = 'El cuerpo'): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === BACKSLASH) at++
      else if (char === QUOTE) inString = false
    } else if (char === QUOTE) inString = true
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--
    else if ((char === OPEN_LIST || char === OPEN_OBJECT) && ++depth > MAX_DEPTH)
      throw invalid({ _: [`${what} puede tener hasta ${MAX_DEPTH} niveles anidados.`] })
  }
}

/** JSON as RFC 8259 has it, at most 32 levels deep and without the NUL that no text of ours can hold. */
export function parseJson(text: string, what = 'El cuerpo'): unknown {
  const value = parse(text, what)
  if (SUSPECT.test(text) && isUnstorable(value)) throw unstorable(what)
  return value
}

function parse(text: string, what: string): unknown {
  checkDepth(text, what)
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    throw invalid({ _: [`${what} no es JSON válido${position ? ` (posición ${position})` : ''}.`] })
  }
}

const isUnstorable = (value: unknown): boolean => UNSTORABLE.test(JSON.stringify(value).replaceAll('\\\\', ''))
const unstorable = (what: string): Problem =>
  invalid({ _: [`${what} contiene el carácter NUL o la mitad de un carácter.`] })

/** A list of values: each is the value, or the problem with it, so that one spoils no other. */
export function parseList(text: string): unknown {
  const value = parse(text, 'El cuerpo')
  if (!SUSPECT.test(text) || !Array.isArray(value)) return value
  return value.map((each) => (isUnstorable(each) ? unstorable('La fila') : each))
}

/** A value a line: each is the value, or the problem with it. No more than one line beyond `most` is read. */
export function parseLines(text: string, most: number): unknown[] {
  const values: unknown[] = []
  let start = 0
  while (start < text.length && values.length <= most) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end).trim()
    if (line) values.push(parseLine(line))
    start = end < 0 ? text.length : end + 1
  }
  return values
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line, 'La línea')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

import type { FaultCode } from './codes.ts'
import { fault, invalid, type Problem } from './problems.ts'

/** NUL and halves of surrogate pairs, which PostgreSQL cannot store; JSON.stringify writes both as escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/
const SUSPECT = /\\u(?:0000|d[89a-f])/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body, which must be UTF-8 (RFC 8259, 8.1). */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

export const notUtf8 = (): Problem => invalid({ _: [fault('utf-8-invalido', 'El cuerpo no está en UTF-8.')] })

const MAX_DEPTH = 32 // docs/decisions/api.md

/** Character codes, the same in UTF-8 and UTF-16. */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const BACKSLASH = 0x5c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Scans the text before it is parsed, so that no recursive code gets JSON that nests too deep. */
export function shapeProblem(text: string, what: string, maxValues = Number.POSITIVE_INFINITY): Problem | undefined {
  let depth = 0
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === BACKSLASH) at++
      else if (char === QUOTE) inString = false
    } else if (char === QUOTE) inString = true
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--
    else if (char === COMMA) values++
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH)
        return misshapen('muy-anidado', `${what} puede tener hasta ${MAX_DEPTH} niveles anidados.`)
    }
    if (values > maxValues) return misshapen('demasiados-elementos', `${what} puede tener hasta ${maxValues} valores.`)
  }
  return undefined
}

const misshapen = (code: FaultCode, text: string): Problem => invalid({ _: [fault(code, text)] })

/** Parses JSON (RFC 8259), at most 32 levels deep and without NUL or halves of characters. */
export function parseJson(text: string): unknown {
  const what = 'El cuerpo'
  const problem = shapeProblem(text, what)
  if (problem) throw problem
  const value = parseText(text, what)
  if (isUnstorable(text, value)) throw unstorable(what)
  return value
}

export function parseText(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    throw brokenJson(what, position)
  }
}

export const brokenJson = (what: string, position?: string): Problem =>
  invalid({ _: [fault('json-invalido', `${what} no es JSON válido${position ? ` (posición ${position})` : ''}.`)] })

export const isUnstorable = (text: string, value: unknown): boolean =>
  SUSPECT.test(text) && UNSTORABLE.test(JSON.stringify(value).replaceAll('\\\\', ''))

export const unstorable = (what: string): Problem =>
  invalid({ _: [fault('caracter-no-admitido', `${what} contiene el carácter NUL o un carácter incompleto.`)] })

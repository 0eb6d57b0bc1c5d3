/** Characters that are not seen and could forge lines or turn text around; the joiner of emoji is none of them. */
const UNSEEN = /(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Letters with their accents in one piece, and nothing that is not seen: most text, and a tenth of the cost of any other. */
const USUAL = /^[\n -~\u00a1-\u00ac\u00ae-\u024f]*$/

/** A line as a person meant it. */
export function oneLine(text: string): string {
  const seen = USUAL.test(text) ? text : text.normalize('NFC').replace(LINE_ENDS, ' ').replace(UNSEEN, '')
  return (/\s\s|\n/.test(seen) ? seen.replace(/\s+/g, ' ') : seen).trim()
}

/** Several lines as a person meant them. */
export const lines = (text: string): string =>
  (USUAL.test(text) ? text : text.normalize('NFC').replace(LINE_ENDS, '\n').replace(UNSEEN, '')).trim()

/** Characters that are not seen and could forge lines or turn text around; the joiner of emoji is none of them. */
const UNSEEN = /(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Most text is one line of plain letters, and is left as it is. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/

/** A line as a person meant it. */
export function oneLine(text: string): string {
  if (PLAIN.test(text) && !text.includes('  ')) return text
  return text.normalize('NFC').replace(LINE_ENDS, ' ').replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
}

/** Several lines as a person meant them. */
export const lines = (text: string): string => text.normalize('NFC').replace(LINE_ENDS, '\n').replace(UNSEEN, '').trim()

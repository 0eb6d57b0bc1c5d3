import { MAX_VALUES } from './match.ts'

interface Line {
  /** From 1. */
  number: number
  text: string
}

/** The lines that are not blank, in batches: what has come so far is not kept waiting for more. */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<Line[], void, undefined> {
  const decoder = new TextDecoder()
  let [rest, number] = ['', 0]
  const take = (texts: string[]): Line[] =>
    texts.map((text) => ({ number: ++number, text })).filter(({ text }) => text.trim() !== '')

  for await (const chunk of input) {
    const texts = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = texts.pop() ?? ''
    const lines = take(texts)
    for (let at = 0; at < lines.length; at += MAX_VALUES) yield lines.slice(at, at + MAX_VALUES)
  }
  const last = take([rest])
  if (last.length > 0) yield last
}

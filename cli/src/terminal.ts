import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Gives a text a colour, where the output is a terminal. */
export type Style = (format: Format, text: string) => string

export const isTerminal = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true

/** Colours for a terminal, unless NO_COLOR (no-color.org) or a terminal without them; FORCE_COLOR also for a pipe. */
export function styleFor(stream: object, env: Record<string, string | undefined>): Style {
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal(stream) && env.TERM !== 'dumb'
  return env.NO_COLOR || !wanted ? plain : (format, text) => styleText(format, text, { validateStream: false })
}

export const plain: Style = (_format, text) => text

/** Rows in columns; the first row is the heading. */
export function table([heading = [], ...rows]: readonly string[][], style: Style): string {
  const widths = heading.map((_, at) => Math.max(...[heading, ...rows].map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [style('dim', line(heading)), ...rows.map(line)].map((text) => `${text}\n`).join('')
}

const JSON_TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A JSON value on several lines, coloured. */
export const prettyJson = (value: unknown, style: Style): string =>
  JSON.stringify(value, null, 2).replace(JSON_TOKENS, (token, text?: string, colon?: string) => {
    if (text !== undefined && colon !== undefined) return style('cyan', text) + colon
    return style(text === undefined ? 'yellow' : 'green', token)
  })

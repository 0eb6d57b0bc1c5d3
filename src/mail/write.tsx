import { markup } from '../http/markup.ts'
import { asHtml } from './html.tsx'
import { Paper } from './paper.tsx'
import { plainLine } from './plain.ts'
import type { Sheet } from './sheet.ts'
import { asText } from './text.ts'

/** The two forms of a letter. Others' words are made harmless here, so that no letter can forget to. */
export function write({ subject, title, preview, blocks, footer }: Sheet): {
  subject: string
  text: string
  html: string
} {
  const text = [`${plainLine(title)}`, ...blocks.map(asText), '-- ', ...footer.map(asText)].join('\n\n')
  const html = markup(
    <Paper title={plainLine(title)} preview={plainLine(preview)} footer={footer.map(asHtml)}>
      {blocks.map(asHtml)}
    </Paper>,
  )
  return { subject: plainLine(subject), text: `${text}\n`, html: `<!doctype html>\n${html}\n` }
}

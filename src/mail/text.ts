import { plainLine, plainText } from './plain.ts'
import { type Block, EMPTY } from './sheet.ts'

/** A block as plain text. */
export function asText(block: Block): string {
  if ('words' in block) return plainLine(block.words)
  if ('heading' in block) return plainLine(block.heading)
  if ('note' in block) return plainLine(block.note)
  if ('list' in block) return block.list.map((item) => `  - ${plainLine(item)}`).join('\n')
  if ('call' in block) return `    ${block.call}`
  if ('quote' in block) return `${plainLine(block.by)}\n\n${plainText(block.quote).replace(/^/gm, '> ')}`
  if ('changes' in block)
    return block.changes
      .map(({ campo, antes, despues }) => {
        const was = plainLine(antes || EMPTY)
        return `  ${plainLine(campo)}\n    antes: ${was}\n    ahora: ${plainLine(despues || EMPTY)}`
      })
      .join('\n\n')
  if ('button' in block) return `${plainLine(block.button)}:\n${block.url}`
  return `${plainLine(block.link)}: ${block.url.replace(/^mailto:/, '')}`
}
